//! The collections around a node.

use super::change::Change;

/// A collection around a node, with the index of the next one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub parent: Option<usize>,
    pub change: Change,
}
