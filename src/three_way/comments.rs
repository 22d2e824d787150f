//! The comments of the entries of three versions.

use crate::node::{EntryComments, NodeId, Slot, Tree};
use crate::yaml::{entry_comments, head_comment};

/// The comments of an entry in one version.
#[derive(Default)]
pub(super) struct VersionComments {
    owned: EntryComments,
    /// The comment at the head of the text, if the entry is the first one below it.
    head: Option<Box<str>>,
}

impl VersionComments {
    /// Returns the comments of the entry of a collection that begins with a key or item.
    pub(super) fn of(tree: &Tree, of: NodeId, first: NodeId) -> VersionComments {
        let owned = owned_comments(tree, of, first);
        let head = written_slot(tree, of, first);
        let head = head.filter(|_| owned.above.is_none());
        VersionComments {
            owned,
            head: head.and_then(|slot| head_comment(tree, of, &slot)),
        }
    }

    // An entry that comes to stand below another one owns what was the head of the text.
    fn above(&self) -> Option<&str> {
        self.owned.above.as_deref().or(self.head.as_deref())
    }
}

/// Returns the comments of theirs that only theirs changed; the others are as written.
pub(super) fn of_theirs(
    base: &VersionComments,
    ours: &VersionComments,
    theirs: &VersionComments,
) -> EntryComments {
    let beside = [base, ours, theirs].map(|version| version.owned.beside.as_deref());
    let above = [base, ours, theirs].map(VersionComments::above);
    // The head of a text is not an entry's.
    let above = if ours.head.is_some() { None } else { one(above) };
    EntryComments { beside: one(beside), above }
}

fn one([base, ours, theirs]: [Option<&str>; 3]) -> Option<Box<str>> {
    let same = |a: Option<&str>, b: Option<&str>| a.map(str::trim) == b.map(str::trim);
    let is_changed = !same(base, theirs) && same(base, ours);
    is_changed.then(|| theirs.unwrap_or_default().into())
}

/// Returns the slot of an entry that is written in a collection.
fn written_slot(tree: &Tree, of: NodeId, first: NodeId) -> Option<Slot> {
    let NodeId::Clean(_, i) = first else { return None };
    let slot = Slot { was: Some(i), ..Slot::new(None, first, None) };
    is_written_in(tree, of, first).then_some(slot)
}

/// Returns the comments of the entry of a written collection that begins with a key or item.
pub(super) fn owned_comments(tree: &Tree, of: NodeId, first: NodeId) -> EntryComments {
    let slot = written_slot(tree, of, first);
    slot.map(|slot| entry_comments(tree, of, &slot)).unwrap_or_default()
}

/// Returns true if a key or item is written in a collection. An entry from `<<` is not, and
/// not what an alias stands for.
pub(super) fn is_written_in(tree: &Tree, of: NodeId, first: NodeId) -> bool {
    let (NodeId::Clean(file, around), NodeId::Clean(in_file, i)) = (of, first) else {
        return false;
    };
    file == in_file && (around..tree.arena(file).next(around)).contains(&i)
}
