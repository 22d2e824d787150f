//! The options of a command that reads a document and patches it.

use std::io::{self, Write};

use clap::{ArgMatches, Args};
use interpolate::unstable::compile;
use interpolate::unstable::eval::{LanguageSettings, Limits, Quota};
use interpolate::unstable::job;
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::select::{self, QueryBudget};
use interpolate::unstable::yaml::{self, DecodeTarget};

use super::patching::Patching;
use super::reading::Reading;
use super::safety::Safety;
use super::values::{Evaluation, VariableOptions};

/// The options of a document that is read and patched.
#[derive(Debug, Default, Args)]
pub struct Input {
    #[command(flatten)]
    pub patching: Patching,
    #[command(flatten)]
    pub variables: VariableOptions,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub evaluation: Evaluation,
    #[command(flatten)]
    pub safety: Safety,
    /// The positions of the arguments on the command line.
    #[arg(skip)]
    pub matches: ArgMatches,
}

impl Input {
    /// Returns the options for reading a text of that dialect.
    pub fn reading(&self, dialect: Dialect) -> yaml::Options {
        let strict = self.reading.strict_yaml;
        yaml::Options {
            dialect,
            strict,
            depth: self.depth(),
            target: DecodeTarget::Value,
        }
    }

    /// Returns the rules for merge directives in a document of that dialect.
    pub fn rules(&self, dialect: Dialect) -> compile::Rules {
        let default = compile::Rules::default();
        compile::Rules {
            lists: self.reading.lists.unwrap_or_default(),
            allow: self.safety.allow(),
            repositories: self.reading.repository.clone(),
            yaml: self.reading(dialect),
            expansion: self.expansion(),
            include_bytes: self.limit("include-bytes").unwrap_or(default.include_bytes),
            include_depth: self
                .limit("include-depth")
                .map_or(default.include_depth, |depth| depth as u32),
        }
    }

    /// Returns the documents of the stream that the command works on, by position, unless
    /// `--where` chooses them.
    pub fn roots(&self, document: &Tree) -> Vec<usize> {
        if self.reading.all_documents { document.filled_documents() } else { vec![0] }
    }

    /// Returns the rules by which templates and expressions are evaluated.
    pub fn evaluation(&self) -> job::EvaluationRules {
        job::EvaluationRules {
            is_on: self.evaluation.is_on(),
            settings: LanguageSettings {
                python_literals: self.evaluation.python_literals,
                expressions: self.evaluation.has_expressions(),
                templates: self.evaluation.has_templates(),
                trace: |line| {
                    // A closed standard error is no reason to stop.
                    writeln!(io::stderr(), "{line}").ok();
                },
                quota: self.quota(),
            },
            limits: self.evaluation_limits(),
            folder: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// Returns the limits of a run of the evaluator.
    pub fn evaluation_limits(&self) -> Limits {
        let mut limits = Limits::default();
        let size =
            |name, default| self.limit(name).map_or(default, |limit| limit as usize);
        limits.output = size("output", limits.output);
        limits.depth = size("eval-depth", limits.depth);
        limits.fuel = self.limit("fuel").unwrap_or(limits.fuel);
        let operations = &mut limits.operations;
        operations.bytes = size("value-bytes", operations.bytes);
        operations.depth = size("value-depth", operations.depth);
        operations.members = size("value-members", operations.members);
        limits.expansion = self.expansion();
        limits.include_bytes =
            self.limit("include-bytes").unwrap_or(limits.include_bytes);
        limits
    }

    /// Returns the limits of a value of a yaql expression.
    pub fn quota(&self) -> Quota {
        let default = Quota::default();
        Quota {
            iterators: self.signed_limit("yaql-iterators", default.iterators),
            memory: self.signed_limit("yaql-memory", default.memory),
        }
    }

    fn signed_limit(&self, name: &str, default: i64) -> i64 {
        self.limit(name).map_or(default, |n| i64::try_from(n).unwrap_or(i64::MAX))
    }

    pub fn depth(&self) -> u32 {
        self.limit("depth").map_or(yaml::Options::default().depth, |depth| depth as u32)
    }

    /// Returns the maximum size of a document with aliases and directives expanded.
    pub fn expansion(&self) -> yaml::Expansion {
        let limit = self.limit("expansion");
        limit.map(|size| yaml::Expansion(size as usize)).unwrap_or_default()
    }

    /// Maximum number of steps of the queries of a run.
    pub fn query_steps(&self) -> u64 {
        self.limit("query-steps").unwrap_or(select::MAX_STEPS)
    }

    /// Returns what the queries of an option may take.
    pub fn query_budget(&self) -> QueryBudget {
        QueryBudget::new(self.query_steps(), self.expansion().0)
    }

    fn limit(&self, name: &str) -> Option<u64> {
        self.safety.limit(name)
    }
}
