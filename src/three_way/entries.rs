//! The children of a collection that is merged.

use super::comments::{VersionComments, first_of, may_be_loose, of_theirs};
use super::remedy::{Remedy, insert};
use super::task::Task;
use super::versions::Versions;
use super::visit::Visit;
use crate::node::{EntryComments, NodeId, Seat, SlotId, Tree, takes_comments};

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
        let takes_head = self.takes_head(versions.tree, key.unwrap_or(value));
        let remedy = Remedy::Insert { into, after, key, value, from, takes_head };
        if conflicts {
            self.conflict(path, remedy);
        } else {
            self.after = insert(&mut versions.ours, &remedy, after).or(after);
        }
    }

    /// Returns true if an entry of theirs brings the comment at the head of the text along: it
    /// stands below that, base and ours do not have the comment, and it does not replace theirs.
    fn takes_head(&self, tree: &Tree, first: NodeId) -> bool {
        if first_of(tree, self.visit.theirs) != Some(first) {
            return false;
        }
        let [base, ours, theirs] = self.visit.nodes().map(|of| {
            let first = first_of(tree, of?)?;
            VersionComments::of(tree, of?, first).head()
        });
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
        let (tree, of) = (versions.tree, self.visit.nodes());
        let entries = [0, 1, 2].map(|side| of[side].zip(first[side]));
        let [base, ours, theirs] = entries.map(|entry| {
            entry
                .map(|(of, first)| VersionComments::of(tree, of, first))
                .unwrap_or_default()
        });
        let mut new = of_theirs(&base, &ours, &theirs);
        new.leading = new.leading.filter(|above| !may_be_loose(tree, entries, above));
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
