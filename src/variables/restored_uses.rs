//! What an edit left of the variables of a document.

use crate::node::NodeId;

/// The `((names))` of a document in an edited copy of what it was filled in to.
#[derive(Debug, Default)]
pub struct RestoredUses {
    /// True if one has the value that it was filled in with.
    pub is_any_kept: bool,
    /// The written texts in whose place the copy has a value without their names.
    pub replaced: Vec<NodeId>,
}
