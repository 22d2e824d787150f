//! Options of what is filled in: `((names))` and templates.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

/// Options of `((names))`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Variables and templates")]
pub struct VariableOptions {
    /// Set a variable: a value for ((NAME))
    ///
    /// It is read as YAML unless it is a string. Values are read as bosh reads them: YAML 1.1, where `yes` is a boolean and `010` is 8.
    /// A quoted value is a string: -v 'a="yes"'. If a name is given twice, the last one counts. -v
    /// overrides --var-file, then come --vars-file, --vars-env and --vars-store, in this order.
    #[arg(short, long, value_name = "NAME=VALUE")]
    pub var: Vec<OsString>,
    /// Set a variable to a text, which is never read as YAML
    ///
    /// -v tag=1.10 is the number 1.1; --var-string tag=1.10 is a text. It overrides -v.
    #[arg(long, value_name = "NAME=TEXT", hide_short_help = true)]
    pub var_string: Vec<OsString>,
    /// Set a variable to the text of a file
    #[arg(long, value_name = "NAME=PATH", hide_short_help = true)]
    pub var_file: Vec<OsString>,
    /// Read variables from a YAML file
    ///
    /// A map of names to values.
    #[arg(short = 'l', long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub vars_file: Vec<OsString>,
    /// Read variables from the environment: PREFIX_name=value
    #[arg(long, value_name = "PREFIX", hide_short_help = true)]
    pub vars_env: Vec<OsString>,
    /// Keep generated values in a file
    ///
    /// Values are read from it, and those that are generated for `variables:` are saved in it.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub vars_store: Option<OsString>,
    /// Fail if a variable has no value
    #[arg(long)]
    pub var_errs: bool,
    /// Fail if a value is not used
    #[arg(long, hide_short_help = true)]
    pub var_errs_unused: bool,
}

impl VariableOptions {
    /// Returns true if the command line has values, which are never shown.
    pub fn are_given(&self) -> bool {
        !self.var.is_empty() || !self.var_string.is_empty()
    }

    /// Returns true if variables can have values, from anywhere.
    pub fn have_values(&self) -> bool {
        let files = [&self.var_file, &self.vars_file, &self.vars_env];
        self.are_given()
            || self.vars_store.is_some()
            || files.into_iter().any(|given| !given.is_empty())
    }
}

/// Options of evaluation.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Variables and templates")]
pub struct Evaluation {
    /// Evaluate templates and expressions
    ///
    /// Jinja templates, which are texts with `{{`, `{%` or `{#`, and Unfurl expressions, which are
    /// mappings with `eval` or a function. LANGUAGES are `jinja`, `unfurl` or both, which is the default. With `--eval=jinja` every
    /// mapping is data, also `{ref: main}`. Variables and top-level keys of the document are
    /// available by name, and the document as SELF.
    #[arg(
        long,
        value_name = "LANGUAGES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "jinja,unfurl",
        hide_possible_values = true
    )]
    eval: Vec<EvalLanguage>,
    /// Read a result that looks like a Python literal as that literal
    ///
    /// Ansible did so before 2.19, and Unfurl does.
    #[arg(long, hide_short_help = true)]
    pub python_literals: bool,
}

/// A language that `--eval` evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EvalLanguage {
    /// Texts with `{{`, `{%` or `{#`
    Jinja,
    /// Mappings with `eval` or a function
    Unfurl,
}

impl Evaluation {
    /// Returns true if the document is evaluated.
    pub fn is_on(&self) -> bool {
        !self.eval.is_empty()
    }

    /// Returns true if texts of the document may be templates.
    pub fn has_templates(&self) -> bool {
        !self.is_on() || self.eval.contains(&EvalLanguage::Jinja)
    }

    /// Returns true if mappings of the document may be expressions.
    pub fn has_expressions(&self) -> bool {
        !self.is_on() || self.eval.contains(&EvalLanguage::Unfurl)
    }
}
