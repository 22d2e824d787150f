//! The work that is left.

use super::pending_node::PendingNode;
use crate::node::NodeId;
use crate::restore::change::Change;
use crate::restore::layers::Layers;

/// A part of the edit that is still to be written.
pub(super) enum Pending {
    Node(Box<PendingNode>),
    /// A new mapping in which the differences from inherited values are to be written.
    Override(u32, Layers, Change<NodeId>),
}
