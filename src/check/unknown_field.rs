//! The rule `unknown-field`.

use hashbrown::HashMap;

use super::finding::Finding;
use super::rule::Rule;
use crate::compile;
use crate::diagnostic::{Diagnostic, near};
use crate::node::{Kind, NodeId, Tree};

/// Returns a finding for each name of a field that neither bosh nor we know. The field has
/// no effect.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    if !compile::is_ops_file(tree) {
        return Vec::new();
    }
    let mut places: Vec<(String, Vec<NodeId>)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let items = tree.items(tree.root()).into_iter();
    for item in items.filter(|&item| tree.kind(item) == Kind::Mapping) {
        for (key, _) in tree.pairs(item) {
            let Some(name) = tree.string(key) else { continue };
            if compile::field_names().any(|known| known == name) {
                continue;
            }
            let number = *numbers.entry(name.into_owned()).or_insert_with_key(|name| {
                places.push((name.clone(), Vec::new()));
                places.len() - 1
            });
            places[number].1.push(key);
        }
    }
    places.iter().map(|(name, keys)| finding(tree, name, keys)).collect()
}

fn finding(tree: &Tree, name: &str, keys: &[NodeId]) -> Finding {
    let message = format!("an op has no field '{name}': nothing reads it");
    let near = near(compile::field_names(), name);
    let more = match keys.len() - 1 {
        0 => None,
        1 => Some("1 more op in this file has it".to_owned()),
        count => Some(format!("{count} more ops in this file have it")),
    };
    let hints =
        near.map(|near| format!("did you mean '{near}'?")).into_iter().chain(more);
    let warning = Diagnostic::warning(message);
    let warning = keys
        .iter()
        .take(1)
        .fold(warning, |warning, &key| warning.at(tree.first_line_of(key)));
    let finding = Finding::new(Rule::UnknownField, *warning.hints(hints));
    // A field that looks like no other one is often a comment.
    if near.is_some() { finding } else { finding.note() }
}
