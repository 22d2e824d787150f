//! Entries of opened mappings whose keys are of any type.

use super::index::Lookup;
use super::{Body, Document, Node, Slot, SlotId};
use crate::scalar::Scalar;

impl Document {
    /// A new scalar.
    pub(crate) fn new_scalar(&mut self, scalar: Scalar<'static>) -> Node {
        Node::Opened(self.push(None, Body::Scalar(scalar)))
    }

    /// Adds an entry at the end of opened mapping `id`.
    pub(crate) fn push_entry(&mut self, id: u32, key: Node, value: Node) {
        let slot = Slot { was: None, key: Some(key), value, by: None };
        let end = self.children(id).len();
        self.opened[id as usize].lookup = Lookup::default();
        self.children_mut(id).insert(end, slot);
    }

    /// Removes a slot of an opened collection.
    pub(crate) fn remove_slot(&mut self, id: u32, at: SlotId) {
        self.opened[id as usize].lookup = Lookup::default();
        self.children_mut(id).remove(at);
    }
}
