//! Copies of opened nodes as they are at one moment.

use hashbrown::HashMap;

use super::opened::{Body, Kind, Opened};
use super::slots::{NodeId, Slot, Slots};
use super::tree::Tree;
use crate::arena::{Style, flag};

/// Copies the opened nodes of a value to a list, as they are now. Returns the value in
/// that list, which needs nothing of its tree but the texts.
pub(crate) fn snapshot(tree: &Tree, node: NodeId, list: &mut Vec<Opened>) -> NodeId {
    let start = list.len();
    let mut copies = HashMap::new();
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        let node = followed(tree, node);
        let copy = copy_of(tree, node).filter(|_| !copies.contains_key(&node));
        let Some(copy) = copy else { continue };
        todo.extend(copy.slots().iter().flat_map(Slot::nodes));
        copies.insert(node, list.len() as u32);
        list.push(copy);
    }
    let copied = |node: NodeId| {
        let node = followed(tree, node);
        copies.get(&node).map_or(node, |&copy| NodeId::Opened(copy))
    };
    for copy in &mut list[start..] {
        copy.map_nodes(copied);
    }
    copied(node)
}

/// Returns the new value of an alias that has followed an edit; any other node itself.
fn followed(tree: &Tree, node: NodeId) -> NodeId {
    match node {
        NodeId::Clean(file, i) if tree.arena(file).style(i) == Style::Alias => {
            tree.alias_value(file, tree.arena(file).target(i)).unwrap_or(node)
        }
        NodeId::Clean(..) | NodeId::Opened(_) => node,
    }
}

/// Returns a copy of an opened node, or of a written one in which aliases may have
/// followed an edit.
fn copy_of(tree: &Tree, node: NodeId) -> Option<Opened> {
    let (file, i) = match node {
        NodeId::Opened(id) => return Some(tree.opened(id).shifted(0)),
        NodeId::Clean(file, i) => (file, i),
    };
    let arena = tree.arena(file);
    let kind = tree.kind(node);
    if !tree.has_alias_values()
        || kind == Kind::Scalar
        || arena.style(i) == Style::Alias
        || !arena.has(i, flag::HAS_ALIAS)
    {
        return None;
    }
    let slots = Slots::new(Slot::of_children(arena, i));
    let merges = tree.merge_slots(&slots);
    let body = match kind {
        Kind::Mapping => Body::Mapping(slots),
        Kind::Sequence | Kind::Scalar => Body::Sequence(slots),
    };
    Some(Opened::new(Some((file, i)), body, merges))
}
