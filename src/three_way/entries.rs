//! The children of a collection that is merged: their comments, their places in the result, and
//! the edits that turn the result with ours at a conflict into the one with theirs.

use hashbrown::{HashMap, HashSet};

use super::versions::{Versions, Visit};
use crate::arena::Index;
use crate::layout::Layout;
use crate::node::{
    EntryComments, NodeId, Seat, Slot, SlotId, Tree, entry_comments, takes_comments,
};

/// The entries or items of a collection that is merged.
pub(super) struct Entries {
    pub visit: Visit,
    /// The opened collection.
    pub id: u32,
    /// The last slot that is there.
    pub after: Option<SlotId>,
    /// Work that is left, in the order of the entries.
    pub tasks: Vec<Task>,
    /// The children of the three versions.
    pub children: Vec<MergedChild>,
    /// True if the children stand in the order of theirs.
    pub follows_theirs: bool,
}

impl Entries {
    /// Opens the collection of ours.
    pub(super) fn open(versions: &mut Versions<'_>, visit: Visit) -> Option<Entries> {
        let id = versions.open(visit)?;
        Some(Entries {
            visit,
            id,
            after: None,
            tasks: Vec::new(),
            children: Vec::new(),
            follows_theirs: false,
        })
    }

    pub(super) fn conflict(&mut self, path: Option<u32>, remedy: Remedy) {
        self.tasks.push(Task::Conflict(path, remedy));
    }

    /// Notes where a child of the three versions is in the result.
    pub(super) fn place(&mut self, first: [Option<NodeId>; 3], slot: Option<SlotId>) {
        self.children.push(MergedChild { first, slot });
    }

    /// Puts the slots of the result in an order.
    pub(super) fn reorder(&mut self, versions: &mut Versions<'_>, order: &[SlotId]) {
        let slots = versions.ours.children(self.id);
        if !slots.ids().eq(order.iter().copied()) {
            versions.ours.reorder(self.id, order);
            self.follows_theirs = true;
        }
    }

    /// Adds an entry or an item of theirs: that is a conflict if ours removed it. Returns its
    /// slot.
    pub(super) fn add(
        &mut self,
        versions: &mut Versions<'_>,
        key: Option<NodeId>,
        value: NodeId,
        conflicts: bool,
        path: Option<u32>,
    ) -> Option<SlotId> {
        let Entries { id: into, after, .. } = *self;
        let from = self.visit.theirs;
        let remedy = Remedy::Insert { into, after, key, value, from };
        if conflicts {
            self.conflict(path, remedy);
            return None;
        }
        let slot = insert(&mut versions.ours, &remedy, after);
        self.after = slot.or(after);
        slot
    }
}

/// Work that is left, the next item last.
pub(super) enum Task {
    Visit(Visit),
    Conflict(Option<u32>, Remedy),
}

/// An entry or an item of a merged collection, in the versions that have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergedChild {
    /// The key or item that it begins with in each version.
    pub first: [Option<NodeId>; 3],
    /// Its place in the result; `None` if it is not there.
    pub slot: Option<SlotId>,
}

/// Gives an entry of ours what theirs changed: the comment on its line, the deeper lines below
/// it and, with `takes_leading`, the comments above it. Of lines that both sides changed those of
/// both are there; of the comment on the line that of ours.
pub(super) fn merge_owned(
    versions: &mut Versions<'_>,
    visit: Visit,
    id: u32,
    child: MergedChild,
    takes_leading: bool,
) {
    let (Some(at), [_, Some(_), Some(_)]) = (child.slot, child.first) else { return };
    let of = visit.nodes();
    let [base, ours, theirs] = [0, 1, 2].map(|side| {
        let place = of[side].zip(child.first[side]);
        let Some((of, first)) = place else { return EntryComments::default() };
        let owned = owned_comments(versions.tree, of, first);
        // Of an entry that moved, a comment may be the head of the file in one version, and
        // its own in another one.
        let head = takes_leading.then(|| head(versions.tree, of, first)).flatten();
        EntryComments { leading: owned.leading.or(head), ..owned }
    });
    let trailing = CommentVersions([base.trailing, ours.trailing, theirs.trailing]);
    let leading = CommentVersions([base.leading, ours.leading, theirs.leading]);
    let dangling = CommentVersions([base.dangling, ours.dangling, theirs.dangling]);
    let new = EntryComments {
        trailing: trailing.changed(),
        leading: leading.merged().filter(|_| takes_leading),
        gap: None,
        dangling: dangling.merged(),
    };
    give(&mut versions.ours, id, at, new);
}

/// Gives comments to an entry that can have some.
pub(super) fn give(tree: &mut Tree, id: u32, at: SlotId, new: EntryComments) {
    if takes_comments(tree, NodeId::Opened(id), tree.children(id).get(at)) {
        tree.give_comments(Seat::Slot(id, at), new);
    }
}

/// A comment in base, ours and theirs.
struct CommentVersions([Option<Box<str>>; 3]);

impl CommentVersions {
    fn texts(&self) -> [&str; 3] {
        self.0.each_ref().map(|text| text.as_deref().unwrap_or_default().trim())
    }

    /// Returns what theirs has, if theirs changed the comment, and ours at most removed it.
    fn changed(&self) -> Option<Box<str>> {
        let [was, here, there] = self.texts();
        let is_taken = was == here || here.is_empty() && !there.is_empty();
        let [_, _, theirs] = &self.0;
        (was != there && is_taken).then(|| theirs.clone().unwrap_or_default())
    }

    /// Returns true if both sides have another comment than the base, and not the same.
    fn conflicts(&self) -> bool {
        let [was, here, there] = self.texts();
        let is_changed = was != here && was != there && here != there;
        is_changed && !here.is_empty() && !there.is_empty()
    }

    /// Returns lines with those of theirs that are new, if theirs has any that ours has not.
    fn merged(&self) -> Option<Box<str>> {
        if !self.conflicts() {
            return self.changed();
        }
        let [was, here, _] = self.texts().map(|text| text.lines().map(str::trim));
        let known: HashSet<&str> = was.chain(here).collect();
        let [_, ours, theirs] = &self.0;
        let ours = ours.as_deref()?;
        let theirs = theirs.as_deref()?.lines();
        let new: Vec<&str> = theirs.filter(|line| !known.contains(line.trim())).collect();
        (!new.is_empty()).then(|| {
            let end = if ours.ends_with('\n') { "\n" } else { "" };
            let lines = ours.lines().chain(new).collect::<Vec<&str>>();
            (lines.join("\n") + end).into()
        })
    }
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

/// Returns the comment at the head of the file that stands directly above an entry.
fn head(tree: &Tree, of: NodeId, first: NodeId) -> Option<Box<str>> {
    let (NodeId::Clean(file, of_index), NodeId::Clean(_, i)) = (of, first) else {
        return None;
    };
    if !is_written_in(tree, of, first) {
        return None;
    }
    let layout = Layout { arena: tree.arena(file) };
    let lines = layout.head_lines(&layout.entry(of_index, i)).join("\n");
    (!lines.is_empty()).then(|| lines.into())
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

/// The edit at a conflict that puts there what theirs has.
#[derive(Clone, Copy)]
pub(super) enum Remedy {
    Replace(Seat, NodeId),
    /// Replaces the key and the value of an entry.
    ReplaceEntry {
        seat: Seat,
        key: NodeId,
        value: NodeId,
    },
    /// Removes the entry with a key from an opened mapping.
    RemoveEntry(u32, NodeId),
    /// Removes an item from an opened list.
    RemoveItem(u32, SlotId),
    Insert {
        into: u32,
        /// The slot it follows; `None` at the start.
        after: Option<SlotId>,
        /// `None` for an item.
        key: Option<NodeId>,
        value: NodeId,
        /// The collection that it is in.
        from: NodeId,
    },
}

impl Remedy {
    /// Applies the edits of all conflicts. With `mark`, each place gets this text instead of
    /// what theirs has.
    pub(super) fn apply_all(remedies: &[Remedy], tree: &mut Tree, mark: Option<&str>) {
        // First what is inserted: a slot is a neighbour of others as long as it is there.
        let mut last = HashMap::new();
        for remedy in remedies {
            let Remedy::Insert { into, after, .. } = *remedy else { continue };
            let neighbour = last.get(&(into, after)).copied().or(after);
            if let Some(slot) = insert(tree, remedy, neighbour) {
                last.insert((into, after), slot);
                if let Some(mark) = mark {
                    let mark = tree.new_text(mark);
                    tree.set_at(Seat::Slot(into, slot), mark, None);
                }
            }
        }
        for remedy in remedies {
            // An entry that an earlier remedy removed is not changed.
            if let Some(Seat::Slot(id, at)) = remedy.seat()
                && !tree.children(id).holds(at)
            {
                continue;
            }
            match mark {
                Some(mark) => remedy.mark(tree, mark),
                None => remedy.apply(tree),
            }
        }
    }

    /// Returns the seat of an edit. An entry is found by its key, and an insertion has made its
    /// place.
    fn seat(self) -> Option<Seat> {
        match self {
            Remedy::Replace(seat, _) | Remedy::ReplaceEntry { seat, .. } => Some(seat),
            Remedy::RemoveItem(id, at) => Some(Seat::Slot(id, at)),
            Remedy::RemoveEntry(..) | Remedy::Insert { .. } => None,
        }
    }

    fn apply(self, tree: &mut Tree) {
        match self {
            Remedy::Replace(seat, node) => tree.set_at(seat, node, None),
            Remedy::ReplaceEntry { seat, key, value } => {
                tree.give_key(seat, key);
                tree.set_at(seat, value, None);
            }
            Remedy::RemoveEntry(id, key) => tree.remove_entry_of(id, key),
            Remedy::RemoveItem(id, at) => tree.remove_item(id, at),
            Remedy::Insert { .. } => {}
        }
    }

    fn mark(self, tree: &mut Tree, mark: &str) {
        let seat = match self {
            Remedy::RemoveEntry(id, key) => tree.entry_of(id, key),
            other => other.seat(),
        };
        if let Some(seat) = seat {
            let mark = tree.new_text(mark);
            tree.set_at(seat, mark, None);
        }
    }
}

/// Puts the value of an insertion behind a slot, with its comments. Returns its slot.
pub(super) fn insert(
    tree: &mut Tree,
    remedy: &Remedy,
    after: Option<SlotId>,
) -> Option<SlotId> {
    let &Remedy::Insert { into, key, value, from, .. } = remedy else {
        return None;
    };
    let position = after.map_or(0, |at| tree.children(into).position(at) + 1);
    let slot = match key {
        Some(key) => tree.insert_entry_at(into, position, key, value),
        None => tree.insert_item(into, position, value, None),
    };
    let comments = owned_comments(tree, from, key.unwrap_or(value));
    give(tree, into, slot, comments);
    Some(slot)
}
