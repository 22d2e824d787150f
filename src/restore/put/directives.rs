//! The keys of directives: removed, respelled, and reported.

use super::new_values::is_quoted;
use crate::node::{NodeId, SlotId, Tree};
use crate::pointer::JsonPointer;
use crate::scalar::Scalar;

/// Changes directives of the source and records the changes.
pub(super) struct Directives<'a> {
    source: &'a Tree,
    changes: Vec<(NodeId, DirectiveChange)>,
}

impl<'a> Directives<'a> {
    pub(super) fn new(source: &'a Tree) -> Directives<'a> {
        Directives { source, changes: Vec::new() }
    }

    pub(super) fn into_changes(self) -> Vec<(NodeId, DirectiveChange)> {
        self.changes
    }

    /// Records that directives are replaced by the values they gave.
    pub(super) fn note_written_out(
        &mut self,
        keys: impl Iterator<Item = NodeId>,
        why: &str,
    ) {
        let change = DirectiveChange::WrittenOut(why.to_owned());
        self.changes.extend(keys.map(|key| (key, change.clone())));
    }

    /// Removes a directive from opened mapping `id`.
    pub(super) fn write_out(&mut self, out: &mut Tree, id: u32, key: NodeId, why: &str) {
        match directive_slot(out, id, key) {
            Some(at) => out.remove_slot(id, at),
            None => out.expand_merge_keys(id),
        }
        self.note_written_out([key].into_iter(), why);
    }

    /// Changes the pointer of a directive whose value has a new name.
    pub(super) fn respell(
        &mut self,
        out: &mut Tree,
        id: u32,
        key: NodeId,
        pointer: &[String],
    ) {
        let text = self.key_text(key);
        let head = text.split('/').next().unwrap_or_default().to_owned();
        let tokens = pointer.iter().map(|token| JsonPointer::escape(token));
        let new = tokens.fold(head, |text, token| format!("{text}/{token}"));
        self.rename(out, id, key, &new);
    }

    /// Makes a directive optional whose value is gone.
    pub(super) fn make_optional(&mut self, out: &mut Tree, id: u32, key: NodeId) {
        let text = self.key_text(key);
        self.rename(out, id, key, &text.replacen('+', "+?", 1));
    }

    fn rename(&mut self, out: &mut Tree, id: u32, key: NodeId, text: &str) {
        let Some(at) = directive_slot(out, id, key) else {
            return self.write_out(out, id, key, "what it names is gone");
        };
        let new = self.new_key(out, text, key);
        out.rename(id, at, new);
        self.changes.push((key, DirectiveChange::Renamed(text.to_owned())));
    }

    /// Returns a key that is quoted as the directive `like`.
    pub(super) fn new_key(&self, out: &mut Tree, text: &str, like: NodeId) -> NodeId {
        if is_quoted(self.source, like) {
            out.new_text_like(text, like)
        } else {
            out.new_text(text)
        }
    }

    fn key_text(&self, key: NodeId) -> String {
        match self.source.scalar(key) {
            Scalar::String(text) => text.into_owned(),
            _ => String::new(),
        }
    }
}

/// Returns the slot of a directive; `None` if it comes from `<<`.
fn directive_slot(out: &Tree, id: u32, key: NodeId) -> Option<SlotId> {
    let slots = out.children(id);
    slots.ids().find(|&at| slots.get(at).key == Some(key))
}

/// A change of a directive of the source.
#[derive(Clone)]
pub(in crate::restore) enum DirectiveChange {
    /// It is replaced by the values it gave, for the given reason.
    WrittenOut(String),
    /// Its key is written in another way.
    Renamed(String),
}
