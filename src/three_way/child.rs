//! An entry or an item of a merged collection, in the versions that have it.

use crate::node::{NodeId, SlotId};

/// An entry or an item of a merged collection, in the versions that have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The key or item that it begins with in each version.
    pub first: [Option<NodeId>; 3],
    /// Its place in the result; `None` if it is not there.
    pub slot: Option<SlotId>,
}
