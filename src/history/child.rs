//! The children of a collection.

use crate::node::{Kind, NodeId, Slot, Step, Tree};

/// A child of a collection.
#[derive(Clone, Copy)]
pub(super) enum Child {
    Entry(NodeId),
    Item(u32),
    /// The key `<<` with its value.
    MergeKey(NodeId, NodeId),
}

impl Child {
    /// Returns the step to the child.
    pub(super) fn step(self) -> Step {
        match self {
            Child::Entry(key) | Child::MergeKey(key, _) => Step::Key(key),
            Child::Item(index) => Step::Index(index),
        }
    }
}

/// Returns the steps to the children of a collection, with the values, as [`children`] does.
pub(super) fn parts(tree: &Tree, node: NodeId, expands: bool) -> Vec<(Step, NodeId)> {
    if expands && tree.kind(node) == Kind::Mapping {
        let pairs = tree.pairs(node).into_iter();
        return pairs.map(|(key, value)| (Step::Key(key), value)).collect();
    }
    let part = |(index, slot): (u32, &Slot)| {
        (slot.key.map_or(Step::Index(index), Step::Key), slot.value)
    };
    (0..).zip(tree.slots(node).iter()).map(part).collect()
}

/// Returns the children of a collection: as they are written, or as `expands` has it with
/// the entries that a `<<` provides.
pub(super) fn children(tree: &Tree, node: NodeId, expands: bool) -> Vec<Child> {
    if expands && tree.kind(node) == Kind::Mapping {
        return tree.pairs(node).into_iter().map(|(key, _)| Child::Entry(key)).collect();
    }
    let slots = tree.slots(node);
    let child = |(index, slot): (u32, &Slot)| match slot.key {
        Some(key) if tree.is_merge(slot) => Child::MergeKey(key, slot.value),
        Some(key) => Child::Entry(key),
        None => Child::Item(index),
    };
    (0..).zip(slots.iter()).map(child).collect()
}
