//! One effect, with its cause and the place its value came from.

use crate::node::{Effect, OpId, Path};

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The op of this number in the history of the document.
    Op(OpId),
    /// The values of variables.
    Variables,
    /// Templates and expressions.
    Templates,
}

/// An effect with its cause.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub cause: Cause,
    pub effect: Effect,
    /// The place from which its value was moved or copied.
    pub source: Option<ChangeSource>,
}

/// The place from which a change took its value.
#[derive(Clone, Debug)]
pub(super) struct ChangeSource {
    /// The way from the place of the change to that of the value, through what the same op
    /// has made.
    pub below: Path,
    pub place: PastPlace,
    /// True if the value is not there any more.
    pub is_moved: bool,
}

/// A place at a moment: after that many changes.
#[derive(Clone, Debug)]
pub(super) struct PastPlace {
    pub root: usize,
    pub path: Path,
    pub moment: usize,
}
