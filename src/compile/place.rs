//! Places in the result: paths from the root on, each known by a number.

use std::collections::HashMap;

use crate::patch::{Path, Step};

/// The number of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceId(u32);

/// Every place that was asked about.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By number, from 1: the place around it, and the step from there.
    steps: Vec<(PlaceId, Step)>,
    ids: HashMap<(PlaceId, Step), PlaceId>,
}

impl Places {
    pub(super) const ROOT: PlaceId = PlaceId(0);

    /// The place one step further.
    pub(super) fn child(&mut self, place: PlaceId, step: Step) -> PlaceId {
        *self.ids.entry((place, step)).or_insert_with(|| {
            self.steps.push((place, step));
            PlaceId(self.steps.len() as u32)
        })
    }

    /// The place so many steps above, or the root.
    pub(super) fn above(&self, mut place: PlaceId, steps: u32) -> PlaceId {
        for _ in 0..steps {
            let Some(&(around, _)) = self.get(place) else { break };
            place = around;
        }
        place
    }

    /// The steps from the root.
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
