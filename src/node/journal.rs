//! The journal of a tree: what an op changed, and where.

use hashbrown::HashMap;

use super::opened::OpenedNodes;
use super::path::{Path, Seat, Step};
use super::slots::NodeId;

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

/// The way to a seat.
struct SeatWay {
    /// The document of the stream.
    root: usize,
    path: Path,
    /// The number of the effect that made a collection around the seat.
    within: Option<usize>,
}

/// The number of steps that take as much space as an effect without its way.
// An effect has about a hundred bytes, a step 16 in a list that may be half empty.
const EFFECT_STEPS: usize = 4;

impl Journal {
    /// Creates the journal of a tree, which knows the seats of opened nodes.
    pub(super) fn new(roots: &[NodeId], opened: &OpenedNodes) -> Journal {
        let mut seats = HashMap::new();
        let mut todo = Vec::new();
        todo.extend(roots.iter().enumerate().map(|(at, &it)| (it, Seat::Root(at))));
        while let Some((node, seat)) = todo.pop() {
            let NodeId::Opened(id) = node else { continue };
            if seats.insert(id, seat).is_none() {
                let slots = opened[id].slots();
                todo.extend(
                    slots.ids().map(|at| (slots.get(at).value, Seat::Slot(id, at))),
                );
            }
        }
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
        opened: &OpenedNodes,
        seat: Seat,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) {
        let Some(number) = self.push(opened, seat, before, after) else { return };
        if let Some(NodeId::Opened(id)) = after {
            self.seats.insert(id, seat);
            self.made.insert(id, number);
        }
    }

    /// Adds an effect at a seat. Returns its number, or that of the one that made a collection
    /// around the seat; `None` if the journal is full.
    pub(super) fn push(
        &mut self,
        opened: &OpenedNodes,
        seat: Seat,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) -> Option<usize> {
        if self.is_full() {
            return None;
        }
        let SeatWay { root, path, within } = self.way_to(opened, seat);
        self.steps += path.len() + EFFECT_STEPS;
        let number = within.unwrap_or(self.effects.len());
        if within.is_some() {
            self.effects[number].inside.push(path);
        } else {
            let collection = match seat {
                Seat::Slot(id, at) => Some((opened[id].slots(), at)),
                Seat::Root(_) | Seat::Detached(_) => None,
            };
            let position = collection.map_or(0, |(slots, at)| slots.position(at));
            self.effects.push(Effect {
                root,
                path,
                before,
                after,
                is_followed: false,
                at_end: collection.is_some_and(|(slots, _)| position + 1 == slots.len()),
                seat,
                position,
                inside: Vec::new(),
            });
        }
        Some(number)
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

    fn way_to(&self, opened: &OpenedNodes, mut seat: Seat) -> SeatWay {
        let mut way = SeatWay { root: 0, path: Path::new(), within: None };
        loop {
            let (id, at) = match seat {
                Seat::Slot(id, at) => (id, at),
                Seat::Root(root) => {
                    way.path.reverse();
                    return SeatWay { root, ..way };
                }
                Seat::Detached(_) => return way,
            };
            let slots = opened[id].slots();
            way.path.push(match slots.get(at).key {
                Some(key) => Step::Key(key),
                None => Step::Index(slots.position(at) as u32),
            });
            way.within = self.made.get(&id).copied().or(way.within);
            let Some(&around) = self.seats.get(&id) else { return way };
            seat = around;
        }
    }
}
