//! The children of a collection that is merged.

use super::comments::{VersionComments, of_theirs};
use super::remedy::{Remedy, insert};
use super::task::Task;
use super::versions::Versions;
use super::visit::Visit;
use crate::node::{EntryComments, NodeId, Seat, SlotId, Tree};
use crate::yaml::takes_comments;

/// The entries or items of a collection that is merged.
pub(super) struct Entries {
    pub visit: Visit,
    /// The opened collection.
    pub id: u32,
    /// The last slot that is there.
    pub after: Option<SlotId>,
    /// Work that is left, in the order of the entries.
    tasks: Vec<Task>,
}

impl Entries {
    /// Opens the collection of ours.
    pub(super) fn open(versions: &mut Versions<'_>, visit: Visit) -> Option<Entries> {
        let id = versions.open(visit)?;
        Some(Entries { visit, id, after: None, tasks: Vec::new() })
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

    /// Adds an entry or an item of theirs: that is a conflict if ours removed it.
    pub(super) fn add(
        &mut self,
        versions: &mut Versions<'_>,
        (key, value): (Option<NodeId>, NodeId),
        conflicts: bool,
        path: Option<u32>,
    ) {
        let (into, after, from) = (self.id, self.after, self.visit.theirs);
        let has_head = self.has_head(versions.tree);
        let remedy = Remedy::Insert { into, after, key, value, from, has_head };
        if conflicts {
            self.conflict(path, remedy);
        } else {
            self.after = insert(&mut versions.ours, &remedy, after).or(after);
        }
    }

    /// Returns true if the comment at the head of theirs belongs to an entry that is added:
    /// base and ours do not have it, and it does not replace theirs.
    fn has_head(&self, tree: &Tree) -> bool {
        let heads =
            self.visit.nodes().map(|of| VersionComments::of_first(tree, of?).head());
        let [base, ours, theirs] = heads;
        theirs != base && theirs != ours && (self.after.is_some() || base.is_none())
    }

    /// Gives an entry of ours the comments that only theirs changed. `first` has its key or
    /// item in each version.
    pub(super) fn merge_comments(
        &self,
        versions: &mut Versions<'_>,
        seat: Seat,
        first: [Option<NodeId>; 3],
    ) {
        let Seat::Slot(id, at) = seat else { return };
        let of = self.visit.nodes();
        let [base, ours, theirs] = [0, 1, 2].map(|side| match (of[side], first[side]) {
            (Some(of), Some(first)) => VersionComments::of(versions.tree, of, first),
            _ => VersionComments::default(),
        });
        let new = of_theirs(&base, &ours, &theirs);
        if new != EntryComments::default()
            && takes_comments(
                &versions.ours,
                NodeId::Opened(id),
                versions.ours.children(id).get(at),
            )
        {
            versions.ours.give_comments(seat, new);
        }
    }
}
