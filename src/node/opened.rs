//! A node that an edit opened or made.

use super::lookup::Lookup;
use super::slots::{SlotId, Slots};
use crate::arena::Index;
use crate::scalar::Scalar;
use crate::source::FileId;

/// A node that an edit opened or made.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The written node it was opened from, which has its style, comments and anchor.
    pub(super) was: Option<(FileId, Index)>,
    /// The written node whose tag it has, or the lack of one.
    pub(super) tagged_as: Option<(FileId, Index)>,
    pub(super) body: Body,
    /// The entries with the key `<<`, in order.
    pub(super) merges: Vec<SlotId>,
    pub(super) lookup: Lookup,
}

impl Opened {
    pub(crate) fn origin(&self) -> Option<(FileId, Index)> {
        self.was
    }

    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// Returns the same node in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(&self, by: u32) -> Opened {
        let body = match &self.body {
            Body::Scalar(scalar) => Body::Scalar(scalar.clone()),
            Body::Sequence(slots) => Body::Sequence(slots.shifted(by)),
            Body::Mapping(slots) => Body::Mapping(slots.shifted(by)),
        };
        let merges = self.merges.clone();
        Opened { body, merges, lookup: Lookup::default(), ..*self }
    }
}

/// The content of an opened node.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Scalar(Scalar<'static>),
    Sequence(Slots),
    Mapping(Slots),
}

/// The kind of a node, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `text`
    Scalar,
    /// `[a]`
    Sequence,
    /// `{a: b}`
    Mapping,
}
