//! The keys that a mapping has of its own, and the places of new ones among them.

use hashbrown::HashMap;

use crate::compare::EntryKey;
use crate::compare::MappingEntry;
use crate::node::{SlotId, Slots};

/// The slots of a mapping that is written, by their keys.
#[derive(Default)]
pub(super) struct OwnEntries<'a> {
    pub slots: HashMap<EntryKey<'a>, SlotId>,
    /// True if the order of the edited entries tells where a new one stands.
    pub in_order: bool,
}

impl<'a> OwnEntries<'a> {
    /// Returns the position of the new entry `edited[at]` among `slots`: behind the nearest
    /// of the edited entries before it that is written, else before the nearest one behind
    /// it.
    pub(super) fn position_of_new(
        &self,
        slots: &Slots,
        edited: &[MappingEntry<'a>],
        at: usize,
    ) -> usize {
        let written = |entry: &MappingEntry<'a>| {
            let slot = self.slots.get(&entry.key).filter(|&&slot| slots.holds(slot));
            slot.map(|&slot| slots.position(slot))
        };
        if !self.in_order {
            return slots.len();
        }
        let before = edited[..at].iter().rev().find_map(written);
        let after = || edited[at + 1..].iter().find_map(written);
        before.map(|at| at + 1).or_else(after).unwrap_or(slots.len())
    }
}
