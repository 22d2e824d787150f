//! The orders of the items of lists, as they were.

use std::collections::HashMap;

use super::changes::Changes;
use crate::node::Tree;

/// Maximum number of orders of items that are kept: one serves all items of a list.
const MAX_ORDERS: usize = 16;

/// The slots of a list in order, and their positions.
pub(super) struct Order {
    pub slots: Vec<u32>,
    pub positions: HashMap<u32, u32>,
}

/// The orders of items that were last asked for.
pub(super) struct Orders<'h> {
    tree: &'h Tree,
    changes: &'h Changes,
    /// By list and moment.
    known: Vec<((u32, usize), Order)>,
}

impl<'h> Orders<'h> {
    pub(super) fn new(tree: &'h Tree, changes: &'h Changes) -> Orders<'h> {
        Orders { tree, changes, known: Vec::new() }
    }

    /// Returns the slots of an opened collection at a moment, in order.
    pub(super) fn get(&mut self, id: u32, moment: usize) -> &Order {
        let known = self.known.iter().position(|(of, _)| *of == (id, moment));
        let at = known.unwrap_or_else(|| {
            if self.known.len() == MAX_ORDERS {
                self.known.remove(0);
            }
            let slots = self.changes.order(self.tree, id, moment);
            let positions = slots.iter().copied().zip(0..).collect();
            self.known.push(((id, moment), Order { slots, positions }));
            self.known.len() - 1
        });
        &self.known[at].1
    }
}
