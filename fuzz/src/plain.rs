//! Documents that are small, and those that can be compared as JSON.

use interpolate::unstable::node::{Kind, NodeId, Tree};

/// Maximum number of nodes of a document whose aliases are expanded. The limits of the engine
/// are higher: what comes near them takes seconds.
const MAX_NODES: usize = 10_000;

/// Returns true if the first document has few nodes.
pub fn is_small(document: &Tree) -> bool {
    nodes(document).nth(MAX_NODES).is_none()
}

/// Returns true if a document is small and no key of it is a collection, which JSON would
/// show in its source spelling.
pub fn is_plain(document: &Tree) -> bool {
    let scalar_keys = |node| {
        let mut pairs = document.pairs(node).into_iter();
        pairs.all(|(key, _)| document.kind(key) == Kind::Scalar)
    };
    is_small(document) && nodes(document).all(scalar_keys)
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
