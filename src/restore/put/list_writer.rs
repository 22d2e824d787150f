//! The edit of a list: item after item.

use std::vec;

use hashbrown::HashMap;

use super::put_state::{PendingNode, PutState, SourcePointer};
use crate::compare::{ListPart, NewPosition};
use crate::node::{Kind, NodeId, Seat, SlotId};
use crate::restore::compare::{Ancestor, Change, Layers};
use crate::restore::site::ImportOutcome;

/// Writes the items of one list.
pub(super) struct ListWriter<'w, 'a, 'p> {
    put: &'w mut PutState<'a, 'p>,
    /// The list in the document with the edit.
    id: u32,
    /// The index of the list among the ancestors.
    frame: usize,
    inherits_changed: bool,
}

/// The written items that have a place in the edited list, by that place. True if an item
/// moved there.
type PlacedItems<'i> = HashMap<usize, (&'i ListItem, bool)>;

/// The items of removed directives by the classes of their values, with the pointers to
/// them.
type NamedItems = HashMap<u32, (NodeId, SourcePointer)>;

impl<'w, 'a, 'p> ListWriter<'w, 'a, 'p> {
    /// Writes the items of the list `place`.
    pub(super) fn write(put: &'w mut PutState<'a, 'p>, place: &PendingNode) {
        let frame = put.push_frame(place);
        let Some(id) = put.out.open(place.seat, true) else { return };
        let inherits_changed = place.inherits_changed;
        let mut writer = ListWriter { put, id, frame, inherits_changed };
        match place.change.was.and_then(|view| writer.take_items(view)) {
            Some(items) => writer.write_items(place, &items),
            None => writer.put.replace(place),
        }
    }

    fn write_items(&mut self, place: &PendingNode, items: &[ListItem]) {
        // The list is opened before its items are known, and its anchor is set only now:
        // where the items are not known it is replaced as a whole.
        self.put.open(place);
        let edited = self.put.items(place.change.now);
        let items = items.iter().filter(|item| !item.part.gives.is_empty());
        let items: Vec<&ListItem> = items.collect();
        let parts: Vec<&ListPart> = items.iter().map(|item| &item.part).collect();
        let positions = self.put.compare.pair(&parts, &edited);
        let pairs = items.into_iter().zip(positions);
        let placed = pairs
            .clone()
            .filter_map(|(item, new)| Some((new?.at, (item, new?.moved))))
            .collect();
        let gone = pairs.clone().filter(|(item, new)| item.part.splice && new.is_none());
        let mut named = NamedItems::new();
        gone.for_each(|(item, _)| self.add_named_items(item, &mut named));
        self.place_items(&edited, &placed, &named);
        for (item, new) in pairs {
            self.drop_item(item, new);
        }
    }

    /// Adds the items of a directive with the pointers to them.
    fn add_named_items(&mut self, item: &ListItem, named: &mut NamedItems) {
        let put = &mut *self.put;
        let import = put.index(item.source).and_then(|i| put.lone_import(i));
        let list = import.filter(|_| put.mode.names_items).and_then(|import| {
            let is_named = put.is_list_of_values(import.found?);
            let tokens = &import.source.pointer;
            is_named.then(|| SourcePointer::of_import(put, import, tokens))?
        });
        let Some(list) = list else { return };
        for (at, &item) in item.part.gives.iter().enumerate() {
            named.insert(put.compare.class(item), (item, list.child(&at.to_string())));
        }
    }

    /// Returns the item for a new value, and names the one of a removed directive that it is.
    fn new_item(&mut self, now: NodeId, named: &NamedItems) -> NodeId {
        let put = &mut *self.put;
        let class = if named.is_empty() { u32::MAX } else { put.compare.class(now) };
        let found = named.get(&class);
        let name = found.and_then(|(item, pointer)| put.short_name(*item, pointer));
        put.has_named_items |= name.is_some();
        name.unwrap_or_else(|| put.new_value(now, None))
    }

    /// Removes an item that the edited list lacks, or that stands in another place now.
    fn drop_item(&mut self, item: &ListItem, new: Option<NewPosition>) {
        if new.is_some_and(|new| !new.moved) {
            return;
        }
        if new.is_none() {
            self.put.forget_anchors(item.source);
        }
        self.put.out.remove_item(self.id, item.at);
        if item.part.splice && new.is_none() {
            self.note_splice(item.source);
        }
    }

    /// Reports that the directives of a removed item are written out.
    fn note_splice(&mut self, source: NodeId) {
        let keys = self.put.directives_of(source);
        self.put.note_written_out(keys, "its part of the list was edited");
    }

    /// Inserts the edited items between those that stay, in the edited order.
    fn place_items(
        &mut self,
        edited: &[NodeId],
        placed: &PlacedItems<'_>,
        named: &NamedItems,
    ) {
        let mut position = 0;
        let mut at = 0;
        let mut places = Vec::new();
        while at < edited.len() {
            let now = edited[at];
            let found = placed.get(&at);
            at += found.map_or(1, |(item, _)| item.part.gives.len());
            let slot = if let Some((item, false)) = found {
                position = self.put.out.children(self.id).position(item.at) + 1;
                item.at
            } else {
                let value = match found {
                    Some((item, _)) => item.source,
                    None => self.new_item(now, named),
                };
                position += 1;
                self.put.out.insert_item(self.id, position - 1, value, None)
            };
            if let Some((item, _)) = found
                && !item.part.splice
            {
                places.push(self.pending(item, slot, now));
            }
        }
        self.put.push_nodes(places);
    }

    fn pending(&self, item: &ListItem, at: SlotId, now: NodeId) -> PendingNode {
        PendingNode {
            seat: Seat::Slot(self.id, at),
            source: item.source,
            change: Change { was: item.part.view, now },
            frame: Some(self.frame),
            inherited: Layers::new(),
            inherits_changed: self.inherits_changed,
        }
    }

    /// Returns the items of the source, without those whose imports are gone; `None` if they
    /// do not add up to the list `view` of the expansion.
    fn take_items(&mut self, view: NodeId) -> Option<Vec<ListItem>> {
        let mut view = self.put.items(view).into_iter();
        let mut items = Vec::new();
        let slots = self.put.out.children(self.id);
        let written: Vec<(SlotId, NodeId)> =
            slots.ids().map(|at| (at, slots.get(at).value)).collect();
        for (at, source) in written {
            let part = match self.spliced_import(Seat::Slot(self.id, at), source) {
                Some((before, after)) => {
                    let part = self.spliced_part(before, &after, &mut view);
                    // It would be an error, or stand for another value.
                    let Some(part) = part else {
                        self.put.out.remove_item(self.id, at);
                        self.note_splice(source);
                        continue;
                    };
                    part
                }
                None if self.put.is_marker(source) => {
                    ListPart { view: None, gives: Vec::new(), splice: false, site: false }
                }
                None => self.lone_part(source, view.next()?),
            };
            items.push(ListItem { at, source, part });
        }
        view.next().is_none().then_some(items)
    }

    /// Returns the part of a list that a directive gives, and takes its items from `view`;
    /// `None` if the directive must go because its value is gone.
    fn spliced_part(
        &self,
        before: Option<NodeId>,
        after: &ImportOutcome,
        view: &mut vec::IntoIter<NodeId>,
    ) -> Option<ListPart> {
        let before = before.map_or(0, |found| self.item_count(found));
        view.take(before).for_each(drop);
        let (gives, view) = match after.value() {
            Some(found) if self.put.kind(found) == Kind::Sequence => {
                (self.put.items(found), None)
            }
            found => (Vec::from_iter(found), found),
        };
        let gone = matches!(after, ImportOutcome::Dangling | ImportOutcome::Reused);
        let fails = gives.is_empty() && before > 0 && gone;
        (!fails).then_some(ListPart { view, gives, splice: true, site: true })
    }

    /// Returns the part of a list that is one item, `view` in the expansion. A lone directive
    /// gives the value that it will have.
    fn lone_part(&mut self, source: NodeId, view: NodeId) -> ListPart {
        let i = self.put.index(source);
        let site = i.is_some_and(|i| self.put.edit.sites.get(i).is_some());
        let alone = i.filter(|&i| {
            self.put.lone_import(i).is_some_and(|import| !import.is_relative())
        });
        let outcome = alone.and_then(|i| self.put.import_outcomes(i, self.frame).pop());
        let gives = outcome.and_then(|(_, after)| after.value()).unwrap_or(view);
        ListPart { gives: vec![gives], site, ..ListPart::lone(view) }
    }

    /// Returns the number of items that an imported value has in a list.
    fn item_count(&self, found: NodeId) -> usize {
        match self.put.kind(found) {
            Kind::Sequence => self.put.items(found).len(),
            Kind::Scalar | Kind::Mapping => 1,
        }
    }

    /// Respells the directive of an item that is a lone directive and imports no mapping, so
    /// that its value replaces the item. Returns the values before and after the edit.
    fn spliced_import(
        &mut self,
        seat: Seat,
        source: NodeId,
    ) -> Option<(Option<NodeId>, ImportOutcome)> {
        let i = self.put.index(source)?;
        let found = self.put.lone_import(i)?.found;
        if found.is_some_and(|found| self.put.kind(found) == Kind::Mapping) {
            return None;
        }
        let item = Ancestor { parent: Some(self.frame), change: Change::NONE };
        self.put.ancestors.push(item);
        let frame = self.put.ancestors.len() - 1;
        let (import, after) = self.put.import_outcomes(i, frame).pop()?;
        let ImportOutcome::Renamed(found_after, pointer) = after else {
            return Some((found, after));
        };
        let item = self.put.out.open(seat, true)?;
        self.put.respell(item, import.key, &pointer);
        Some((found, ImportOutcome::Found(found_after)))
    }
}

/// An item as it is written, and the items that it stands for.
pub(super) struct ListItem {
    pub at: SlotId,
    pub source: NodeId,
    pub part: ListPart,
}
