//! The comments that an entry owns, merged entry by entry.

use super::versions::{Versions, Visit};
use crate::arena::Index;
use crate::layout::Layout;
use crate::node::{
    EntryComments, NodeId, Seat, Slot, SlotId, Tree, entry_comments, takes_comments,
};

/// An entry or an item of a merged collection, in the versions that have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The key or item that it begins with in each version.
    pub first: [Option<NodeId>; 3],
    /// Its place in the result; `None` if it is not there.
    pub slot: Option<SlotId>,
}

/// Gives an entry of ours what only theirs changed: the comment on its line, the deeper lines
/// below it and, with `takes_leading`, the comments above it.
pub(super) fn merge_owned(
    versions: &mut Versions<'_>,
    visit: Visit,
    id: u32,
    child: Child,
    takes_leading: bool,
) {
    let (Some(at), [_, Some(_), Some(_)]) = (child.slot, child.first) else { return };
    let of = visit.nodes();
    let [base, ours, theirs] = [0, 1, 2].map(|side| {
        let place = of[side].zip(child.first[side]);
        let owned = place.map(|(of, first)| owned_comments(versions.tree, of, first));
        owned.unwrap_or_default()
    });
    let leading = changed([base.leading, ours.leading, theirs.leading]);
    let new = EntryComments {
        trailing: changed([base.trailing, ours.trailing, theirs.trailing]),
        leading: leading.filter(|_| takes_leading),
        gap: None,
        dangling: changed([base.dangling, ours.dangling, theirs.dangling]),
    };
    give(&mut versions.ours, id, at, new);
}

/// Gives comments to an entry that can have some.
pub(super) fn give(tree: &mut Tree, id: u32, at: SlotId, new: EntryComments) {
    if takes_comments(tree, NodeId::Opened(id), tree.children(id).get(at)) {
        tree.give_comments(Seat::Slot(id, at), new);
    }
}

/// Returns what theirs has, if only theirs changed it.
fn changed([base, ours, theirs]: [Option<Box<str>>; 3]) -> Option<Box<str>> {
    let is_same = |a: &Option<Box<str>>, b: &Option<Box<str>>| trimmed(a) == trimmed(b);
    let is_changed = !is_same(&base, &theirs) && is_same(&base, &ours);
    is_changed.then(|| theirs.unwrap_or_default())
}

fn trimmed(text: &Option<Box<str>>) -> &str {
    text.as_deref().unwrap_or_default().trim()
}

/// Returns the comments that an entry of a written collection owns.
pub(super) fn owned_comments(tree: &Tree, of: NodeId, first: NodeId) -> EntryComments {
    let NodeId::Clean(_, i) = first else { return EntryComments::default() };
    if !is_written_in(tree, of, first) {
        return EntryComments::default();
    }
    let slot = Slot { was: Some(i), ..Slot::new(None, first, None) };
    let dangling = dangling(tree, of, i);
    EntryComments { dangling, ..entry_comments(tree, of, &slot) }
}

/// Returns the deeper lines below an entry. Those below a block collection belong to that.
fn dangling(tree: &Tree, of: NodeId, first: Index) -> Option<Box<str>> {
    let NodeId::Clean(file, of) = of else { return None };
    let layout = Layout { arena: tree.arena(file) };
    let entry = layout.entry(of, first);
    if layout.style(entry.value).is_block_collection() {
        return None;
    }
    let lines = layout.parts(of, &entry).dangling;
    (!lines.is_empty()).then(|| layout.slice(lines.start, lines.end).into())
}

/// Returns true if a key or item is written in a collection. An entry from `<<` is not, and
/// not what an alias stands for.
pub(super) fn is_written_in(tree: &Tree, of: NodeId, first: NodeId) -> bool {
    let (NodeId::Clean(file, around), NodeId::Clean(in_file, i)) = (of, first) else {
        return false;
    };
    file == in_file && (around..tree.arena(file).next(around)).contains(&i)
}
