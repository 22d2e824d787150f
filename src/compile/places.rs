//! The places in the result of linking, and the needs that wait for them.

use std::iter::successors;

use hashbrown::HashMap;

use super::index::{DirectiveId, Referent};
use crate::node::{NodeId, Path, Step};

/// The number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceId(u32);

/// Places in the result: paths from the root, each known by a number.
#[derive(Debug, Default)]
pub(super) struct NodePlaces {
    /// The place around each place and the step from there. Place 0, the root, has none,
    /// so that the others are numbered from 1.
    steps: Vec<(PlaceId, Step)>,
    ids: HashMap<(PlaceId, Step), PlaceId>,
}

impl NodePlaces {
    /// The root of the result.
    pub(super) const ROOT: PlaceId = PlaceId(0);

    /// Returns the place one step below.
    pub(super) fn child(&mut self, place: PlaceId, step: Step) -> PlaceId {
        *self.ids.entry((place, step)).or_insert_with(|| {
            self.steps.push((place, step));
            PlaceId(self.steps.len() as u32)
        })
    }

    /// Returns the place that many steps above, or the root.
    pub(super) fn above(&self, place: PlaceId, steps: u32) -> PlaceId {
        let last = self.way_up(place).take(steps as usize).last();
        last.map_or(place, |(around, _)| around)
    }

    /// Returns the steps from the root.
    pub(super) fn path(&self, place: PlaceId) -> Path {
        let mut path: Path = self.way_up(place).map(|(_, step)| step).collect();
        path.reverse();
        path
    }

    /// Returns the places around a place, each with the step from there.
    fn way_up(&self, place: PlaceId) -> impl Iterator<Item = (PlaceId, Step)> {
        successors(self.around(place), |(place, _)| self.around(*place))
    }

    fn around(&self, place: PlaceId) -> Option<(PlaceId, Step)> {
        self.steps.get((place.0 as usize).checked_sub(1)?).copied()
    }
}

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
