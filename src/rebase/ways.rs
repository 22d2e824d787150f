//! The ways of a target in both documents.

use super::item_place::ItemPlace;
use super::trail::Stop;
use crate::node::NodeId;

/// The ways of a target in the old and the new document.
pub(super) struct Ways {
    pub was: Vec<Stop>,
    pub now: Vec<Stop>,
    /// The first step that finds an item by its position, and another one than before or
    /// none: its number, and the place of the item in the new document.
    pub stray: Option<(usize, ItemPlace)>,
}

impl Ways {
    /// Returns true if the target leads as far as before.
    pub(super) fn are_whole(&self) -> bool {
        self.now.len() >= self.was.len()
    }

    /// Returns the collections around the stops of a number in the two documents, whose roots are
    /// given.
    pub(super) fn around(&self, at: usize, roots: [NodeId; 2]) -> [NodeId; 2] {
        match at.checked_sub(1) {
            Some(above) => [self.was[above].node, self.now[above].node],
            None => roots,
        }
    }
}
