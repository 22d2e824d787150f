//! The places that inherited values come from.

use hashbrown::HashMap;

use super::source_pointer::SourcePointer;
use crate::node::{NodeId, Tree};
use crate::scalar::Scalar;

/// The places of the inherited values that were met, by their nodes. A node that comes from
/// several places has the last one that was met.
#[derive(Default)]
pub(super) struct InheritedOrigins {
    origins: HashMap<NodeId, Origin>,
}

enum Origin {
    /// The value of a directive.
    Import(SourcePointer),
    /// An entry of an inherited mapping: the mapping, and the key.
    Entry(NodeId, NodeId),
}

impl InheritedOrigins {
    /// Records the pointer to an imported value.
    pub(super) fn add_import(&mut self, value: NodeId, pointer: SourcePointer) {
        self.origins.insert(value, Origin::Import(pointer));
    }

    /// Records the mapping and the key of an inherited value.
    pub(super) fn add_entry(&mut self, value: NodeId, mapping: NodeId, key: NodeId) {
        self.origins.insert(value, Origin::Entry(mapping, key));
    }

    /// Returns the pointer to an inherited value; `None` if no directive can name it.
    pub(super) fn pointer(
        &self,
        document: &Tree,
        value: NodeId,
    ) -> Option<SourcePointer> {
        let (mut at, mut tokens) = (value, Vec::new());
        let pointer = loop {
            match self.origins.get(&at)? {
                Origin::Import(pointer) => break pointer.clone(),
                Origin::Entry(mapping, key) => {
                    let Scalar::String(token) = document.scalar(*key) else {
                        return None;
                    };
                    tokens.push(token);
                    at = *mapping;
                }
            }
        };
        let tokens = tokens.iter().rev();
        Some(tokens.fold(pointer, |pointer, token| pointer.child(token)))
    }
}
