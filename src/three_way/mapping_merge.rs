//! Mappings, merged by key.

use hashbrown::{HashMap, HashSet};

use super::arrange::{Row, by_key, join_renamed};
use super::between::merge_between;
use super::entries::{Entries, Remedy, Task, is_written_in};
use super::versions::{Entry, PathStep, Versions, Visit};
use crate::node::{Kind, NodeId, Seat, SlotId};

/// A merge of three mappings, entry by entry.
struct MappingMerge<'a, 'b> {
    versions: &'a mut Versions<'b>,
    entries: Entries,
    /// The slots of the entries that are written in ours, by key.
    own: HashMap<NodeId, SlotId>,
}

/// Merges mappings by key. Returns the work that is left; `None` if a key occurs twice.
pub(super) fn merge_mappings(
    versions: &mut Versions<'_>,
    visit: Visit,
) -> Option<Vec<Task>> {
    let tree = versions.tree;
    let pairs =
        visit.nodes().map(|node| node.map(|node| tree.pairs(node)).unwrap_or_default());
    let keys = pairs.each_ref().map(|pairs| {
        let keys: Vec<NodeId> = pairs.iter().map(|&(key, _)| key).collect();
        versions.classes_of_keys(&keys)
    });
    let is_unique =
        |keys: &Vec<u32>| keys.iter().collect::<HashSet<_>>().len() == keys.len();
    if !keys.iter().all(is_unique) {
        return None;
    }
    let [base, ours, theirs] = keys.each_ref().map(|keys| &keys[..]);
    versions.count(ours.len() + theirs.len());
    let mut rows = by_key([base, ours, theirs], false)?;
    join_renamed(&mut rows, pairs[0].len(), false, |version, at| {
        let of = visit.nodes()[version]?;
        content(versions, of, pairs[version][at])
    });
    let entries = Entries::open(versions, visit)?;
    let slots = versions.ours.children(entries.id);
    let slot = |at| slots.get(at).key.map(|key| (key, at));
    let own = slots.ids().filter_map(slot).collect();
    let mut merge = MappingMerge { versions, entries, own };
    for row in rows {
        merge.row(row, &pairs);
    }
    merge_between(merge.versions, &merge.entries);
    Some(merge.entries.tasks)
}

/// Returns a number for the value of an entry that is written in a mapping; `None` for a
/// value that says little: entries with other names may well have it.
fn content(
    versions: &mut Versions<'_>,
    mapping: NodeId,
    (key, value): Entry,
) -> Option<u32> {
    let tree = versions.tree;
    let says_much = match tree.kind(value) {
        Kind::Scalar => false,
        Kind::Sequence => !tree.items(value).is_empty(),
        Kind::Mapping => !tree.pairs(value).is_empty(),
    };
    // An anchored mapping may stand in others, too, where nobody renamed the key.
    let has_anchor = match mapping {
        NodeId::Clean(file, i) => tree.arena(file).anchor(i).is_some(),
        NodeId::Opened(_) => false,
    };
    let is_own = !has_anchor && is_written_in(tree, mapping, key);
    (says_much && is_own).then(|| versions.class(value))
}

impl MappingMerge<'_, '_> {
    fn row(&mut self, row: Row, pairs: &[Vec<Entry>; 3]) {
        let [base, ours, theirs] = row.of(pairs);
        let Some((key, _)) = ours.or(theirs) else { return };
        // An entry that both sides renamed is named as it was.
        let named = base.map_or(key, |(key, _)| key);
        let path = PathStep::Key(named);
        let path = self.versions.paths.join(self.entries.visit.path, path);
        if self.versions.follows && self.is_written_elsewhere(ours, theirs) {
            return;
        }
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => self.entry_of_both(base, ours, theirs, path),
            (Some(ours), None) => self.entry_of_ours(base, ours, path),
            (None, Some(theirs)) => self.entry_of_theirs(base, theirs, path),
            (None, None) => {}
        }
    }

    /// Returns true if both sides have an entry through `<<` only.
    fn is_written_elsewhere(&self, ours: Option<Entry>, theirs: Option<Entry>) -> bool {
        let is_merged = |of, (key, _): Entry| !is_written_in(self.versions.tree, of, key);
        let Visit { ours: our_mapping, theirs: their_mapping, .. } = self.entries.visit;
        ours.is_none_or(|entry| is_merged(our_mapping, entry))
            && theirs.is_none_or(|entry| is_merged(their_mapping, entry))
    }

    fn entry_of_theirs(
        &mut self,
        base: Option<Entry>,
        (key, value): Entry,
        path: Option<u32>,
    ) {
        let is_same = |it| self.versions.is_equal_entry(it, (key, value));
        let slot = if base.is_some_and(is_same) {
            None
        } else {
            let conflicts = base.is_some();
            self.entries.add(self.versions, (Some(key), value), conflicts, path)
        };
        self.entries.place([base.map(|(key, _)| key), None, Some(key)], slot);
    }

    fn entry_of_ours(
        &mut self,
        base: Option<Entry>,
        (key, value): Entry,
        path: Option<u32>,
    ) {
        let into = self.entries.id;
        let first = [base.map(|(key, _)| key), Some(key), None];
        if let Some(before) = base {
            if self.versions.is_equal_entry(before, (key, value)) {
                self.versions.ours.remove_entry_of(into, key);
                return self.entries.place(first, None);
            }
            self.entries.conflict(path, Remedy::RemoveEntry(into, key));
        }
        let slot = self.own.get(&key).copied();
        self.entries.place(first, slot);
        self.entries.after = slot.or(self.entries.after);
    }

    fn entry_of_both(
        &mut self,
        base: Option<Entry>,
        (key, ours): Entry,
        (their_key, theirs): Entry,
        path: Option<u32>,
    ) {
        let slot = self.own.get(&key).copied();
        let first = [base.map(|(key, _)| key), Some(key), Some(their_key)];
        self.entries.place(first, slot);
        let before = base.map(|(_, value)| value);
        if !self.versions.is_equal(key, their_key) {
            return self.merge_retagged(base, (key, ours), (their_key, theirs), path);
        }
        // An entry from `<<` that needs no edit stays one.
        if slot.is_none()
            && (self.versions.is_equal(ours, theirs)
                || before.is_some_and(|before| self.versions.is_equal(before, theirs)))
        {
            return;
        }
        let Some(seat) = self.seat(key, slot) else { return };
        self.entries.tasks.push(Task::Visit(Visit {
            seat,
            base: before,
            ours,
            theirs,
            path,
        }));
        self.entries.after = slot.or(self.entries.after);
    }

    /// Merges entries as a whole: their keys have different tags.
    fn merge_retagged(
        &mut self,
        base: Option<Entry>,
        ours: Entry,
        theirs: Entry,
        path: Option<u32>,
    ) {
        let slot = self.own.get(&ours.0).copied();
        let mut is_base =
            |side| base.is_some_and(|it| self.versions.is_equal_entry(it, side));
        let (keeps, takes) = (is_base(theirs), is_base(ours));
        if !keeps && let Some(seat) = self.seat(ours.0, slot) {
            let (key, value) = theirs;
            if takes {
                self.versions.ours.retag_key(seat, key);
                self.versions.set((seat, ours.1), value);
            } else {
                let remedy = Remedy::ReplaceEntry { seat, key, value };
                self.entries.conflict(path, remedy);
            }
        }
        self.entries.after = slot.or(self.entries.after);
    }

    /// Returns the seat of an entry of ours. One from `<<` becomes an own entry, which keeps
    /// the tag of its key.
    fn seat(&mut self, key: NodeId, slot: Option<SlotId>) -> Option<Seat> {
        let into = self.entries.id;
        if let Some(at) = slot {
            return Some(Seat::Slot(into, at));
        }
        let seat = self.versions.ours.entry_of(into, key)?;
        if self.versions.tree.own_tag(key).is_some() {
            self.versions.ours.retag_key(seat, key);
        }
        Some(seat)
    }
}
