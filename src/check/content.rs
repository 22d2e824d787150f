//! The content of a document, without the order of its lists.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use hashbrown::HashMap;

use crate::node::{Kind, NodeId, Tree};

/// Returns a number that is the same for documents with the same data: the order of keys
/// and of items does not count.
pub(super) fn digest(tree: &Tree, root: usize) -> u64 {
    let top = tree.follow(tree.roots()[root]);
    let mut known: HashMap<NodeId, u64> = HashMap::new();
    let mut todo = vec![top];
    while let Some(&node) = todo.last() {
        if known.contains_key(&node) {
            todo.pop();
            continue;
        }
        let before = todo.len();
        let parts = parts(tree, node);
        todo.extend(parts.iter().copied().filter(|part| !known.contains_key(part)));
        if todo.len() == before {
            let digest = node_digest(tree, node, &known);
            known.insert(node, digest);
            todo.pop();
        }
    }
    known[&top]
}

/// Returns the nodes that a node consists of.
fn parts(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let followed = |node| tree.follow(node);
    match tree.kind(node) {
        Kind::Scalar => Vec::new(),
        Kind::Sequence => tree.items(node).into_iter().map(followed).collect(),
        Kind::Mapping => {
            let pairs = tree.pairs(node).into_iter();
            pairs.flat_map(|(key, value)| [followed(key), followed(value)]).collect()
        }
    }
}

fn node_digest(tree: &Tree, node: NodeId, known: &HashMap<NodeId, u64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let of = |node: &NodeId| known[node];
    match tree.kind(node) {
        Kind::Scalar => tree.scalar(node).identity().hash(&mut hasher),
        Kind::Sequence => {
            let mut items: Vec<u64> = parts(tree, node).iter().map(of).collect();
            items.sort_unstable();
            (1, items).hash(&mut hasher);
        }
        Kind::Mapping => {
            let parts = parts(tree, node);
            let mut entries: Vec<(u64, u64)> =
                parts.chunks_exact(2).map(|pair| (of(&pair[0]), of(&pair[1]))).collect();
            entries.sort_unstable();
            (2, entries).hash(&mut hasher);
        }
    }
    hasher.finish()
}
