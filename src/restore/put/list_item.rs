//! The parts of a list of the source.

use crate::compare::ListPart;
use crate::node::{NodeId, SlotId};

/// An item as it is written, and the items that it stands for.
pub(super) struct ListItem {
    pub at: SlotId,
    pub source: NodeId,
    pub part: ListPart,
}
