//! The journal of a tree: what an op changed, and where.

use hashbrown::HashMap;

use super::path::{Path, Seat, Step};
use super::slots::{NodeId, SlotId};

/// A change of one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The document of the stream.
    pub root: usize,
    /// The way to the place: to where it is after the change, or was before it was removed.
    pub path: Path,
    /// The value before; `None` if it was added.
    pub before: Option<NodeId>,
    /// The value after; `None` if it was removed.
    pub after: Option<NodeId>,
    /// True if the aliases of the value before have the one after.
    pub(crate) is_followed: bool,
    /// True if nothing comes after it in its collection.
    pub at_end: bool,
    /// The place itself, which keeps its number while others come and go.
    pub(crate) seat: Seat,
    /// The number of entries or items before it in its collection.
    pub(crate) position: usize,
    /// The ways to what was put into a value that the same op had made.
    pub inside: Vec<Path>,
}

/// The seats of opened nodes, which tell the way to a place, and the changes since the last op.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// The seats of the opened nodes.
    seats: HashMap<u32, Seat>,
    /// The opened nodes that the op has put into the tree, and their effects.
    made: HashMap<u32, usize>,
    /// The nodes that copies were made of, to be edited where they stand.
    copied: HashMap<u32, u32>,
    effects: Vec<Effect>,
    /// The number of steps that all ways together may have, and how many they have.
    most_steps: Option<usize>,
    steps: usize,
}

/// The number of steps that take as much space as an effect without its way.
// An effect has about a hundred bytes, a step 16 in a list that may be half empty.
const EFFECT_STEPS: usize = 4;

/// Returns the step from an opened collection to one of its slots.
type StepOf<'a> = &'a dyn Fn(u32, SlotId) -> Step;

impl Journal {
    /// Creates the journal of a tree with these seats of opened nodes.
    pub(super) fn new(seats: HashMap<u32, Seat>) -> Journal {
        Journal { seats, ..Journal::default() }
    }

    /// Returns the changes since the last call.
    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        self.made.clear();
        std::mem::take(&mut self.effects)
    }

    /// Bounds the number of steps that all ways together may have.
    pub(super) fn bound(&mut self, most_steps: usize) {
        self.most_steps = Some(most_steps);
    }

    /// Returns true if the ways have reached their bound, so that changes were not noted.
    pub(super) fn is_full(&self) -> bool {
        self.most_steps.is_some_and(|most| self.steps > most)
    }

    /// Notes that opened node `copy` takes the place of `node` at one of its seats.
    pub(super) fn note_copy(&mut self, node: u32, copy: u32) {
        self.copied.insert(copy, node);
    }

    /// Returns the nodes that copies were made of, by copy.
    pub(super) fn into_copied(self) -> HashMap<u32, u32> {
        self.copied
    }

    /// Notes that an opened node is at a seat.
    pub(super) fn note_seat(&mut self, seat: Seat, node: NodeId) {
        if let NodeId::Opened(id) = node {
            self.seats.insert(id, seat);
        }
    }

    /// Notes that a value was put at a seat, or removed there.
    pub(super) fn note(
        &mut self,
        seat: Seat,
        (before, after): (Option<NodeId>, Option<NodeId>),
        (position, at_end): (usize, bool),
        step: StepOf<'_>,
    ) {
        if self.is_full() {
            return;
        }
        let (root, path, within) = self.way_to(seat, step);
        self.steps += path.len() + EFFECT_STEPS;
        let number = match within {
            Some(made) => {
                self.effects[made].inside.push(path);
                made
            }
            None => {
                let inside = Vec::new();
                let effect = Effect {
                    root,
                    path,
                    before,
                    after,
                    is_followed: false,
                    at_end,
                    seat,
                    position,
                    inside,
                };
                self.effects.push(effect);
                self.effects.len() - 1
            }
        };
        if let Some(NodeId::Opened(id)) = after {
            self.seats.insert(id, seat);
            self.made.insert(id, number);
        }
    }

    /// Notes that aliases follow the last change, which replaced a value.
    pub(super) fn note_followed(&mut self, before: NodeId) {
        let last = self.effects.last_mut();
        if let Some(effect) = last.filter(|effect| effect.before == Some(before)) {
            effect.is_followed = true;
        }
    }

    /// Returns the opened collections around a seat, inner ones first.
    pub(super) fn around(&self, mut seat: Seat) -> Vec<u32> {
        let mut around = Vec::new();
        while let Seat::Slot(id, _) = seat {
            around.push(id);
            seat = self.seats.get(&id).copied().unwrap_or(Seat::Root(0));
        }
        around
    }

    /// Returns the document of a seat, the way to it, and the effect that made a collection
    /// around it.
    fn way_to(&self, mut seat: Seat, step: StepOf<'_>) -> (usize, Path, Option<usize>) {
        let (mut path, mut within) = (Path::new(), None);
        loop {
            let (id, at) = match seat {
                Seat::Slot(id, at) => (id, at),
                Seat::Root(root) => {
                    path.reverse();
                    return (root, path, within);
                }
                Seat::Detached(_) => return (0, path, within),
            };
            path.push(step(id, at));
            within = self.made.get(&id).copied().or(within);
            let Some(&around) = self.seats.get(&id) else { return (0, path, within) };
            seat = around;
        }
    }
}
