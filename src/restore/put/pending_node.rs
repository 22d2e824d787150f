//! One step of the walk through the source.

use crate::node::{NodeId, Seat};
use crate::restore::change::Change;
use crate::restore::layers::Layers;

/// A node of the source and the value that it is to expand to.
#[derive(Clone, Debug)]
pub(super) struct PendingNode {
    pub seat: Seat,
    pub source: NodeId,
    pub change: Change<NodeId>,
    /// The index of the collection around it among the ancestors.
    pub frame: Option<usize>,
    pub inherited: Layers,
    /// True if the inherited values will be others after the edit.
    pub inherits_changed: bool,
}
