//! The children of collections, with an index: the same collection is searched for each of its
//! children.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::changes::digest;
use crate::node::{Kind, NodeId, Slot, Step, Tree};

/// The children of one collection.
#[derive(Debug, Default)]
struct IndexedChildren {
    /// Keys and values by the digest of the key.
    entries: HashMap<u64, Vec<(NodeId, NodeId)>>,
    items: Vec<NodeId>,
    /// The sources of the keys `<<`, as they are written: the strongest first.
    sources: Vec<NodeId>,
    /// The keys of the mapping itself, if it merges others.
    own: HashSet<NodeId>,
}

/// The children of the collections that were searched.
#[derive(Debug, Default)]
pub(super) struct CollectionIndex(HashMap<NodeId, Rc<IndexedChildren>>);

impl CollectionIndex {
    /// Returns the value of a key of a mapping.
    pub(super) fn value(
        &mut self,
        tree: &Tree,
        mapping: NodeId,
        key: NodeId,
    ) -> Option<NodeId> {
        self.children(tree, mapping).entry(tree, key).map(|(_, value)| value)
    }

    /// Returns the source of a `<<` that provides the entry of a key, unless an own one of the
    /// mapping overrides it.
    pub(super) fn source(
        &mut self,
        tree: &Tree,
        mapping: NodeId,
        key: NodeId,
    ) -> Option<NodeId> {
        let children = self.children(tree, mapping);
        let (found, _) = children.entry(tree, key)?;
        if children.own.contains(&found) {
            return None;
        }
        self.overridden_source(tree, mapping, key)
    }

    /// Returns the source of a `<<` that provides the entry of a key, or would without an own
    /// one of the mapping.
    pub(super) fn overridden_source(
        &mut self,
        tree: &Tree,
        mapping: NodeId,
        key: NodeId,
    ) -> Option<NodeId> {
        if tree.kind(mapping) != Kind::Mapping {
            return None;
        }
        let children = self.children(tree, mapping);
        let mut sources = children.sources.iter().copied();
        sources.find(|&source| self.value(tree, source, key).is_some())
    }

    /// Returns an item of a sequence.
    pub(super) fn item(
        &mut self,
        tree: &Tree,
        sequence: NodeId,
        index: u32,
    ) -> Option<NodeId> {
        self.children(tree, sequence).items.get(index as usize).copied()
    }

    fn children(&mut self, tree: &Tree, node: NodeId) -> Rc<IndexedChildren> {
        let node = tree.follow(node);
        let children = self.0.entry(node).or_insert_with(|| {
            let mut entries: HashMap<u64, Vec<_>> = HashMap::new();
            for (key, value) in tree.pairs(node) {
                entries.entry(digest(tree, key)).or_default().push((key, value));
            }
            let slots = tree.slots(node);
            let merges = slots.iter().rev().filter(|slot| tree.is_merge(slot));
            let sources: Vec<NodeId> =
                merges.flat_map(|slot| sources_of(tree, slot.value)).collect();
            let merging = if sources.is_empty() { &[] } else { &*slots };
            let own = merging.iter().filter_map(|slot| slot.key).collect();
            Rc::new(IndexedChildren { entries, items: tree.items(node), sources, own })
        });
        children.clone()
    }
}

impl IndexedChildren {
    /// Returns the entry of a key.
    fn entry(&self, tree: &Tree, key: NodeId) -> Option<(NodeId, NodeId)> {
        let mut found = self.entries.get(&digest(tree, key))?.iter();
        found.find(|(other, _)| tree.is_same_key(*other, key)).copied()
    }
}

/// Returns what the value of a `<<` names, as it is written.
fn sources_of(tree: &Tree, value: NodeId) -> Vec<NodeId> {
    match tree.kind(value) {
        Kind::Sequence => tree.slots(value).iter().map(|slot| slot.value).collect(),
        Kind::Mapping => vec![value],
        Kind::Scalar => Vec::new(),
    }
}

/// A child of a collection.
#[derive(Clone, Copy)]
pub(super) struct CollectionChild {
    pub step: Step,
    pub node: NodeId,
    /// True for the key `<<` with its value.
    pub is_merge: bool,
}

/// Returns the children of a collection: as they are written, or as `expands` has it with the
/// entries that a `<<` provides.
pub(super) fn children(tree: &Tree, node: NodeId, expands: bool) -> Vec<CollectionChild> {
    if expands && tree.kind(node) == Kind::Mapping {
        let pairs = tree.pairs(node).into_iter();
        return pairs
            .map(|(key, node)| CollectionChild {
                step: Step::Key(key),
                node,
                is_merge: false,
            })
            .collect();
    }
    let child = |(index, slot): (u32, &Slot)| {
        let step = slot.key.map_or(Step::Index(index), Step::Key);
        CollectionChild { step, node: slot.value, is_merge: tree.is_merge(slot) }
    };
    (0..).zip(tree.slots(node).iter()).map(child).collect()
}
