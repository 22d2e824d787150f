//! Places: the documents that a patch reaches, what is done at a place, and where the target
//! of an op led in an opened tree.

use std::collections::BTreeSet;

use crate::node::{NodeId, OpId, Seat, Tree};
use crate::patch::Op;

/// The purpose for which a path is followed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Purpose {
    Find,
    Replace,
    /// As `Replace`, but an index leads to the gap before its item, and the last token of a
    /// JSON Pointer may be missing.
    Add,
    Remove,
}

impl Purpose {
    /// Returns true if a value is put somewhere.
    pub(super) fn puts(self) -> bool {
        matches!(self, Purpose::Replace | Purpose::Add)
    }
}

/// A place at which an op puts a value.
#[derive(Clone, Copy)]
pub(super) enum Landing<'a> {
    /// A document, an entry or an item that exists.
    Seat(Seat),
    /// A key that an opened mapping does not have.
    Entry { mapping: u32, key: &'a str },
    /// A place between the items of an opened list.
    Gap { list: u32, position: usize },
}

impl Landing<'_> {
    /// Puts a value at the place. Returns its seat.
    pub(super) fn put(
        self,
        document: &mut Tree,
        value: NodeId,
        by: Option<OpId>,
    ) -> Seat {
        match self {
            Landing::Seat(seat) => {
                document.set_at(seat, value, by);
                seat
            }
            Landing::Entry { mapping, key } => {
                Seat::Slot(mapping, document.insert_named(mapping, key, value, by))
            }
            Landing::Gap { list, position } => {
                Seat::Slot(list, document.insert_item(list, position, value, by))
            }
        }
    }
}

/// Tells the indexes of a list that an entry of one of its items is about to change.
pub(super) fn note_change(document: &mut Tree, item: Seat) {
    document.set_at(item, document.node_at(item), None);
}

/// Removes the entry or item at a seat. Returns false for a whole document.
pub(super) fn remove(document: &mut Tree, seat: Seat) -> bool {
    let Seat::Slot(id, at) = seat else { return false };
    match document.children(id).get(at).key {
        Some(key) => document.remove_entry_of(id, key),
        None => document.remove_item(id, at),
    }
    true
}

/// The documents of a stream that a patch is applied to, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The documents that an op without a selector is applied to.
    pub default: Vec<usize>,
    /// The documents among which the selector of an op chooses.
    pub selectable: Vec<usize>,
}

impl Reach {
    /// Returns the reach of a patch for some documents, whose selectors choose among all.
    pub fn of(tree: &Tree, default: impl IntoIterator<Item = usize>) -> Reach {
        Reach {
            default: default.into_iter().collect(),
            selectable: (0..tree.roots().len()).collect(),
        }
    }

    /// Returns the reach of a patch for some documents, whose selectors choose among these.
    pub fn only(documents: Vec<usize>) -> Reach {
        Reach { selectable: documents.clone(), default: documents }
    }

    /// Returns the documents to which one of these ops may be applied.
    pub(super) fn of_ops(&self, ops: &[Op]) -> BTreeSet<usize> {
        let selects = ops.iter().any(|op| !op.only.is_empty());
        let selectable = if selects { &self.selectable[..] } else { &[] };
        self.default.iter().chain(selectable).copied().collect()
    }
}
