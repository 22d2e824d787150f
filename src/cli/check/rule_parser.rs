//! The parser of the name of a rule.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use interpolate::unstable::check::Rule;
use interpolate::unstable::diagnostic::near;

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
