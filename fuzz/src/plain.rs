//! Documents that are small, and those that can be compared as JSON.

use std::collections::HashSet;

use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::scalar::Scalar;
use interpolate::unstable::yaml::{Expansion, json};

/// Maximum number of nodes of a document whose aliases are expanded. The limits of the engine
/// are higher: what comes near them takes seconds.
const MAX_NODES: usize = 10_000;

/// Returns true if the first document has few nodes.
pub fn is_small(document: &Tree) -> bool {
    nodes(document).nth(MAX_NODES).is_none()
}

/// Returns true if a document is small, no key of it is a collection, which JSON would show in
/// its source spelling, nothing in it is binary, for the same reason, and no mapping has two
/// keys, such as `1` and `"1"`, that JSON cannot tell apart.
pub fn is_plain(document: &Tree) -> bool {
    let name = |key| {
        let text = json::print(document, key, Expansion(1 << 20)).unwrap_or_default();
        text.trim_end().trim_matches('"').to_owned()
    };
    let plain_keys = |node| {
        let keys: Vec<NodeId> = document.pairs(node).into_iter().map(|it| it.0).collect();
        let names: HashSet<String> = keys.iter().map(|&key| name(key)).collect();
        let is_scalar = |&key: &NodeId| document.kind(key) == Kind::Scalar;
        let are_shown = keys.iter().all(is_scalar) && names.len() == keys.len();
        are_shown && !keys.iter().chain([&node]).any(|&it| is_binary(document, it))
    };
    is_small(document) && nodes(document).all(plain_keys)
}

fn is_binary(document: &Tree, node: NodeId) -> bool {
    let is_scalar = document.kind(node) == Kind::Scalar;
    is_scalar && matches!(document.scalar(node), Scalar::Binary(_))
}

/// Returns the values of the first document, each as often as aliases have it.
fn nodes(document: &Tree) -> impl Iterator<Item = NodeId> {
    let mut todo = vec![document.root()];
    std::iter::from_fn(move || {
        let node = todo.pop()?;
        todo.extend(document.items(node));
        todo.extend(document.pairs(node).into_iter().map(|(_, value)| value));
        Some(node)
    })
}
