//! The verdict on one op.

use crate::patch::Origin;

/// An op, and what becomes of it on the new document.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The number of the op in the patch.
    pub number: usize,
    /// The place it was written at; `None` if it was built in code.
    pub origin: Option<Origin>,
    /// Its target, as it was written.
    pub path: String,
    /// The effect of the new version on it.
    pub status: Status,
    /// The target that it needs on the new document, if it is known.
    pub to: Option<String>,
    /// True if nobody has to look: the op works on the new document, as it is or once
    /// [`fixed`](super::fixed) has changed it.
    pub sure: bool,
    /// True if the op is of no use any more: what it removes is gone.
    pub is_done: bool,
    /// The reason, in words.
    pub why: String,
}

/// The effect of the new version on an op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It does the same.
    #[default]
    Same,
    /// Its target is there, but held something else.
    Changed,
    /// It fails only because an op before it does.
    Follows,
    /// Its target is somewhere else.
    Moved,
    /// Its target is nowhere.
    Gone,
}

impl Status {
    /// Returns its name: `same`, `changed`, `follows`, `moved` or `gone`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Same => "same",
            Status::Changed => "changed",
            Status::Follows => "follows",
            Status::Moved => "moved",
            Status::Gone => "gone",
        }
    }
}

impl Verdict {
    /// Returns true if [`fixed`](super::fixed) changes the op.
    pub fn is_mended(&self) -> bool {
        self.sure && (self.is_done || self.to.is_some())
    }
}
