//! The children of collections, indexed: the same collection is searched for each of its
//! children.

use std::rc::Rc;

use hashbrown::HashMap;

use crate::node::{NodeId, Tree};

/// The children of one collection.
#[derive(Debug, Default)]
struct Children {
    /// Keys and values by the digest of the key.
    entries: HashMap<u64, Vec<(NodeId, NodeId)>>,
    items: Vec<NodeId>,
}

/// The children of the collections that were searched.
#[derive(Debug, Default)]
pub(super) struct ChildIndex(HashMap<NodeId, Rc<Children>>);

impl ChildIndex {
    /// Returns the value of a key of a mapping.
    pub(super) fn value(
        &mut self,
        tree: &Tree,
        mapping: NodeId,
        key: NodeId,
    ) -> Option<NodeId> {
        let digest = tree.identity(key).map_or(0, |identity| identity.digest());
        let children = self.children(tree, mapping);
        let mut found = children.entries.get(&digest)?.iter();
        found.find(|(other, _)| tree.is_same_key(*other, key)).map(|&(_, value)| value)
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

    fn children(&mut self, tree: &Tree, node: NodeId) -> Rc<Children> {
        let node = tree.follow(node);
        let children = self.0.entry(node).or_insert_with(|| {
            let mut entries: HashMap<u64, Vec<_>> = HashMap::new();
            for (key, value) in tree.pairs(node) {
                let digest = tree.identity(key).map_or(0, |identity| identity.digest());
                entries.entry(digest).or_default().push((key, value));
            }
            Rc::new(Children { entries, items: tree.items(node) })
        });
        children.clone()
    }
}
