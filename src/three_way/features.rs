//! What tells the documents of a stream, or the items of a list, apart.

use std::collections::BTreeMap;

use crate::diff::Classes;
use crate::node::{Kind, NodeId, Tree};
use crate::select::DocumentName;

/// The key of a mapping, and its value; a key alone has `None`.
type Part = (u32, Option<u32>);

/// What tells the documents or items of a version apart. Equal numbers stand for equal
/// things, in all three versions.
pub(super) struct Features {
    /// The names, of documents with a kind and a name that no other one has.
    pub names: Vec<Option<u32>>,
    pub values: Vec<u32>,
    /// The entries of mappings, and their keys.
    pub parts: Vec<Vec<Part>>,
}

impl Features {
    /// Returns the features of three versions, whose documents are all in `tree`.
    pub(super) fn all(
        tree: &Tree,
        mut classes: Classes<'_>,
        roots: [&[NodeId]; 3],
        names: &[Vec<DocumentName>; 3],
    ) -> [Features; 3] {
        let mut numbers = BTreeMap::new();
        [0, 1, 2].map(|side| {
            let names = numbered(&names[side], &mut numbers);
            let nodes = roots[side];
            let parts =
                nodes.iter().map(|&node| parts(tree, node, &mut classes)).collect();
            Features { names, ..Features::new(nodes, parts, &mut classes) }
        })
    }

    /// Returns the features of items, which have no names; `None` if these have more than
    /// `entries_left` entries. Many aliases of one large mapping have.
    pub(super) fn of_items(
        tree: &Tree,
        nodes: &[NodeId],
        classes: &mut Classes<'_>,
        entries_left: &mut usize,
    ) -> Option<Features> {
        let parts = nodes.iter().map(|&node| {
            let parts = parts(tree, node, classes);
            let is_too_much = parts.len() > *entries_left;
            *entries_left = entries_left.saturating_sub(parts.len());
            (!is_too_much).then_some(parts)
        });
        let parts = parts.collect::<Option<_>>()?;
        Some(Features::new(nodes, parts, classes))
    }

    /// Returns the features of nodes without names.
    fn new(
        nodes: &[NodeId],
        parts: Vec<Vec<Part>>,
        classes: &mut Classes<'_>,
    ) -> Features {
        let values = nodes.iter().map(|&node| classes.of_old(node)).collect();
        Features { names: vec![None; nodes.len()], values, parts }
    }

    /// Returns the number of documents or items.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns what a new document is known by: its name or its value.
    pub(super) fn of_new(&self, at: usize) -> (Option<u32>, u32) {
        match self.names[at] {
            Some(name) => (Some(name), 0),
            None => (None, self.values[at]),
        }
    }
}

fn numbered<'a>(
    names: &'a [DocumentName],
    numbers: &mut BTreeMap<&'a DocumentName, u32>,
) -> Vec<Option<u32>> {
    let mut counts = BTreeMap::<_, usize>::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut number = |name: &'a DocumentName| {
        let next = numbers.len() as u32;
        let is_own = name.is_complete() && counts[name] == 1;
        is_own.then(|| *numbers.entry(name).or_insert(next))
    };
    names.iter().map(&mut number).collect()
}

fn parts(tree: &Tree, node: NodeId, classes: &mut Classes<'_>) -> Vec<Part> {
    if tree.kind(node) != Kind::Mapping {
        return Vec::new();
    }
    let entries = tree.pairs(node).into_iter().flat_map(|(key, value)| {
        let key = classes.of_old(key);
        [(key, None), (key, Some(classes.of_old(value)))]
    });
    entries.collect()
}
