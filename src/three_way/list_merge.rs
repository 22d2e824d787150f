//! Lists, merged by the names or the values of their items.

use std::ops::Range;

use hashbrown::HashSet;

use super::arrange::{Row, by_key, by_value, join_renamed};
use super::between::merge_between;
use super::entries::{Entries, Remedy, Task, insert};
use super::versions::{PathStep, Versions, Visit};
use crate::compare::{ItemName, ItemNames, KeySet, List, Numbering, ascending};
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};

/// A merge of three lists, item by item.
struct ListMerge<'a, 'b> {
    versions: &'a mut Versions<'b>,
    entries: Entries,
    /// The items of each version.
    items: [Vec<NodeId>; 3],
    /// The names of the items of each version, if all have one.
    names: Option<[Vec<ItemName<'b>>; 3]>,
    /// The slots of the items of ours; `None` for one that is taken out.
    slots: Vec<Option<SlotId>>,
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
            let mut rows = by_name(names)?;
            let is_described = names.iter().flatten().any(|name| !name.identifies());
            join_renamed(&mut rows, items[0].len(), is_described, |version, at| {
                content(versions, items[version][at], names[version][at].node)
            });
            rows
        }
        None => {
            let values = items.each_ref().map(|items| versions.classes(items));
            let are_same = |between| are_same(versions, &items, between);
            let mut rows =
                by_value(values.each_ref().map(|values| &values[..]), are_same)?;
            pair_changed(versions, &items, &mut rows);
            rows
        }
    };
    let entries = Entries::open(versions, visit)?;
    let slots = versions.ours.children(entries.id).ids().map(Some).collect();
    let mut merge = ListMerge { versions, entries, items, names, slots };
    let mut rows = rows;
    rows.retain(|&row| {
        let is_removed = merge.is_removed(row);
        if is_removed {
            let first = row.of(&merge.items);
            merge.entries.place(first, None);
        }
        !is_removed
    });
    merge.take_moved(&rows);
    for row in rows {
        merge.row(row);
    }
    merge_between(merge.versions, &merge.entries);
    Some(merge.entries.tasks)
}

/// Returns the names of all items of three lists; `None` if an item has none.
fn names<'a>(tree: &'a Tree, items: &[Vec<NodeId>; 3]) -> Option<[Vec<ItemName<'a>>; 3]> {
    let lists = items.each_ref().map(|items| List { document: tree, items });
    let names = ItemNames::find(&lists, KeySet::Usual);
    let any = items.iter().any(|items| !items.is_empty());
    if !any || !names.are_complete() {
        return None;
    }
    let names =
        names.lists.into_iter().map(|names| names.into_iter().flatten().collect());
    names.collect::<Vec<_>>().try_into().ok()
}

/// Returns the rows of three lists whose items are known by their names.
fn by_name(names: &[Vec<ItemName<'_>>; 3]) -> Option<Vec<Row>> {
    let mut numbering = Numbering::default();
    let numbers =
        names.each_ref().map(|it| numbering.all(it.iter().map(ItemName::identity)));
    by_key(numbers.each_ref().map(|numbers| &numbers[..]), true)
}

/// Returns the keys and values of an item without its name, in an order of their own; `None`
/// if there are none.
fn content(
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
    let is_mapping = |&item: &NodeId| versions.tree.kind(item) == Kind::Mapping;
    if ![base, ours, theirs].into_iter().flatten().all(is_mapping) {
        return false;
    }
    [ours, theirs].into_iter().all(|side| {
        let old = versions.pairs(base, side).unwrap_or_default();
        old.into_iter().eq((0..base.len()).map(Some))
    })
}

/// Pairs items that one side changed, where it added or removed others, with what they were:
/// the other side may have changed their comments.
fn pair_changed(versions: &mut Versions<'_>, items: &[Vec<NodeId>; 3], rows: &mut [Row]) {
    let (mut from, mut left) = ([0; 3], rows);
    while !left.is_empty() {
        let common = left.iter().position(|row| row.in_all().is_some());
        let (changed, rest) = left.split_at_mut(common.unwrap_or(left.len()));
        let to = rest.first().and_then(|row| row.in_all());
        let to = to.unwrap_or(items.each_ref().map(Vec::len));
        pair_between(
            versions,
            items,
            [0, 1, 2].map(|side| from[side]..to[side]),
            changed,
        );
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
    let is_changed = |row: &Row| row.base.is_none();
    let side = match rows.first() {
        Some(_) if rows.iter().all(|row| is_changed(row) && row.ours.is_none()) => 2,
        Some(_) if rows.iter().all(|row| is_changed(row) && row.theirs.is_none()) => 1,
        _ => return,
    };
    let [before, after] = [0, side].map(|side| &items[side][between[side].clone()]);
    let Some(old) = versions.pairs(before, after) else { return };
    let mut next = 0;
    for (row, old) in rows.iter_mut().zip(old) {
        let Some(old) = old.filter(|&old| old >= next) else { continue };
        next = old + 1;
        row.base = Some(between[0].start + old);
        // The other side has what the base has.
        let other = if side == 1 { &mut row.theirs } else { &mut row.ours };
        *other = Some(between[3 - side].start + old);
    }
}

impl ListMerge<'_, '_> {
    /// Returns true for an item that one side removed and the other one left as it was.
    fn is_removed(&mut self, row: Row) -> bool {
        let Row { base: Some(base), ours, theirs } = row else { return false };
        let [before, our_items, their_items] = &self.items;
        let left = match (ours, theirs) {
            (Some(at), None) => our_items[at],
            (None, Some(at)) => their_items[at],
            _ => return false,
        };
        self.versions.is_equal(before[base], left)
    }

    /// Removes the items of ours from the list that do not stand in the order of the rows,
    /// or in no row.
    fn take_moved(&mut self, rows: &[Row]) {
        let there = rows.iter().enumerate();
        let there: Vec<_> = there.filter_map(|(at, row)| Some((at, row.ours?))).collect();
        let stay: HashSet<usize> = ascending(&there).into_iter().map(|it| it.1).collect();
        for (at, slot) in self.slots.iter_mut().enumerate() {
            if !stay.contains(&at)
                && let Some(slot) = slot.take()
            {
                self.versions.ours.remove_item(self.entries.id, slot);
            }
        }
    }

    fn row(&mut self, row: Row) {
        let [base, ours, theirs] = row.of(&self.items);
        let Some(item) = ours.or(theirs) else { return };
        // An item that both sides renamed is named as it was.
        let name = self.names.as_ref().and_then(|names| {
            let [base, ours, theirs] = row.ref_of(names);
            base.or(ours).or(theirs)
        });
        let step = match name {
            Some(name) => PathStep::Name(name.usual_key(), name.node),
            None => PathStep::Index(row.ours.or(row.theirs).unwrap_or(0)),
        };
        let path = self.versions.paths.join(self.entries.visit.path, step);
        if let Some(ours) = ours {
            let slot = row.ours.and_then(|at| self.slots[at]);
            self.item_of_ours(slot, [base, Some(ours), theirs], path);
        } else {
            let conflicts = base.is_some();
            let slot = self.entries.add(self.versions, (None, item), conflicts, path);
            self.entries.place([base, None, theirs], slot);
        }
    }

    /// Merges an item of ours. It stays at a slot, or moves behind the last one.
    fn item_of_ours(
        &mut self,
        slot: Option<SlotId>,
        [base, ours, theirs]: [Option<NodeId>; 3],
        path: Option<u32>,
    ) {
        let Some(ours) = ours else { return };
        let Entries { id: into, after, visit, .. } = self.entries;
        let slot = slot.or_else(|| {
            let from = visit.ours;
            let remedy = Remedy::Insert { into, after, key: None, value: ours, from };
            insert(&mut self.versions.ours, &remedy, after)
        });
        let Some(slot) = slot else { return };
        self.entries.after = Some(slot);
        self.entries.place([base, Some(ours), theirs], Some(slot));
        let seat = Seat::Slot(into, slot);
        if let Some(theirs) = theirs {
            self.entries.tasks.push(Task::Visit(Visit {
                seat,
                base,
                ours,
                theirs,
                path,
            }));
        } else if base.is_some() {
            self.entries.conflict(path, Remedy::RemoveItem(into, slot));
        }
    }
}
