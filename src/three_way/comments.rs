//! The comments of the entries of three versions.

use hashbrown::HashSet;

use crate::node::{
    EntryComments, NodeId, Slot, Tree, entry_comments, head_comment, loose_comments,
};

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
        let Some(slot) = written_slot(tree, of, first) else {
            return VersionComments::default();
        };
        let owned = entry_comments(tree, of, &slot);
        let has_own = owned.leading.is_some();
        let head = if has_own { None } else { head_comment(tree, of, &slot) };
        VersionComments { owned, head }
    }

    /// Returns the comment at the head of the text.
    pub(super) fn head(self) -> Option<Box<str>> {
        self.head
    }

    /// Returns the comments that the entry owns.
    pub(super) fn owned(self) -> EntryComments {
        self.owned
    }

    /// Returns the comments that the entry owns as soon as it stands below another one: what
    /// was the head of the text, too.
    pub(super) fn with_head(self) -> EntryComments {
        let VersionComments { owned, head, .. } = self;
        owned.or(EntryComments { leading: head, ..Default::default() })
    }

    fn above(&self) -> Option<&str> {
        self.owned.leading.as_deref().or(self.head.as_deref())
    }
}

/// Returns the comments of theirs that only theirs changed; the others are as written.
pub(super) fn of_theirs(
    base: &VersionComments,
    ours: &VersionComments,
    theirs: &VersionComments,
) -> EntryComments {
    let beside = [base, ours, theirs].map(|version| version.owned.trailing.as_deref());
    let above = [base, ours, theirs].map(VersionComments::above);
    // The head of a text is not an entry's.
    let above = if ours.head.is_some() { None } else { one(above) };
    EntryComments { trailing: one(beside), leading: above, ..Default::default() }
}

fn one([base, ours, theirs]: [Option<&str>; 3]) -> Option<Box<str>> {
    let same = |a: Option<&str>, b: Option<&str>| a.map(str::trim) == b.map(str::trim);
    let is_changed = !same(base, theirs) && same(base, ours);
    is_changed.then(|| theirs.unwrap_or_default().into())
}

/// Returns true if only a blank line may have made the comment `above` an entry its own, or
/// not: the loose comments of theirs are not those of the base, or ours has a line of it loose.
/// Such changes are merged as lines.
///
/// `entries` has the collection and the first node of the entry in each version.
pub(super) fn may_be_loose(
    tree: &Tree,
    entries: [Option<(NodeId, NodeId)>; 3],
    above: &str,
) -> bool {
    let [base, ours, theirs] = entries.map(|entry| {
        let slot =
            entry.and_then(|(of, first)| Some((of, written_slot(tree, of, first)?)));
        slot.map(|(of, slot)| loose_comments(tree, of, &slot)).unwrap_or_default()
    });
    let in_ours: HashSet<&str> = ours.into_iter().collect();
    base != theirs || above.lines().any(|line| in_ours.contains(line))
}

/// Returns the slot of an entry that is written in a collection.
fn written_slot(tree: &Tree, of: NodeId, first: NodeId) -> Option<Slot> {
    let NodeId::Clean(_, i) = first else { return None };
    let slot = Slot { was: Some(i), ..Slot::new(None, first, None) };
    is_written_in(tree, of, first).then_some(slot)
}

/// Returns the key or item with which a written collection begins.
pub(super) fn first_of(tree: &Tree, of: NodeId) -> Option<NodeId> {
    let NodeId::Clean(file, i) = of else { return None };
    let first = NodeId::Clean(file, i + 1);
    is_written_in(tree, of, first).then_some(first)
}

/// Returns true if a key or item is written in a collection. An entry from `<<` is not, and
/// not what an alias stands for.
pub(super) fn is_written_in(tree: &Tree, of: NodeId, first: NodeId) -> bool {
    let (NodeId::Clean(file, around), NodeId::Clean(in_file, i)) = (of, first) else {
        return false;
    };
    file == in_file && (around..tree.arena(file).next(around)).contains(&i)
}
