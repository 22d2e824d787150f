//! Places: the documents that a patch reaches, and where the target of an op led in an
//! opened tree.

use std::collections::BTreeSet;

use crate::node::{Kind, NodeId, OpId, Path, Seat, Slot, Step, Tree};
use crate::patch::Op;

/// A place at which an op puts a value.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A document, an entry or an item that exists.
    Seat(Seat),
    /// A key that an opened mapping does not have.
    Entry { mapping: u32, key: String },
    /// A place between the items of an opened list.
    Gap { list: u32, position: usize },
}

impl Place {
    /// Puts a value at the place. Returns its seat.
    pub(super) fn put(
        self,
        document: &mut Tree,
        value: NodeId,
        by: Option<OpId>,
    ) -> Seat {
        match self {
            Place::Seat(seat) => {
                document.set_at(seat, value, by);
                seat
            }
            Place::Entry { mapping, key } => {
                Seat::Slot(mapping, document.insert_entry(mapping, &key, value, by))
            }
            Place::Gap { list, position } => {
                Seat::Slot(list, document.insert_item(list, position, value, by))
            }
        }
    }
}

/// Returns the seat to which steps lead, with all collections on the way opened.
pub(crate) fn locate(document: &mut Tree, path: &Path, root: usize) -> Option<Seat> {
    let mut seat = Seat::Root(root);
    for &step in path {
        let around = seat;
        let id = document.open(seat, true)?;
        seat = match (step, document.kind(NodeId::Opened(id))) {
            (Step::Key(key), Kind::Mapping) => {
                let seat = document.entry_of(id, key)?;
                note_change(document, around);
                seat
            }
            (Step::Index(at), Kind::Sequence) => {
                Seat::Slot(id, document.children(id).at(at as usize)?)
            }
            _ => return None,
        };
    }
    Some(seat)
}

/// Returns the entry or item to which steps lead, and the collection that has it; `None` for
/// a root. Nothing is opened.
pub(super) fn entry(
    document: &Tree,
    path: &Path,
    root: NodeId,
) -> Option<(NodeId, Slot)> {
    let mut found: Option<(NodeId, Slot)> = None;
    for step in path {
        let of = document.follow(found.map_or(root, |(_, slot)| slot.value));
        let slots = document.slots(of);
        let slot = match step {
            Step::Index(index) => *slots.get(*index as usize)?,
            Step::Key(key) => {
                let pairs = document.pairs(of);
                let is_same =
                    |pair: &&(NodeId, NodeId)| document.is_same_key(pair.0, *key);
                let &(key, value) = pairs.iter().find(is_same)?;
                let own = slots.iter().find(|slot| slot.key == Some(key));
                // An entry of a merge key stands in another mapping.
                own.copied().unwrap_or(Slot::new(Some(key), value, None))
            }
        };
        found = Some((of, slot));
    }
    found
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
