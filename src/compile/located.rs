//! The target of a directive.

use super::index::{Referent, Segment};
use crate::node::{NodeId, Step};

/// The target of a directive.
#[derive(Clone, Debug)]
pub(super) enum Located {
    /// Its referents, the strongest first.
    Found(Vec<Referent>),
    /// Nothing, and that is no error.
    Skipped,
    Missing(Missing),
    /// Nothing, because of an error that was reported.
    Failed,
}

/// The point at which the pointer of a directive ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Missing {
    /// The last node that exists, and the segment that is missing there.
    pub reached: Option<(NodeId, Segment)>,
    /// The step to that node.
    pub step: Option<Step>,
    /// True if it is an error even for an optional directive.
    pub required: bool,
}
