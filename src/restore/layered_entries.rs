//! The entries of many layers by their keys.

use hashbrown::HashMap;

use super::entry_key::EntryKey;
use super::mapping_index::MappingIndex;
use crate::node::NodeId;

/// An entry that a mapping inherits from one of its layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct InheritedEntry {
    pub layer: NodeId,
    pub name: NodeId,
    pub value: NodeId,
}

impl InheritedEntry {
    /// Returns the entry that a layer has for a key.
    pub(super) fn of<'a>(
        layer: NodeId,
        entries: &MappingIndex<'a>,
        key: &EntryKey<'a>,
    ) -> Option<InheritedEntry> {
        let entry = entries.entry(key)?;
        Some(InheritedEntry { layer, name: entry.name, value: entry.value })
    }
}

/// The entries of many layers by their keys.
#[derive(Default)]
pub(super) struct LayeredEntries<'a>(HashMap<EntryKey<'a>, Vec<InheritedEntry>>);

impl<'a> LayeredEntries<'a> {
    /// Adds the entries of a layer that is stronger than those before.
    pub(super) fn add(&mut self, layer: NodeId, entries: &MappingIndex<'a>) {
        for entry in &entries.list {
            let same = self.0.entry(entry.key.clone()).or_default();
            // Of equal keys, the last one counts.
            same.pop_if(|it| it.layer == layer);
            same.push(InheritedEntry { layer, name: entry.name, value: entry.value });
        }
    }

    /// Returns the entries with a key, the weakest first.
    pub(super) fn get(&self, key: &EntryKey<'a>) -> &[InheritedEntry] {
        self.0.get(key).map_or(&[], |entries| entries)
    }
}
