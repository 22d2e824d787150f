//! The items of a list while a patch is made.

use crate::eval::python::{Result, charge_steps};

/// The items that a list has at some point of a patch, in their order. An operation refers to
/// an item by its number, because indices change when an earlier operation becomes a move.
#[derive(Default)]
pub(super) struct PatchedArray(Vec<PatchedItem>);

struct PatchedItem {
    number: usize,
    is_present: bool,
    /// True if the list had it from the start.
    is_initial: bool,
}

impl PatchedArray {
    /// Returns the number of the item at an index. Items of the source that no operation met
    /// before get numbers from `next`.
    pub(super) fn at(&mut self, index: usize, next: &mut usize) -> Result<usize> {
        let mut left = index;
        charge_steps(self.0.len())?;
        for item in self.0.iter().filter(|item| item.is_present) {
            if left == 0 {
                return Ok(item.number);
            }
            left -= 1;
        }
        charge_steps(left)?;
        for _ in 0..left {
            self.add(self.0.len(), true, next);
        }
        Ok(self.add(self.0.len(), true, next))
    }

    /// Inserts an item at an index, directly behind the one before it.
    pub(super) fn insert(&mut self, index: usize, next: &mut usize) -> Result<usize> {
        let Some(before) = index.checked_sub(1) else {
            return Ok(self.add(0, false, next));
        };
        let before = self.at(before, next)?;
        let place = self.0.iter().position(|item| item.number == before);
        let place = place.map_or(self.0.len(), |place| place + 1);
        Ok(self.add(place, false, next))
    }

    fn add(&mut self, place: usize, is_initial: bool, next: &mut usize) -> usize {
        let number = *next;
        *next += 1;
        self.0.insert(place, PatchedItem { number, is_present: true, is_initial });
        number
    }

    /// Returns the index that an item has, or would have if it was there.
    pub(super) fn index(&self, number: usize) -> Result<usize> {
        charge_steps(self.0.len())?;
        let before = self.0.iter().take_while(|item| item.number != number);
        Ok(before.filter(|item| item.is_present).count())
    }

    pub(super) fn set_present(&mut self, number: usize, is_present: bool) -> Result<()> {
        charge_steps(self.0.len())?;
        if let Some(item) = self.0.iter_mut().find(|item| item.number == number) {
            item.is_present = is_present;
        }
        Ok(())
    }

    /// Returns to the items of the source.
    pub(super) fn reset(&mut self) {
        for item in &mut self.0 {
            item.is_present = item.is_initial;
        }
    }
}
