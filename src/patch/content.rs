//! The value that an op puts somewhere.

use crate::node::NodeId;
use crate::target::Target;

/// The value that an op puts somewhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// As the patch has it.
    Written(NodeId),
    /// A copy of the value at another place.
    Copied(Target),
    /// The value at another place, from which it is removed first.
    Moved(Target),
}

impl Content {
    /// Returns the same content in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(self, by: u32) -> Content {
        match self {
            Content::Written(node) => Content::Written(node.shifted(by)),
            Content::Copied(_) | Content::Moved(_) => self,
        }
    }
}
