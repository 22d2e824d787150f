//! The entries of a mapping, in order and by their keys.

use hashbrown::HashMap;

use super::entry_key::EntryKey;
use crate::node::NodeId;

/// The entries of a mapping.
pub(super) struct MappingIndex<'a> {
    pub list: Vec<MappingEntry<'a>>,
    index: HashMap<EntryKey<'a>, usize>,
}

impl<'a> MappingIndex<'a> {
    pub(super) fn new(list: Vec<MappingEntry<'a>>) -> MappingIndex<'a> {
        let keys = list.iter().map(|entry| entry.key.clone());
        let index = keys.zip(0..).collect();
        MappingIndex { list, index }
    }

    pub(super) fn entry(&self, key: &EntryKey<'a>) -> Option<&MappingEntry<'a>> {
        self.index.get(key).map(|&at| &self.list[at])
    }

    pub(super) fn get(&self, key: &EntryKey<'a>) -> Option<NodeId> {
        self.entry(key).map(|entry| entry.value)
    }
}

/// An entry with its key as a node.
#[derive(Clone, Debug)]
pub(super) struct MappingEntry<'a> {
    pub key: EntryKey<'a>,
    pub name: NodeId,
    pub value: NodeId,
}
