//! The rules `unused-file`, `unused-variable` and `unknown-field`: what nothing reads.

use hashbrown::HashMap;

use super::finding::Finding;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, near_hint};
use crate::language;
use crate::node::{Kind, NodeId, Tree};
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

/// Returns the findings in an ops-file by itself: one for each name of a field that neither
/// bosh nor we know.
pub fn ops_file(tree: &Tree) -> Vec<Finding> {
    if !language::is_ops_file(tree) {
        return Vec::new();
    }
    let mut places: Vec<(String, Vec<NodeId>)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let items = tree.items(tree.root()).into_iter();
    for item in items.filter(|&item| tree.kind(item) == Kind::Mapping) {
        for (key, _) in tree.pairs(item) {
            let Some(name) = tree.string(key) else { continue };
            if language::field_names().any(|known| known == name) {
                continue;
            }
            let number = *numbers.entry(name.into_owned()).or_insert_with_key(|name| {
                places.push((name.clone(), Vec::new()));
                places.len() - 1
            });
            places[number].1.push(key);
        }
    }
    places.iter().map(|(name, keys)| unknown_field(tree, name, keys)).collect()
}

fn unknown_field(tree: &Tree, name: &str, keys: &[NodeId]) -> Finding {
    let message = format!("an op has no field '{name}': nothing reads it");
    let near = near_hint(language::field_names(), name);
    let is_near = near.is_some();
    let more = match keys.len() - 1 {
        0 => None,
        1 => Some("1 more op in this file has it".to_owned()),
        count => Some(format!("{count} more ops in this file have it")),
    };
    let hints = near.into_iter().chain(more);
    let place = keys.first().map(|&key| tree.first_line_of(key));
    let warning = Diagnostic::warning(message).at(place);
    let finding = Finding::new(Rule::UnknownField, *warning.hints(hints));
    // A field that looks like no other one is often a comment.
    if is_near { finding } else { finding.note() }
}
