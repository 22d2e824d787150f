//! The entries that two mappings have in common.

use super::values::Values;
use crate::node::NodeId;

/// The numbers of entries that two mappings have in common.
pub(super) struct Overlap {
    /// Keys of both.
    pub shared: u32,
    /// Keys of both with equal values.
    pub equal: u32,
    /// Keys of the larger one, at least one.
    pub all: u32,
}

impl Overlap {
    /// Compares two mappings by up to `most` of their entries.
    pub(super) fn of(
        values: &mut Values<'_>,
        view: NodeId,
        new: NodeId,
        most: usize,
    ) -> Overlap {
        let (view, new) = (values.entries(view), values.entries(new));
        let (mut shared, mut equal) = (0, 0);
        for entry in view.list.iter().take(most) {
            let Some(other) = new.get(&entry.key) else { continue };
            let classes = [entry.value, other].map(|it| values.class(it));
            shared += 1;
            equal += u32::from(classes[0] == classes[1]);
        }
        let all = view.list.len().max(new.list.len()).clamp(1, most.max(1)) as u32;
        Overlap { shared, equal, all }
    }
}
