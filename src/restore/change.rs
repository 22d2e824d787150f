//! A value before and after an edit.

use crate::node::NodeId;

/// A value in the expansion, and the same value in the edited copy. `N` is `NodeId` for a
/// value that the edited copy has for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change<N = Option<NodeId>> {
    /// The value in the expansion; `None` if the edit added it.
    pub was: Option<NodeId>,
    /// The value in the edited copy; `None` if the edit removed it.
    pub now: N,
}

impl Change {
    /// A place that neither of the two has.
    pub(super) const NONE: Change = Change { was: None, now: None };
}
