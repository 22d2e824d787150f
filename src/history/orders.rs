//! The orders of the items of lists, as they were.

use std::cell::OnceCell;

use hashbrown::HashMap;

use super::changes::Changes;
use crate::node::{SlotId, Tree};

/// Maximum number of orders of items that are kept: one serves all items of a list.
const MAX_ORDERS: usize = 16;

/// The slots of a list in order, and their positions.
pub(super) struct Order {
    pub slots: Vec<SlotId>,
    positions: OnceCell<HashMap<SlotId, u32>>,
}

impl Order {
    /// Returns the position of a slot.
    pub(super) fn position(&self, at: SlotId) -> Option<u32> {
        let index = || self.slots.iter().copied().zip(0..).collect();
        self.positions.get_or_init(index).get(&at).copied()
    }
}

/// The orders of items that were last asked for.
pub(super) struct Orders<'h> {
    tree: &'h Tree,
    changes: &'h Changes,
    /// The numbers of the changes of each list.
    numbers: HashMap<u32, Vec<usize>>,
    /// By list and number of changes of it; the last one was asked for last.
    known: Vec<((u32, usize), Order)>,
}

impl<'h> Orders<'h> {
    pub(super) fn new(tree: &'h Tree, changes: &'h Changes) -> Orders<'h> {
        Orders { tree, changes, numbers: HashMap::new(), known: Vec::new() }
    }

    /// Returns the slots of an opened collection at a moment, in order.
    pub(super) fn get(&mut self, id: u32, moment: usize) -> &Order {
        let numbers =
            self.numbers.entry(id).or_insert_with(|| self.changes.of_collection(id));
        let done = numbers.partition_point(|&number| number < moment);
        let known = self.known.iter().position(|(of, _)| *of == (id, done));
        let found = match known {
            Some(at) => self.known.remove(at),
            None => ((id, done), self.made(id, done)),
        };
        if self.known.len() == MAX_ORDERS {
            self.known.remove(0);
        }
        self.known.push(found);
        &self.known[self.known.len() - 1].1
    }

    /// Makes an order from the nearest one that is known.
    fn made(&self, id: u32, done: usize) -> Order {
        let numbers = &self.numbers[&id];
        let of_list = self.known.iter().filter(|((of, _), _)| *of == id);
        let nearest = of_list.min_by_key(|((_, other), _)| other.abs_diff(done));
        let (mut from, mut slots) = match nearest {
            Some(((_, other), order)) => (*other, order.slots.clone()),
            None => (numbers.len(), self.tree.children(id).ids().collect()),
        };
        while from > done {
            from -= 1;
            self.changes.undo(numbers[from], &mut slots);
        }
        while from < done {
            self.changes.redo(numbers[from], &mut slots);
            from += 1;
        }
        Order { slots, positions: OnceCell::new() }
    }
}
