//! Options of evaluation.

use clap::{Args, ValueEnum};

/// Options of evaluation.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Evaluation")]
pub struct Evaluation {
    /// Resolve Jinja templates and Unfurl expressions in the document
    ///
    /// LANGUAGES are `jinja`, `unfurl` or both, which is the default. With `--eval=jinja` every
    /// mapping is data, also `{ref: main}`. Variables and top-level keys of the document are
    /// available by name, and the document as SELF.
    #[arg(
        long,
        value_name = "LANGUAGES",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "jinja,unfurl"
    )]
    eval: Vec<EvalLanguage>,
    /// Read a result that looks like a Python literal as that literal
    ///
    /// Ansible did so before 2.19, and Unfurl does.
    #[arg(long)]
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
