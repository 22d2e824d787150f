//! The style of new values: as they were given, or that of their neighbours.

use std::collections::HashMap;

use crate::arena::Style;
use crate::node::{Body, NodeId, Tree};
use crate::source::FileId;

#[derive(Clone)]
pub(super) struct ValueStyle {
    /// True if new values take the style of their neighbours.
    restyles: bool,
    /// The file that whiteouts and nullouts are copied from.
    pub markers: FileId,
    /// The given node of each filled-in node of the edited document.
    pub given: HashMap<NodeId, NodeId>,
    file: FileId,
}

impl ValueStyle {
    /// A text that is all one flow collection, as JSON is, has no style to keep.
    // JSON has no style to keep. With aliases it is YAML in flow style.
    pub(super) fn new(edited: &Tree, view: &Tree, markers: FileId) -> ValueStyle {
        let (arena, file) = (edited.base(), edited.file());
        let flow = arena.sections().iter().all(|section| {
            matches!(arena.style(section.root), Style::FlowMapping | Style::FlowSequence)
        });
        let mut given = HashMap::new();
        for opened in view.opened_nodes() {
            let Some((from, _)) = opened.origin() else { continue };
            let slots = match opened.body() {
                Body::Sequence(slots) | Body::Mapping(slots) if from == file => slots,
                _ => continue,
            };
            for slot in slots.iter() {
                let Some(was) = slot.was else { continue };
                let value = if slot.key.is_some() { arena.next(was) } else { was };
                let key = slot.key.map(|key| (key, was));
                for (node, was) in key.into_iter().chain([(slot.value, value)]) {
                    if node != NodeId::Clean(file, was) {
                        given.insert(node, NodeId::Clean(file, was));
                    }
                }
            }
        }
        let restyles = flow && arena.aliases().is_empty();
        ValueStyle { restyles, markers, given, file }
    }

    /// Returns the node of the edited document that `node` was given as.
    pub(super) fn written(&self, node: NodeId) -> Option<NodeId> {
        match (node, self.given.get(&node)) {
            (_, Some(&given)) => Some(given),
            (NodeId::Clean(file, _), None) if file == self.file => Some(node),
            _ => None,
        }
    }

    pub(super) fn restyles(&self) -> bool {
        self.restyles
    }
}
