//! The rule `duplicate-key`.

use std::collections::HashMap;

use super::finding::Finding;
use super::fix::Fix;
use super::place::way_to;
use super::rule::Rule;
use crate::arena::Index;
use crate::diagnostic::Diagnostic;
use crate::node::{NodeId, Tree};
use crate::scalar::Identity;

/// Returns a finding for each key that its mapping has had before.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    let arena = tree.base();
    let node = |i| NodeId::Clean(arena.file(), i);
    let mut findings = Vec::new();
    for mapping in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        let mut known: HashMap<Identity<'_>, (usize, Index, Index)> = HashMap::new();
        for (position, (key, value)) in arena.entries(mapping).enumerate() {
            let slot_is_merge = tree.is_merge_key(node(key));
            let Some(identity) = tree.identity(node(key)).filter(|_| !slot_is_merge)
            else {
                continue;
            };
            if let Some(first) = known.insert(identity, (position, key, value)) {
                findings.push(finding(tree, mapping, first, (key, value)));
            }
        }
    }
    findings
}

fn finding(
    tree: &Tree,
    mapping: Index,
    (position, first, old): (usize, Index, Index),
    (key, value): (Index, Index),
) -> Finding {
    let arena = tree.base();
    let node = |i| NodeId::Clean(arena.file(), i);
    let name = tree.text_of(node(key));
    let error = Diagnostic::error(format!("the key '{name}' is there twice"))
        .label(arena.span(key), "this one counts")
        .label(arena.span(first), "the first one");
    let is_equal = tree.equal(node(old), node(value));
    let error = if is_equal { error } else { error.hint("the values differ") };
    let way = way_to(tree, mapping).filter(|_| is_equal);
    let fix = way.map(|(root, path)| Fix {
        file: arena.file(),
        root,
        path,
        position,
        start: arena.span(first).start,
    });
    Finding { fix, ..Finding::new(Rule::DuplicateKey, *error) }
}
