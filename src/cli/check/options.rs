//! The options of `check`.

use std::ffi::{OsStr, OsString};
use std::mem::take;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error, ValueHint};
use interpolate::unstable::check::Rule;
use interpolate::unstable::diagnostic::near;

use super::format::CheckFormat;
use crate::cli::main_options::{Globals, MainOptions};
use crate::cli::options::{Color, Input, Output, hide};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct CheckOptions {
    /// The documents to check, or folders of them; ops-files among them are checked by
    /// themselves
    #[arg(value_name = "BASE", required_unless_present = "explain",
        value_hint = ValueHint::AnyPath)]
    bases: Vec<OsString>,
    /// Format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: CheckFormat,
    /// Mend what can surely be mended, and write these files
    #[arg(long)]
    pub fix: bool,
    /// Exit with 1 for warnings, too
    #[arg(long)]
    pub strict: bool,
    /// Print the page of a rule
    #[arg(long, value_name = "RULE", value_parser = RuleParser)]
    pub explain: Option<Rule>,
    /// Colours in findings
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: Color,
    /// Print only findings
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    globals: Globals,
}

const EXAMPLE: &str = "\
Examples:
  interpolate check manifest.yml -o operations/scale.yml -o operations/tls.yml -l vars.yml
  interpolate check . --format sarif > findings.sarif
  interpolate check --explain op-order

A comment `# interpolate: allow RULE` allows what is found on its line, or in the entry below it.";

/// Changes the help: nothing is printed of the documents.
pub fn command(command: clap::Command) -> clap::Command {
    hide(command, &["var_errs", "var_errs_unused", "vars_store"])
}

impl CheckOptions {
    /// Returns the options of the main job, and the others.
    pub fn split(mut self) -> (MainOptions, CheckOptions) {
        let mut bases = take(&mut self.bases).into_iter();
        let (color, quiet) = (self.color, self.quiet);
        let main = MainOptions {
            base: bases.next(),
            extra: bases.collect(),
            after_dashes: 0,
            input: take(&mut self.input),
            output: Output { color, quiet, ..Output::default() },
            globals: take(&mut self.globals),
        };
        (main, self)
    }
}

/// The parser of the name of a rule. Of an unknown one it tells the nearest, or all.
// The parser of clap tells a nearest one even if none is near.
#[derive(Clone, Copy, Debug)]
pub struct RuleParser;

impl TypedValueParser for RuleParser {
    type Value = Rule;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Rule, Error> {
        let rule = |name: String| Rule::named(&name).ok_or_else(|| unknown(&name));
        StringValueParser::new().try_map(rule).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Rule::ALL.into_iter().map(|rule| PossibleValue::new(rule.name()))))
    }
}

fn unknown(name: &str) -> String {
    let names = Rule::ALL.map(Rule::name);
    match near(names, name) {
        Some(near) => format!("there is no such rule; did you mean '{near}'?"),
        None => format!("there is no such rule; the rules are {}", names.join(", ")),
    }
}
