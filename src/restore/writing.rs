//! The style of new values: as they were given, or that of their neighbours.

use std::collections::HashMap;

use super::edit_kind::EditKind;
use crate::arena::{Arena, Style};
use crate::node::{Body, NodeId, Tree};
use crate::source::FileId;

#[derive(Clone)]
pub(super) struct ValueStyle {
    /// True if new values take the style of their neighbours.
    restyles: bool,
    /// True if new values are spelled as they were given, whatever stood there.
    verbatim: bool,
    /// The file that whiteouts and nullouts are copied from.
    pub markers: FileId,
    /// The given node of each filled-in node of the edited document.
    pub given: HashMap<NodeId, NodeId>,
    file: FileId,
}

impl ValueStyle {
    /// Returns the style for an edit of the expansion of `source`.
    pub(super) fn new(
        (source, edited): (&Tree, &Tree),
        view: &Tree,
        markers: FileId,
        kind: EditKind,
    ) -> ValueStyle {
        let file = edited.file();
        let mut given = HashMap::new();
        for opened in view.opened_nodes() {
            let Some((from, _)) = opened.origin() else { continue };
            let slots = match opened.body() {
                Body::Sequence(slots) | Body::Mapping(slots) if from == file => slots,
                _ => continue,
            };
            for slot in slots.iter() {
                let Some(was) = slot.was else { continue };
                let value =
                    if slot.key.is_some() { edited.base().next(was) } else { was };
                let key = slot.key.map(|key| (key, was));
                for (node, was) in key.into_iter().chain([(slot.value, value)]) {
                    if node != NodeId::Clean(file, was) {
                        given.insert(node, NodeId::Clean(file, was));
                    }
                }
            }
        }
        // A dump as JSON has no style to keep, unless the source is JSON itself.
        let restyles =
            kind == EditKind::Dump && is_flow(edited.base()) && !is_flow(source.base());
        let verbatim = kind == EditKind::Text;
        ValueStyle { restyles, verbatim, markers, given, file }
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

    pub(super) fn is_verbatim(&self) -> bool {
        self.verbatim
    }
}

/// Returns true if a text is all one flow collection, as JSON is. With aliases it is YAML.
pub(super) fn is_flow(arena: &Arena) -> bool {
    let flow = arena.sections().iter().all(|section| {
        matches!(arena.style(section.root), Style::FlowMapping | Style::FlowSequence)
    });
    flow && arena.aliases().is_empty()
}
