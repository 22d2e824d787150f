//! The entries of many layers by their keys.

use hashbrown::HashMap;

use super::inherited_entry::InheritedEntry;
use crate::compare::EntryKey;
use crate::compare::MappingIndex;
use crate::node::NodeId;

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
            same.push(InheritedEntry::new(layer, entry));
        }
    }

    /// Returns the entries with a key, the weakest first.
    pub(super) fn get(&self, key: &EntryKey<'a>) -> &[InheritedEntry] {
        self.0.get(key).map_or(&[], |entries| entries)
    }
}
