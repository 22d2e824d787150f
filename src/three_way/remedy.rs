//! Edits that turn the result with ours at a conflict into the one with theirs.

use hashbrown::HashMap;

use super::comments::{give, owned_comments};
use crate::node::{NodeId, Seat, SlotId, Tree};

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
            // What an earlier remedy removed is not changed.
            if !remedy.is_there(tree) {
                continue;
            }
            match mark {
                Some(mark) => remedy.mark(tree, mark),
                None => remedy.apply(tree),
            }
        }
    }

    /// Returns true if the place of an edit is still there.
    fn is_there(self, tree: &Tree) -> bool {
        let seat = match self {
            Remedy::Replace(seat, _) | Remedy::ReplaceEntry { seat, .. } => seat,
            Remedy::RemoveItem(id, at) => Seat::Slot(id, at),
            // An entry is found by its key, and an insertion has made its place.
            Remedy::RemoveEntry(..) | Remedy::Insert { .. } => return true,
        };
        match seat {
            Seat::Slot(id, at) => tree.children(id).holds(at),
            Seat::Root(_) | Seat::Detached(_) => true,
        }
    }

    fn apply(self, tree: &mut Tree) {
        match self {
            Remedy::Replace(seat, node) => tree.set_at(seat, node, None),
            Remedy::ReplaceEntry { seat, key, value } => {
                tree.retag_key(seat, key);
                tree.set_at(seat, value, None);
            }
            Remedy::RemoveEntry(id, key) => tree.remove_entry_of(id, key),
            Remedy::RemoveItem(id, at) => tree.remove_item(id, at),
            Remedy::Insert { .. } => {}
        }
    }

    fn mark(self, tree: &mut Tree, mark: &str) {
        let seat = match self {
            Remedy::Replace(seat, _) | Remedy::ReplaceEntry { seat, .. } => Some(seat),
            Remedy::RemoveEntry(id, key) => tree.entry_of(id, key),
            Remedy::RemoveItem(id, at) => Some(Seat::Slot(id, at)),
            Remedy::Insert { .. } => None,
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
