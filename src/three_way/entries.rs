//! The children of a collection that is merged.

use super::comments::Child;
use super::remedy::{Remedy, insert};
use super::versions::{Versions, Visit};
use crate::node::{NodeId, SlotId};

/// The entries or items of a collection that is merged.
pub(super) struct Entries {
    pub visit: Visit,
    /// The opened collection.
    pub id: u32,
    /// The last slot that is there.
    pub after: Option<SlotId>,
    /// Work that is left, in the order of the entries.
    tasks: Vec<Task>,
    /// The children of the three versions.
    pub children: Vec<Child>,
}

impl Entries {
    /// Opens the collection of ours.
    pub(super) fn open(versions: &mut Versions<'_>, visit: Visit) -> Option<Entries> {
        let id = versions.open(visit)?;
        Some(Entries { visit, id, after: None, tasks: Vec::new(), children: Vec::new() })
    }

    /// Leaves a value to be merged.
    pub(super) fn visit(&mut self, visit: Visit) {
        self.tasks.push(Task::Visit(visit));
    }

    pub(super) fn conflict(&mut self, path: Option<u32>, remedy: Remedy) {
        self.tasks.push(Task::Conflict(path, remedy));
    }

    pub(super) fn into_tasks(self) -> Vec<Task> {
        self.tasks
    }

    /// Notes where a child of the three versions is in the result.
    pub(super) fn place(&mut self, first: [Option<NodeId>; 3], slot: Option<SlotId>) {
        self.children.push(Child { first, slot });
    }

    /// Adds an entry or an item of theirs: that is a conflict if ours removed it. Returns its
    /// slot.
    pub(super) fn add(
        &mut self,
        versions: &mut Versions<'_>,
        (key, value): (Option<NodeId>, NodeId),
        conflicts: bool,
        path: Option<u32>,
    ) -> Option<SlotId> {
        let Entries { id: into, after, .. } = *self;
        let from = self.visit.theirs;
        let remedy = Remedy::Insert { into, after, key, value, from };
        if conflicts {
            self.conflict(path, remedy);
            return None;
        }
        let slot = insert(&mut versions.ours, &remedy, after);
        self.after = slot.or(after);
        slot
    }
}

/// Work that is left, the next item last.
pub(super) enum Task {
    Visit(Visit),
    Conflict(Option<u32>, Remedy),
}
