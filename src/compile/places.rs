//! The places in the result of linking.

use hashbrown::HashMap;

use crate::node::{Path, Step};

/// The number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceId(u32);

/// Places in the result: paths from the root, each known by a number.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The place around each place and the step from there. Place 0, the root, has none,
    /// so that the others are numbered from 1.
    steps: Vec<(PlaceId, Step)>,
    ids: HashMap<(PlaceId, Step), PlaceId>,
}

impl Places {
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
    pub(super) fn above(&self, mut place: PlaceId, steps: u32) -> PlaceId {
        for _ in 0..steps {
            let Some(&(around, _)) = self.get(place) else { break };
            place = around;
        }
        place
    }

    /// Returns the steps from the root.
    pub(super) fn path(&self, mut place: PlaceId) -> Path {
        let mut path = Vec::new();
        while let Some(&(around, step)) = self.get(place) {
            path.push(step);
            place = around;
        }
        path.reverse();
        path
    }

    fn get(&self, place: PlaceId) -> Option<&(PlaceId, Step)> {
        self.steps.get((place.0 as usize).checked_sub(1)?)
    }
}
