//! The homes of nodes that have aliases, while ops change the document.
//!
//! The home of a node is where it was written, or where an op has moved it. If it has gone, or
//! if an edit has parted it from its aliases, its home is the first alias that is left. A copy
//! is another node. What has moved behind its aliases is printed there without its anchor,
//! since an alias cannot stand before it: the link ends with the run.

use hashbrown::HashMap;

use super::slots::{NodeId, SlotId};
use crate::arena::Index;

/// The homes of nodes of the base that are not where they were written.
#[derive(Clone, Debug, Default)]
pub(super) struct Homes {
    of: HashMap<Index, Home>,
    /// The nodes whose homes are slots of opened collections.
    at: HashMap<u32, HashMap<SlotId, Index>>,
    /// The node that an op has lifted and not put down yet.
    pub(super) moving: Option<LiftedNode>,
}

/// A node that an op moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiftedNode {
    pub(super) written: Index,
    pub(super) value: NodeId,
}

/// The place of the node that aliases stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Home {
    /// A slot of an opened collection.
    Slot(u32, SlotId),
    /// The first alias that is left, which is looked for when an edit needs it.
    FirstAlias,
}

impl Homes {
    /// Returns the home of a node; `None` for one that is where it was written.
    pub(super) fn get(&self, i: Index) -> Option<Home> {
        self.of.get(&i).copied()
    }

    /// Returns the node that has come to a slot.
    pub(super) fn standing(&self, id: u32, at: SlotId) -> Option<Index> {
        self.at.get(&id)?.get(&at).copied()
    }

    /// Returns true if any node has come to a slot.
    pub(super) fn has_moved(&self) -> bool {
        !self.at.is_empty()
    }

    /// Notes that a node has come to a slot.
    pub(super) fn put(&mut self, i: Index, id: u32, at: SlotId) {
        self.part(i);
        self.of.insert(i, Home::Slot(id, at));
        self.at.entry(id).or_default().insert(at, i);
    }

    /// Parts a node from its aliases: the first one that is left has its value now.
    pub(super) fn part(&mut self, i: Index) {
        if let Some(Home::Slot(id, at)) = self.of.insert(i, Home::FirstAlias)
            && let Some(slots) = self.at.get_mut(&id)
        {
            slots.remove(&at);
            if slots.is_empty() {
                self.at.remove(&id);
            }
        }
    }

    /// Parts a node from its aliases, if it is where it was written.
    pub(super) fn part_if_there(&mut self, i: Index) {
        self.of.entry(i).or_insert(Home::FirstAlias);
    }

    /// Notes that a node is where it was written, seen from the node around it.
    pub(super) fn forget(&mut self, i: Index) {
        self.of.remove(&i);
    }

    /// Notes that a copy of an opened collection has taken its place.
    pub(super) fn transfer(&mut self, from: u32, to: u32) {
        let Some(slots) = self.at.remove(&from) else { return };
        for (&at, &i) in &slots {
            self.of.insert(i, Home::Slot(to, at));
        }
        self.at.insert(to, slots);
    }
}
