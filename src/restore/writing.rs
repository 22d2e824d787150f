//! The style of new values: as they were written, or that of their neighbours.

use hashbrown::HashMap;

use super::text_edit::EditKind;
use crate::arena::Arena;
use crate::node::{Body, NodeId, Tree};
use crate::scalar::Tag;
use crate::source::FileId;

#[derive(Clone)]
pub(super) struct ValueStyle {
    /// True if new values take the style of their neighbours.
    restyles: bool,
    /// True if new values are spelled as they were written, whatever stood there.
    keeps_spelling: bool,
    /// True if a new scalar has the tag of the one that stood there: the edited text has the
    /// data only.
    keeps_tags: bool,
    /// The file that whiteouts and nullouts are copied from.
    pub markers: FileId,
    /// The node of the edited text that each filled-in node was.
    written: HashMap<NodeId, NodeId>,
    file: FileId,
}

impl ValueStyle {
    /// Returns the style for an edit of the expansion of `source`.
    pub(super) fn new(
        (source, edited): (&Tree, &Tree),
        view: &Tree,
        markers: FileId,
        (kind, tags_count): (EditKind, bool),
    ) -> ValueStyle {
        let file = edited.file();
        let mut written = HashMap::new();
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
                        written.insert(node, NodeId::Clean(file, was));
                    }
                }
            }
        }
        // A dump as JSON has no style to keep, unless the source is JSON itself.
        let is_json = is_flow(edited.base()) && !tags_count;
        let restyles = kind == EditKind::Dump && is_json && !is_flow(source.base());
        let keeps_spelling = kind == EditKind::Text;
        let keeps_tags = !keeps_spelling && !tags_count;
        ValueStyle { restyles, keeps_spelling, keeps_tags, markers, written, file }
    }

    /// Returns the node of the edited document that `node` was written as.
    pub(super) fn written(&self, node: NodeId) -> Option<NodeId> {
        match (node, self.written.get(&node)) {
            (_, Some(&written)) => Some(written),
            (NodeId::Clean(file, _), None) if file == self.file => Some(node),
            _ => None,
        }
    }

    pub(super) fn edited_file(&self) -> FileId {
        self.file
    }

    pub(super) fn keeps_tags(&self) -> bool {
        self.keeps_tags
    }

    pub(super) fn restyles(&self) -> bool {
        self.restyles
    }

    pub(super) fn keeps_spelling(&self) -> bool {
        self.keeps_spelling
    }
}

/// Returns true if the text of a document has a tag that its value does not show. Dumps of
/// the data alone have none, and say nothing about the tags of the source.
pub fn has_tags(document: &Tree) -> bool {
    document.base().tags().any(|(_, tag)| !Tag::is_shown(&tag))
}

/// Returns true if a text is all one flow collection, as JSON is. With aliases it is YAML.
pub(super) fn is_flow(arena: &Arena) -> bool {
    let mut roots = arena.sections().iter().map(|section| section.root);
    let flow = roots.all(|root| arena.style(root).is_flow());
    flow && arena.aliases().is_empty()
}
