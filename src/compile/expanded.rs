//! An expansion of a node.

use crate::node::NodeId;

/// A node with its directives expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    pub node: NodeId,
    /// Number of bytes it may be printed with.
    pub size: u64,
    /// True if it would differ at another place.
    pub relative: bool,
}

impl Expanded {
    /// Returns the expansion of a node without directives.
    pub(super) fn itself(node: NodeId) -> Expanded {
        Expanded { node, size: 0, relative: false }
    }
}
