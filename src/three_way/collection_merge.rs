//! Mappings, merged by key, and lists, merged by the names or the values of their items.

use std::ops::Range;

use hashbrown::HashMap;

use super::arrange::{
    BASE, OURS, Row, THEIRS, by_key, by_value, number_renamed, places, row_of,
};
use super::between::merge_between;
use super::entries::{Entries, Remedy, Task, is_written_in};
use super::versions::{PathStep, VersionEntry, Versions, Visit, repeated_keys_of};
use crate::compare::{ItemName, ItemNames, KeySet, ListVersion, Numbering};
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};

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
    let all = visit.nodes().map(|node| {
        let pairs = node.map(|node| tree.pairs(node)).unwrap_or_default().into_iter();
        pairs.map(|(key, value)| VersionEntry { key, value }).collect::<Vec<_>>()
    });
    let mut keys = all.each_ref().map(|entries| {
        let keys: Vec<NodeId> = entries.iter().map(|entry| entry.key).collect();
        versions.classes_of_keys(&keys)
    });
    if !keys.iter().all(|keys| places(keys).len() == keys.len()) {
        return None;
    }
    versions.count(all[OURS].len() + all[THEIRS].len());
    // A key that is written twice would be left once.
    let repeats = |node: NodeId| match node {
        NodeId::Clean(file, i) => repeated_keys_of(tree, file, i) > 0,
        NodeId::Opened(_) => false,
    };
    if !visit.nodes().into_iter().flatten().any(repeats) {
        number_renamed(&mut keys, false, |version, at| {
            let of = visit.nodes()[version]?;
            entry_content(versions, of, all[version][at])
        });
    }
    let rows = by_key(keys.each_ref().map(|keys| &keys[..]), false)?;
    let entries = Entries::open(versions, visit)?;
    let slots = versions.ours.children(entries.id);
    let own = slots.ids().filter_map(|at| Some((slots.get(at).key?, at))).collect();
    let mut merge = MappingMerge { versions, entries, own };
    for row in rows {
        merge.row(row_of(row, &all));
    }
    Some(merge_between(merge.versions, merge.entries))
}

/// Returns a number for the value of an entry that is written in a mapping; `None` for a
/// value that says little: entries with other names may well have it.
fn entry_content(
    versions: &mut Versions<'_>,
    mapping: NodeId,
    VersionEntry { key, value }: VersionEntry,
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
    fn row(&mut self, row @ [base, ours, theirs]: [Option<VersionEntry>; 3]) {
        // An entry that both sides renamed is named as it was.
        let Some(named) = row.into_iter().flatten().next() else { return };
        let path = PathStep::Key(named.key);
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
    fn is_written_elsewhere(
        &self,
        ours: Option<VersionEntry>,
        theirs: Option<VersionEntry>,
    ) -> bool {
        let tree = self.versions.tree;
        let Visit { ours: our_mapping, theirs: their_mapping, .. } = self.entries.visit;
        ours.is_none_or(|entry| !is_written_in(tree, our_mapping, entry.key))
            && theirs.is_none_or(|entry| !is_written_in(tree, their_mapping, entry.key))
    }

    fn entry_of_theirs(
        &mut self,
        base: Option<VersionEntry>,
        theirs: VersionEntry,
        path: Option<u32>,
    ) {
        let key = Some(theirs.key);
        let slot = if base.is_some_and(|it| self.versions.is_equal_entry(it, theirs)) {
            None
        } else {
            let conflicts = base.is_some();
            self.entries.add(self.versions, key, theirs.value, conflicts, path)
        };
        self.entries.place([base.map(|base| base.key), None, key], slot);
    }

    fn entry_of_ours(
        &mut self,
        base: Option<VersionEntry>,
        ours: VersionEntry,
        path: Option<u32>,
    ) {
        let into = self.entries.id;
        let first = [base.map(|base| base.key), Some(ours.key), None];
        if let Some(before) = base {
            if self.versions.is_equal_entry(before, ours) {
                self.versions.ours.remove_entry_of(into, ours.key);
                return self.entries.place(first, None);
            }
            self.entries.conflict(path, Remedy::RemoveEntry(into, ours.key));
        }
        let slot = self.own.get(&ours.key).copied();
        self.entries.place(first, slot);
        self.entries.after = slot.or(self.entries.after);
    }

    fn entry_of_both(
        &mut self,
        base: Option<VersionEntry>,
        our_entry: VersionEntry,
        their_entry: VersionEntry,
        path: Option<u32>,
    ) {
        let VersionEntry { key, value: ours } = our_entry;
        let VersionEntry { key: their_key, value: theirs } = their_entry;
        let slot = self.own.get(&key).copied();
        let first = [base.map(|base| base.key), Some(key), Some(their_key)];
        self.entries.place(first, slot);
        if !self.versions.is_equal(key, their_key) {
            return self.merge_retagged(base, our_entry, their_entry, path);
        }
        let base = base.map(|base| base.value);
        // An entry from `<<` that needs no edit stays one.
        if slot.is_none()
            && (self.versions.is_equal(ours, theirs)
                || base.is_some_and(|base| self.versions.is_equal(base, theirs)))
        {
            return;
        }
        let Some(seat) = self.seat(key, slot) else { return };
        let visit = Visit { seat, base, ours, theirs, path };
        self.entries.tasks.push(Task::Visit(visit));
        self.entries.after = slot.or(self.entries.after);
    }

    /// Merges entries as a whole: their keys have different tags.
    fn merge_retagged(
        &mut self,
        base: Option<VersionEntry>,
        ours: VersionEntry,
        theirs: VersionEntry,
        path: Option<u32>,
    ) {
        let slot = self.own.get(&ours.key).copied();
        let [keeps, takes] = [theirs, ours].map(|side| {
            base.is_some_and(|base| self.versions.is_equal_entry(base, side))
        });
        let VersionEntry { key, value } = theirs;
        let seat = match slot {
            // An entry from `<<` that needs no edit stays one.
            None if keeps => None,
            _ => self.seat(ours.key, slot),
        };
        match (seat, base) {
            (Some(seat), Some(before)) if keeps || takes => {
                if takes {
                    self.versions.ours.give_key(seat, key);
                }
                let base = Some(before.value);
                let visit = Visit { seat, base, ours: ours.value, theirs: value, path };
                self.entries.tasks.push(Task::Visit(visit));
            }
            (Some(seat), _) => {
                let remedy = Remedy::ReplaceEntry { seat, key, value };
                self.entries.conflict(path, remedy);
            }
            (None, _) => {}
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
            self.versions.ours.give_key(seat, key);
        }
        Some(seat)
    }
}

/// A merge of three lists, item by item.
struct ListMerge<'a, 'b> {
    versions: &'a mut Versions<'b>,
    entries: Entries,
    /// The items of each version.
    items: [Vec<NodeId>; 3],
    /// The names of the items of each version, if all have one.
    names: Option<[Vec<ItemName<'b>>; 3]>,
    /// The slots of the items of ours.
    slots: Vec<SlotId>,
}

/// Merges lists item by item. Returns the work that is left; `None` if they are to be
/// merged as a whole.
pub(super) fn merge_lists(
    versions: &mut Versions<'_>,
    visit: Visit,
) -> Option<Vec<Task>> {
    let tree = versions.tree;
    let items =
        visit.nodes().map(|node| node.map(|node| tree.items(node)).unwrap_or_default());
    versions.count(items.iter().map(Vec::len).sum());
    let names = names(tree, &items);
    let rows = match &names {
        Some(names) => {
            let mut numbering = Numbering::default();
            let mut numbers = names
                .each_ref()
                .map(|it| numbering.all(it.iter().map(ItemName::identity)));
            let is_described = names.iter().flatten().any(|name| !name.identifies());
            number_renamed(&mut numbers, is_described, |version, at| {
                item_content(versions, items[version][at], names[version][at].node)
            });
            by_key(numbers.each_ref().map(|numbers| &numbers[..]), true)?
        }
        None => {
            let values = items.each_ref().map(|items| versions.classes(items));
            let values = values.each_ref().map(|values| &values[..]);
            let mut rows = by_value(values, |it| are_same(versions, &items, it))?;
            pair_changed(versions, &items, &mut rows);
            rows
        }
    };
    let entries = Entries::open(versions, visit)?;
    let slots = versions.ours.children(entries.id).ids().collect();
    let mut merge = ListMerge { versions, entries, items, names, slots };
    let order: Vec<SlotId> = rows.into_iter().filter_map(|row| merge.row(row)).collect();
    merge.entries.reorder(merge.versions, &order);
    Some(merge_between(merge.versions, merge.entries))
}

/// Returns the names of all items of three lists; `None` if an item has none.
fn names<'a>(tree: &'a Tree, items: &[Vec<NodeId>; 3]) -> Option<[Vec<ItemName<'a>>; 3]> {
    let lists = items.each_ref().map(|items| ListVersion { document: tree, items });
    let names = ItemNames::find(&lists, KeySet::Usual);
    let any = items.iter().any(|items| !items.is_empty());
    if !any || !names.are_complete() {
        return None;
    }
    let names =
        names.lists.into_iter().map(|names| names.into_iter().flatten().collect());
    names.collect::<Vec<_>>().try_into().ok()
}

/// Returns the keys and values of an item without its name, in an order of their own; `None`
/// if there are none.
fn item_content(
    versions: &mut Versions<'_>,
    item: NodeId,
    name: NodeId,
) -> Option<Vec<(u32, u32)>> {
    let tree = versions.tree;
    let pairs = tree.pairs(item).into_iter().filter(|&(_, value)| value != name);
    let (keys, values): (Vec<NodeId>, Vec<NodeId>) = pairs.unzip();
    let keys = versions.classes_of_keys(&keys);
    let mut content: Vec<_> = keys.into_iter().zip(versions.classes(&values)).collect();
    content.sort_unstable();
    (!content.is_empty()).then_some(content)
}

/// Returns true if the items between two places are mappings, and those of both sides are
/// surely those of the base, one by one.
fn are_same(
    versions: &mut Versions<'_>,
    items: &[Vec<NodeId>; 3],
    between: [Range<usize>; 3],
) -> bool {
    let [base, ours, theirs] = [0, 1, 2].map(|side| &items[side][between[side].clone()]);
    let mut all = [base, ours, theirs].into_iter().flatten();
    if !all.all(|&item| versions.tree.kind(item) == Kind::Mapping) {
        return false;
    }
    [ours, theirs].into_iter().all(|side| {
        let old = versions.pairs(base, side).unwrap_or_default();
        old.into_iter().eq((0..base.len()).map(Some))
    })
}

/// Pairs items that one side changed, where it added or removed others, with what they were:
/// the other side may have changed their comments. In another order nothing is between two
/// items.
fn pair_changed(versions: &mut Versions<'_>, items: &[Vec<NodeId>; 3], rows: &mut [Row]) {
    let mut sides = [BASE, OURS, THEIRS].into_iter();
    if !sides.all(|side| rows.iter().filter_map(|row| row[side]).is_sorted()) {
        return;
    }
    let mut from = [0; 3];
    let mut left = rows;
    while !left.is_empty() {
        let common = left.iter().position(|row| row.iter().all(Option::is_some));
        let (changed, rest) = left.split_at_mut(common.unwrap_or(left.len()));
        let to = rest.first().map(|row| row.map(Option::unwrap_or_default));
        let to = to.unwrap_or(items.each_ref().map(Vec::len));
        let between = [0, 1, 2].map(|side| from[side]..to[side]);
        pair_between(versions, items, between, changed);
        from = to.map(|at| at + 1);
        left = rest.get_mut(1..).unwrap_or_default();
    }
}

/// Pairs changed items with those of the base between two items that are in all versions.
fn pair_between(
    versions: &mut Versions<'_>,
    items: &[Vec<NodeId>; 3],
    between: [Range<usize>; 3],
    rows: &mut [Row],
) {
    let side = [THEIRS, OURS].into_iter().find(|side| {
        rows.iter().all(|row| row[BASE].is_none() && row[3 - side].is_none())
    });
    let Some(side) = side.filter(|_| !rows.is_empty()) else { return };
    let [before, after] = [0, side].map(|side| &items[side][between[side].clone()]);
    let Some(old) = versions.pairs(before, after) else { return };
    let mut next = 0;
    for (row, old) in rows.iter_mut().zip(old) {
        let Some(old) = old.filter(|&old| old >= next) else { continue };
        next = old + 1;
        row[BASE] = Some(between[0].start + old);
        // The other side has what the base has.
        row[3 - side] = Some(between[3 - side].start + old);
    }
}

impl ListMerge<'_, '_> {
    /// Returns true for an item that one side removed and the other one left as it was.
    fn is_removed(&mut self, row: Row) -> bool {
        let [Some(base), ours, theirs] = row else { return false };
        let [before, our_items, their_items] = &self.items;
        let left = match (ours, theirs) {
            (Some(at), None) => our_items[at],
            (None, Some(at)) => their_items[at],
            _ => return false,
        };
        self.versions.is_equal(before[base], left)
    }

    /// Merges an item. Returns its slot, if it is in the result.
    fn row(&mut self, row: Row) -> Option<SlotId> {
        let [base, ours, theirs] = row_of(row, &self.items);
        let slot = row[OURS].map(|at| self.slots[at]);
        if self.is_removed(row) {
            if let Some(slot) = slot {
                self.versions.ours.remove_item(self.entries.id, slot);
            }
            self.entries.place([base, ours, theirs], None);
            return None;
        }
        let item = ours.or(theirs)?;
        // An item that both sides renamed is named as it was.
        let name = self.names.as_ref().and_then(|names| {
            let mut sides = row.into_iter().zip(names);
            sides.find_map(|(at, names)| Some(&names[at?]))
        });
        let step = match name {
            Some(name) => PathStep::Name(name.usual_key(), name.node),
            None => PathStep::Index(row[OURS].or(row[THEIRS]).unwrap_or(0)),
        };
        let path = self.versions.paths.join(self.entries.visit.path, step);
        let slot = match slot {
            Some(slot) => {
                self.item_of_ours(slot, [base, ours, theirs], path);
                Some(slot)
            }
            None => {
                let conflicts = base.is_some();
                self.entries.add(self.versions, None, item, conflicts, path)
            }
        };
        self.entries.place([base, ours, theirs], slot);
        slot
    }

    /// Merges an item of ours.
    fn item_of_ours(
        &mut self,
        slot: SlotId,
        [base, ours, theirs]: [Option<NodeId>; 3],
        path: Option<u32>,
    ) {
        let Some(ours) = ours else { return };
        let into = self.entries.id;
        self.entries.after = Some(slot);
        let seat = Seat::Slot(into, slot);
        if let Some(theirs) = theirs {
            let visit = Visit { seat, base, ours, theirs, path };
            self.entries.tasks.push(Task::Visit(visit));
        } else if base.is_some() {
            self.entries.conflict(path, Remedy::RemoveItem(into, slot));
        }
    }
}
