//! Edits of opened collections: entries and items that come, go, move or get another key.

use std::borrow::Cow;
use std::sync::Arc;

use super::hints::EntryComments;
use super::index::{KeyDigests, Lookup};
use super::opened::Kind;
use super::path::Seat;
use super::slots::{NodeId, OpId, Slot, SlotId, Slots};
use super::tree::Tree;
use crate::arena::Index;
use crate::layout::blanks_before_comments;
use crate::scalar::Scalar;
use crate::source::FileId;

impl Tree {
    /// Inserts an item into opened sequence `id`, before the one at `position`.
    pub(crate) fn insert_item(
        &mut self,
        id: u32,
        position: usize,
        value: NodeId,
        by: Option<OpId>,
    ) -> SlotId {
        let at = self.insert(id, position, Slot::new(None, value, by));
        self.opened[id].lookup.add(None, at);
        at
    }

    fn insert(&mut self, id: u32, position: usize, slot: Slot) -> SlotId {
        let value = slot.value;
        let at = self.children_mut(id).insert(position, slot);
        self.note_change(Seat::Slot(id, at), None, Some(value));
        at
    }

    pub(crate) fn insert_entry(
        &mut self,
        id: u32,
        key: &str,
        value: NodeId,
        by: Option<OpId>,
    ) -> SlotId {
        let slot = Slot::new(Some(self.new_text(key)), value, by);
        let at = self.insert(id, self.children(id).len(), slot);
        self.opened[id].lookup.add(Some(key), at);
        at
    }

    /// Inserts an entry that a path names into opened mapping `id`. Beside integers, the name of
    /// an integer is one.
    pub(crate) fn insert_named(
        &mut self,
        id: u32,
        name: &str,
        value: NodeId,
        by: Option<OpId>,
    ) -> SlotId {
        let Some(key) = self.integer_key(id, name) else {
            return self.insert_entry(id, name, value, by);
        };
        let at =
            self.insert(id, self.children(id).len(), Slot::new(Some(key), value, by));
        self.note_other_key(id, key, at);
        at
    }

    /// Returns the new key that a path names in opened mapping `id`, if it is an integer: its
    /// name is one, and all other keys are.
    pub(crate) fn integer_key(&mut self, id: u32, name: &str) -> Option<NodeId> {
        let number =
            name.parse::<i64>().ok().filter(|number| number.to_string() == name)?;
        if !self.names_other_keys() || !self.has_integers_only(id) {
            return None;
        }
        Some(self.new_scalar(Scalar::Int(number.into())))
    }

    fn has_integers_only(&mut self, id: u32) -> bool {
        if let Some(known) = self.opened[id].lookup.has_integers_only {
            return known;
        }
        let is_other = |key| self.kind(key) != Kind::Scalar || !self.is_integer(key);
        let has_keys = !self.children(id).is_empty();
        let all = has_keys && self.slots_with(id, is_other).next().is_none();
        self.opened[id].lookup.has_integers_only = Some(all);
        all
    }

    fn is_integer(&self, key: NodeId) -> bool {
        matches!(self.scalar(key), Scalar::Int(_) | Scalar::Big(_))
    }

    /// Tells the indexes of opened mapping `id` that it has a new key, which is no string.
    fn note_other_key(&mut self, id: u32, key: NodeId, at: SlotId) {
        let keys = self.opened[id].lookup.keys.take();
        let keys = keys.map(|mut keys| {
            self.index_key(&mut keys, key, at);
            keys
        });
        let lookup = &mut self.opened[id].lookup;
        lookup.keys = keys;
        lookup.names = None;
    }

    /// Adds an entry with a key of any type at the end of opened mapping `id`.
    pub(crate) fn push_entry(&mut self, id: u32, key: NodeId, value: NodeId) {
        self.insert_entry_at(id, self.children(id).len(), key, value);
    }

    /// Inserts an entry with a key of any type into opened mapping `id`, before the one at
    /// `position`.
    pub(crate) fn insert_entry_at(
        &mut self,
        id: u32,
        position: usize,
        key: NodeId,
        value: NodeId,
    ) -> SlotId {
        let is_last = position == self.children(id).len();
        let before = std::mem::take(&mut self.opened[id].lookup);
        let at = self.insert(id, position, Slot::new(Some(key), value, None));
        if let Some(mut keys) = before.keys.filter(|_| is_last) {
            self.index_key(&mut keys, key, at);
            let lookup = Lookup { keys: Some(keys), searched: true, ..Lookup::default() };
            self.opened[id].lookup = lookup;
        }
        at
    }

    pub(crate) fn remove_item(&mut self, id: u32, at: SlotId) {
        self.note_removal(id, at);
        self.take_out(id, at);
    }

    /// Removes one entry of opened mapping `id`, and none of those with an equal key.
    pub(crate) fn remove_only(&mut self, id: u32, at: SlotId) {
        self.note_removal(id, at);
        self.remove_slot(id, at);
    }

    pub(crate) fn remove_slot(&mut self, id: u32, at: SlotId) {
        self.opened[id].lookup = Lookup::default();
        self.take_out(id, at);
    }

    pub(super) fn take_out(&mut self, id: u32, at: SlotId) {
        self.leave(Seat::Slot(id, at));
        self.children_mut(id).remove(at);
    }

    /// Removes every entry with the string key `key` from opened mapping `id`. If it
    /// comes from `<<`, the merge is written out first.
    pub(crate) fn remove_entry(&mut self, id: u32, key: &str) {
        let merges = self.merges(id);
        if merges.iter().any(|&at| self.merged(id, at, key).is_some()) {
            self.expand_merge_keys(id);
        }
        let Some(last) = self.find_key(id, key) else { return };
        self.note_removal(id, last);
        self.remove_named(id, key);
    }

    /// Removes all own entries with a key from opened mapping `id`, which is no change of its
    /// own: the caller notes what becomes of the effective one.
    pub(crate) fn remove_overridden(&mut self, id: u32, key: NodeId) {
        if let Some(text) = self.owned_string(key) {
            return self.remove_named(id, &text);
        }
        if self.is_alone(id, key) {
            return;
        }
        let same = self.slots_with(id, |other| self.is_same_key(other, key));
        let same: Vec<SlotId> = same.collect();
        for at in same {
            self.take_out(id, at);
        }
    }

    /// Returns true if an index knows that no two keys of opened mapping `id` are equal, of
    /// those that are strings or of the others, as `key` is. Many entries may be removed or
    /// renamed one by one.
    pub(super) fn is_alone(&self, id: u32, key: NodeId) -> bool {
        let lookup = &self.opened[id].lookup;
        if self.string(key).is_some() {
            lookup.is_unique()
        } else {
            lookup.is_unique_but_strings()
        }
    }

    /// Returns the keys of opened mapping `id` that equal one of its own. Keys that are
    /// collections have an entry each, and no equal ones.
    pub(crate) fn equal_keys(&self, id: u32, key: NodeId) -> Vec<NodeId> {
        if self.identity(key).is_none() || self.is_alone(id, key) {
            return vec![key];
        }
        let slots = self.slots_with(id, |other| self.is_same_key(other, key));
        slots.filter_map(|at| self.children(id).get(at).key).collect()
    }

    /// Removes all own entries with the string key `key` from opened mapping `id`.
    fn remove_named(&mut self, id: u32, key: &str) {
        let Some(last) = self.find_key(id, key) else { return };
        let all: Vec<SlotId> = if self.opened[id].lookup.is_unique() {
            vec![last]
        } else {
            self.slots_with(id, |k| self.is_named(k, key)).collect()
        };
        for at in all {
            self.take_out(id, at);
        }
        self.opened[id].lookup.remove(key);
    }

    /// Returns the seat of the effective entry of a key of any type in opened mapping
    /// `id`. An entry from `<<` becomes an own entry.
    pub(crate) fn entry_of(&mut self, id: u32, key: NodeId) -> Option<Seat> {
        if let Some(text) = self.owned_string(key) {
            return self.entry(id, &text, true);
        }
        let mut own = self.indexed_other(id, key);
        if own.is_none() && !self.lacks_other(id, key) {
            let here = self.slots_with(id, |k| k == key).next();
            own =
                here.or_else(|| self.slots_with(id, |k| self.is_same_key(k, key)).last());
        }
        let own = own.or_else(|| self.override_merged_other(id, key));
        if own.is_none() && !self.merges(id).is_empty() {
            self.expand_merge_keys(id);
            return self.entry_of(id, key);
        }
        own.map(|at| Seat::Slot(id, at))
    }

    /// Removes the entry with a key of any type from opened mapping `id`, and all that it
    /// overrides: those with an equal key that is a scalar. Of equal keys that are collections,
    /// each has an entry of its own, as in [`Tree::pairs`].
    pub(crate) fn remove_entry_of(&mut self, id: u32, key: NodeId) {
        if let Some(text) = self.owned_string(key) {
            return self.remove_entry(id, &text);
        }
        if self.merges_other(id, key) {
            self.expand_merge_keys(id);
        }
        if let Some(Seat::Slot(id, at)) = self.entry_of(id, key) {
            if self.identity(key).is_none() {
                return self.remove_item(id, at);
            }
            if self.is_alone(id, key) {
                return self.remove_equal_entries(id, &[at]);
            }
            let all: Vec<SlotId> =
                self.slots_with(id, |other| self.is_same_key(other, key)).collect();
            self.remove_equal_entries(id, &all);
        }
    }

    /// Removes all entries with one key, which is no string, from opened mapping `id`. The
    /// last one overrides the others.
    pub(crate) fn remove_equal_entries(&mut self, id: u32, all: &[SlotId]) {
        if let Some(&last) = all.last() {
            self.note_removal(id, last);
        }
        for &at in all {
            self.take_out(id, at);
        }
    }

    /// Gives a slot of opened mapping `id` another key, and removes an entry that has it.
    pub(crate) fn rename(&mut self, id: u32, at: SlotId, key: NodeId) {
        let mut digests = self.key_digests(id);
        self.rename_with_digests(id, at, key, &mut digests);
    }

    /// Renames one of many slots of a mapping, whose digests are `digests`.
    // One by one, each rename would read all keys again.
    pub(crate) fn rename_with_digests(
        &mut self,
        id: u32,
        at: SlotId,
        key: NodeId,
        digests: &mut KeyDigests,
    ) {
        // A collection has no digest, and is no null.
        let twin = self.identity_as_written(key).and_then(|identity| {
            let slots = self.children(id);
            let others = digests.of(identity.digest());
            let twin = others.iter().copied().find(|&other| {
                let key = slots.get(other).key;
                other != at
                    && slots.holds(other)
                    && key.and_then(|key| self.identity_as_written(key)).as_ref()
                        == Some(&identity)
            });
            others.push(at);
            twin
        });
        if let Some(twin) = twin {
            self.take_out(id, twin);
        }
        self.children_mut(id).get_mut(at).key = Some(key);
        self.opened[id].lookup = Lookup::default();
    }

    /// Gives the entry at a seat another key: the same with other properties, or one that no
    /// other entry has.
    pub(crate) fn give_key(&mut self, seat: Seat, key: NodeId) {
        if let Seat::Slot(id, at) = seat {
            self.opened[id].lookup = Lookup::default();
            self.children_mut(id).get_mut(at).key = Some(key);
        }
    }

    /// Gives an entry of opened mapping `id` a key that no entry has, by an op.
    pub(crate) fn move_key(
        &mut self,
        id: u32,
        at: SlotId,
        key: NodeId,
        by: Option<OpId>,
    ) {
        self.note_removal(id, at);
        let was = self.children(id).get(at).key;
        let old = was.and_then(|old| self.owned_string(old));
        let other = was.and_then(|old| self.member_name(old)).map(String::from);
        let new = self.owned_string(key);
        let slot = self.children_mut(id).get_mut(at);
        slot.key = Some(key);
        slot.by = by;
        let value = slot.value;
        let lookup = &mut self.opened[id].lookup;
        match (old, other, new) {
            // A new index for each of many ops would take quadratic time.
            (Some(old), _, Some(new)) if lookup.is_unique() => {
                lookup.remove(&old);
                lookup.add(Some(&new), at);
            }
            (None, Some(old), Some(new)) if lookup.is_unique() => {
                lookup.remove_other(&old);
                lookup.add(Some(&new), at);
            }
            (None, Some(old), None) if lookup.is_unique() => {
                lookup.remove_other(&old);
                self.note_other_key(id, key, at);
            }
            _ => *lookup = Lookup::default(),
        }
        self.note_change(Seat::Slot(id, at), None, Some(value));
    }

    /// Tells the indexes that the entry `key` of an item of opened sequence `id` changes.
    pub(crate) fn mark_changed(&mut self, id: u32, at: SlotId, key: &str) {
        self.opened[id].lookup.mark_changed(Some(key), at);
    }

    /// Puts the children of opened collection `id` in another order, which names each slot
    /// once.
    pub(crate) fn reorder(&mut self, id: u32, order: &[SlotId]) {
        let mut slots = self.children(id).clone();
        slots.reorder(order);
        self.set_children(id, slots);
    }

    pub(crate) fn set_children(&mut self, id: u32, slots: Slots) {
        self.opened[id].merges = self.merge_slots(&slots);
        self.opened[id].lookup = Lookup::default();
        *self.children_mut(id) = slots;
    }

    /// Gives comments to the entry at a seat; those it got before stay where the new ones
    /// are as written.
    pub(crate) fn give_comments(&mut self, seat: Seat, new: EntryComments) {
        let Seat::Slot(id, at) = seat else { return };
        if new.is_unchanged() {
            return;
        }
        let before = self.comments(self.children(id).get(at)).cloned();
        let number = self.hints_mut().add_comments(new.or(before.unwrap_or_default()));
        self.children_mut(id).get_mut(at).comments = number;
    }

    /// Returns the blanks before a new comment behind an entry: those of all others.
    pub(crate) fn blanks_before_comments(&mut self) -> Arc<str> {
        if let Some(known) = &self.hints().blanks_before_comments {
            return known.clone();
        }
        let gap: Arc<str> = blanks_before_comments(self.base()).unwrap_or(" ").into();
        self.hints_mut().blanks_before_comments = Some(gap.clone());
        gap
    }

    /// Gives an opened node the tag of a written one, or none if that has none.
    pub(crate) fn retag(&mut self, id: u32, file: FileId, i: Index) {
        self.opened[id].tagged_as = Some((file, i));
    }

    fn owned_string(&self, node: NodeId) -> Option<String> {
        self.string(node).map(Cow::into_owned)
    }
}
