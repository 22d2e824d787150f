//! The nodes of one value in three texts.

use crate::arena::Index;

/// The nodes of the same value.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchedNodes {
    /// The node in the saved document; `None` if the value is inherited.
    pub saved: Option<Index>,
    pub expanded: Index,
    pub edited: Index,
}
