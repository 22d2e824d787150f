//! The rules `unused-file` and `unused-variable`.

use super::finding::Finding;
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Maximum number of variables that one message names.
// They fit a line; the message has the number of all.
const MAX_NAMED: usize = 5;

/// Returns the finding for a file of which nothing is used. `what` is what it has none of.
pub fn unused_file(name: &str, what: &str, place: Option<Span>) -> Finding {
    let note = Diagnostic::warning(format!("'{name}' has no part in the result: {what}"));
    Finding::new(Rule::UnusedFile, *note.at(place))
}

/// Returns the finding for variables of one file or option that have no use.
pub fn unused_variables(names: &[(String, Option<Span>)]) -> Option<Finding> {
    let (first, place) = names.first()?;
    let message = match names.len() {
        1 => format!("no ((name)) uses the variable '{first}'"),
        count => format!("{count} variables have a value and no use"),
    };
    let note = Diagnostic::warning(message);
    let note = place.iter().copied().fold(note, Diagnostic::at);
    let shown: Vec<&str> =
        names.iter().take(MAX_NAMED).map(|(name, _)| &**name).collect();
    let more = if names.len() > MAX_NAMED { ", …" } else { "" };
    let list = (names.len() > 1).then(|| format!("{}{more}", shown.join(", ")));
    let note = note.hints(list);
    Some(Finding::new(Rule::UnusedVariable, *note))
}
