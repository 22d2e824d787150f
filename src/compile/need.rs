//! The results that linking depends on.

use super::index::{DirectiveId, Referent};
use super::places::PlaceId;
use crate::node::NodeId;

/// A result that linking depends on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    Root,
    /// The expansion of a node at a place, for a directive.
    Expand(Referent, PlaceId, DirectiveId),
    /// The referents of a directive whose mapping lands at a place.
    Locate(DirectiveId, PlaceId),
}

impl Need {
    /// Returns the directive that the result is for.
    pub(super) fn directive(&self) -> Option<DirectiveId> {
        match *self {
            Need::Root => None,
            Need::Expand(_, _, id) | Need::Locate(id, _) => Some(id),
        }
    }
}

/// The subject of a need. An expansion depends on itself at any place: at each level of a
/// cycle it would land one place deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Expand(NodeId, bool),
    Locate(DirectiveId, PlaceId),
}
