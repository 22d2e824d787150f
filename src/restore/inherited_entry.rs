//! An entry that a mapping inherits.

use crate::compare::MappingEntry;
use crate::node::NodeId;

/// An entry that a mapping inherits from one of its layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct InheritedEntry {
    pub layer: NodeId,
    pub name: NodeId,
    pub value: NodeId,
}

impl InheritedEntry {
    pub(super) fn new(layer: NodeId, entry: &MappingEntry<'_>) -> InheritedEntry {
        InheritedEntry { layer, name: entry.name, value: entry.value }
    }
}
