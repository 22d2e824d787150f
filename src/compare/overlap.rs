//! The entries that two mappings have in common.

use super::value::{Side, Values};
use crate::node::NodeId;

/// The numbers of entries that two mappings have in common.
pub(crate) struct Overlap {
    /// Keys of both.
    pub shared: u32,
    /// Keys of both with equal values.
    pub equal: u32,
    /// Keys of the larger one, at least one.
    pub all: u32,
}

impl Overlap {
    /// Returns the similarity of the mappings, up to 90.
    // A common key alone is weak: many items of a kind have the same keys.
    pub(crate) fn similarity(&self) -> u32 {
        10 * self.shared / self.all + 80 * self.equal / self.all
    }

    /// Compares two mappings by up to `most` of their entries.
    pub(crate) fn of(
        values: &mut Values<'_>,
        old: NodeId,
        new: NodeId,
        most: usize,
    ) -> Overlap {
        let before = values.entries(old, Side::Old);
        let after = values.entries(new, Side::New);
        let mut overlap = Overlap { shared: 0, equal: 0, all: 0 };
        for entry in before.list.iter().take(most) {
            let Some(other) = after.get(&entry.key) else { continue };
            let was = values.class(entry.value, Side::Old);
            overlap.shared += 1;
            overlap.equal += u32::from(was == values.class(other, Side::New));
        }
        let all = before.list.len().max(after.list.len());
        overlap.all = all.clamp(1, most.max(1)) as u32;
        overlap
    }
}
