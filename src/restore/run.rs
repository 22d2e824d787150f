//! A run of nodes that are the same in two texts.

use crate::arena::Index;
use crate::source::FileId;

/// A node of a written text.
type Place = (FileId, Index);

/// Nodes of two written collections, from their first nodes on, that are the same.
#[derive(Default)]
pub(super) struct Run {
    /// The two collections.
    pub first: Option<(Place, Place)>,
    /// The number of nodes that are the same.
    pub same: Index,
}

impl Run {
    /// Returns the number of nodes that are the same from two places in the run on; `None`
    /// for other places.
    // The children of a collection are looked at in their order: what was found out for the
    // collection need not be found out again for them, so that the work is linear.
    pub(super) fn known(&self, a: Place, b: Place) -> Option<Index> {
        let (x, y) = self.first?;
        let shift = a.1.checked_sub(x.1)?;
        let is_inside = (a.0, b.0) == (x.0, y.0) && b.1.checked_sub(y.1)? == shift;
        (is_inside && shift < self.same).then(|| self.same - shift)
    }
}
