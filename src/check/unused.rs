//! The rules `unused-file` and `unused-variable`.

use super::finding::Finding;
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Returns the finding for a file of which nothing is used. `what` is what it has none of.
pub fn unused_file(name: &str, what: &str, place: Option<Span>) -> Finding {
    let note = Diagnostic::warning(format!("'{name}' has no part in the result: {what}"));
    Finding::new(Rule::UnusedFile, *note.at(place))
}

/// Returns the finding for a variable that has a value and no use.
pub fn unused_variable(name: &str, place: Option<Span>) -> Finding {
    let warning = Diagnostic::warning(format!("no ((name)) uses the variable '{name}'"));
    let finding = Finding::new(Rule::UnusedVariable, *warning.at(place));
    Finding { name: Some(name.to_owned()), ..finding }
}
