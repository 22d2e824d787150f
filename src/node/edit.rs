//! Laying edits over a document: nodes are opened along the path of an edit, then slots
//! are set, added and removed.

use std::collections::HashSet;

use super::index::{KeyDigests, Lookup};
use super::read::written_slots;
use super::{Body, Document, Kind, Node, OpId, Opened, Slot, SlotId, Slots};
use crate::arena::Index;
use crate::scalar::{Dialect, Scalar};
use crate::source::{FileId, Span};

/// Where a node sits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seat {
    /// The root of a document of the stream.
    Root(usize),
    /// A slot of an opened collection.
    Slot(u32, SlotId),
    /// Nowhere: made to be looked at.
    Detached(Node),
}

impl Document {
    /// The node that sits there.
    pub(crate) fn node_at(&self, seat: Seat) -> Node {
        match seat {
            Seat::Root(at) => self.roots[at],
            Seat::Slot(id, at) => self.children(id).get(at).value,
            Seat::Detached(node) => node,
        }
    }

    /// Seats a node in the place of another.
    pub(crate) fn set_at(&mut self, seat: Seat, node: Node, by: Option<OpId>) {
        match seat {
            Seat::Root(at) => self.roots[at] = node,
            Seat::Slot(id, at) => {
                let slot = self.children_mut(id).get_mut(at);
                (slot.value, slot.by) = (node, by.or(slot.by));
                self.opened[id as usize].lookup.touched(None, at);
            }
            Seat::Detached(_) => {}
        }
    }

    /// Opens the collection that sits there; `None` for a scalar. What is reached through
    /// an alias is copied first: an alias stands for a copy; and so is what may stand
    /// elsewhere, too. With `attach` false the copy is left detached, so that looking changes
    /// nothing.
    pub(crate) fn open(&mut self, seat: Seat, attach: bool) -> Option<u32> {
        let seated = self.node_at(seat);
        let node = self.follow(seated);
        let Node::Clean(file, i) = node else {
            let Node::Opened(id) = node else { return None };
            let copies = attach && self.is_frozen(id);
            let id = (self.kind(node) != Kind::Scalar).then_some(id)?;
            return Some(if copies { self.copy_frozen(seat, id) } else { id });
        };
        let seated = match seat {
            Seat::Detached(_) => None,
            Seat::Root(_) | Seat::Slot(..) => (attach || node == seated).then_some(seat),
        };
        if seated.is_none()
            && let Some(&id) = self.detached.get(&(file, i))
        {
            return Some(id);
        }
        let slots = Slots::new(written_slots(self.arena(file), i));
        let body = match self.kind(node) {
            Kind::Scalar => return None,
            Kind::Sequence => Body::Sequence(slots),
            Kind::Mapping => Body::Mapping(slots),
        };
        let id = self.push(Some((file, i)), body);
        match seated {
            Some(seat) => self.replace_at(seat, Node::Opened(id)),
            None => drop(self.detached.insert((file, i), id)),
        }
        Some(id)
    }

    /// Seats a node that means the same.
    pub(super) fn replace_at(&mut self, seat: Seat, node: Node) {
        match seat {
            Seat::Root(at) => self.roots[at] = node,
            Seat::Slot(id, at) => self.children_mut(id).get_mut(at).value = node,
            Seat::Detached(_) => {}
        }
    }

    pub(super) fn push(&mut self, was: Option<(FileId, u32)>, body: Body) -> u32 {
        let merges = match &body {
            Body::Mapping(slots) => {
                slots.ids().filter(|&at| self.is_merge(slots.get(at))).collect()
            }
            Body::Scalar(_) | Body::Sequence(_) => Vec::new(),
        };
        self.opened.push(Opened { was, body, merges, lookup: Lookup::default() });
        self.opened.len() as u32 - 1
    }

    /// A new string.
    pub(crate) fn new_text(&mut self, text: &str) -> Node {
        Node::Opened(
            self.push(None, Body::Scalar(Scalar::String(text.to_owned().into()))),
        )
    }

    /// A new string that no message shows.
    pub(crate) fn new_secret(&mut self, text: &str) -> Node {
        let node = self.new_text(text);
        self.hide(node);
        node
    }

    /// From now on no message shows `node`.
    pub(crate) fn hide(&mut self, node: Node) {
        self.secret.insert(node);
    }

    /// A new null.
    pub(crate) fn new_null(&mut self) -> Node {
        Node::Opened(self.push(None, Body::Scalar(Scalar::Null)))
    }

    /// A new sequence without items.
    pub(crate) fn new_sequence(&mut self) -> Node {
        Node::Opened(self.push(None, Body::Sequence(Slots::default())))
    }

    /// A new mapping with string keys.
    pub(crate) fn new_mapping(
        &mut self,
        entries: &[(&str, &str)],
        by: Option<OpId>,
    ) -> Node {
        let slots = entries.iter().map(|(key, value)| {
            let (key, value) = (Some(self.new_text(key)), self.new_text(value));
            Slot { was: None, key, value, by }
        });
        let slots = Slots::new(slots.collect());
        Node::Opened(self.push(None, Body::Mapping(slots)))
    }

    /// The place of what sits there, for people: the first line of it, or its key.
    pub(crate) fn span_at(&self, seat: Seat) -> Option<Span> {
        let slot = match seat {
            Seat::Slot(id, at) => Some(self.children(id).get(at)),
            Seat::Root(_) | Seat::Detached(_) => None,
        };
        let key = slot.and_then(|slot| self.span(slot.key?));
        Some(self.first_line(key.or_else(|| self.span(self.node_at(seat)))?))
    }

    /// The entry `key` of an item of opened sequence `id` is about to change.
    pub(crate) fn mark_changed(&mut self, id: u32, at: SlotId, key: &str) {
        self.opened[id as usize].lookup.touched(Some(key), at);
    }

    /// Gives a slot of opened mapping `id` another key. An entry that had the key gives way.
    pub(crate) fn rename(&mut self, id: u32, at: SlotId, key: Node) {
        let mut names = self.key_digests(id);
        self.rename_with_digests(id, at, key, &mut names);
    }

    /// As [`Document::rename`], for one of many; `names` are the mapping's.
    pub(crate) fn rename_with_digests(
        &mut self,
        id: u32,
        at: SlotId,
        key: Node,
        names: &mut KeyDigests,
    ) {
        let same = |slot: &Slot| {
            let other = slot.key.filter(|&other| self.kind(other) == Kind::Scalar);
            other.is_some_and(|other| {
                self.scalar_as_written(other).identity()
                    == self.scalar_as_written(key).identity()
            })
        };
        let slots = self.children(id);
        let others =
            names.0.entry(self.scalar_as_written(key).identity().digest()).or_default();
        let twin = others
            .iter()
            .copied()
            .find(|&other| other != at && slots.holds(other) && same(slots.get(other)));
        others.push(at);
        if let Some(twin) = twin {
            self.children_mut(id).remove(twin);
        }
        self.children_mut(id).get_mut(at).key = Some(key);
        self.opened[id as usize].lookup = Lookup::default();
    }

    /// Lets `node` stand in for written node `i` wherever an alias names it: what was
    /// done to the one was done to all.
    pub(crate) fn set_alias_value(&mut self, file: FileId, i: Index, node: Node) {
        self.alias_values.insert((file, i), node);
    }

    /// What stands in for written node `i`.
    pub(crate) fn alias_value(&self, file: FileId, i: Index) -> Option<Node> {
        self.alias_values.get(&(file, i)).copied()
    }

    /// A string in the place and the style of `was`.
    pub(crate) fn new_text_like(&mut self, text: &str, was: Node) -> Node {
        let was = match was {
            Node::Clean(file, i) => Some((file, i)),
            Node::Opened(id) => self.opened[id as usize].was,
        };
        Node::Opened(self.push(was, Body::Scalar(Scalar::String(text.to_owned().into()))))
    }

    /// A seat outside of every root that `node` can be opened in.
    pub(crate) fn scratch_seat(&mut self, node: Node) -> Seat {
        let slot = Slot { was: None, key: None, value: node, by: None };
        Seat::Slot(self.push(None, Body::Sequence(Slots::new(vec![slot]))), 0)
    }

    pub(crate) fn children_mut(&mut self, id: u32) -> &mut Slots {
        let opened = &mut self.opened[id as usize];
        match &mut opened.body {
            Body::Sequence(slots) | Body::Mapping(slots) => slots,
            Body::Scalar(_) => unreachable!("only collections are opened"),
        }
    }

    /// Puts an item into opened sequence `id`, before the one at `position`.
    pub(crate) fn insert_item(
        &mut self,
        id: u32,
        position: usize,
        value: Node,
        by: Option<OpId>,
    ) -> SlotId {
        let slot = Slot { was: None, key: None, value, by };
        let at = self.children_mut(id).insert(position, slot);
        self.opened[id as usize].lookup.added(None, at);
        at
    }

    /// Adds an entry at the end of opened mapping `id`.
    pub(crate) fn insert_entry(
        &mut self,
        id: u32,
        key: &str,
        value: Node,
        by: Option<OpId>,
    ) -> SlotId {
        let slot = Slot { was: None, key: Some(self.new_text(key)), value, by };
        let end = self.children(id).len();
        let at = self.children_mut(id).insert(end, slot);
        self.opened[id as usize].lookup.added(Some(key), at);
        at
    }

    /// Removes an item of opened sequence `id`.
    pub(crate) fn remove_item(&mut self, id: u32, at: SlotId) {
        self.children_mut(id).remove(at);
    }

    fn remove_key(&mut self, id: u32, at: SlotId, key: &str) {
        self.children_mut(id).remove(at);
        self.opened[id as usize].lookup.removed(key);
    }

    /// The slot of the entry that counts for the string `key` in opened mapping `id`. An
    /// entry that comes from `<<` becomes an own entry when it is to be changed.
    pub(crate) fn entry(&mut self, id: u32, key: &str, attach: bool) -> Option<Seat> {
        let own = self.find_key(id, key);
        let merges = self.merges(id);
        if merges.is_empty() {
            return own.map(|at| Seat::Slot(id, at));
        }
        let go = self.base().dialect() == Dialect::Go;
        let place = own.map(|at| self.children(id).position(at));
        let stronger = |it: &Document, &at: &SlotId| {
            place.is_none_or(|own| go && it.children(id).position(at) > own)
        };
        let mut sources = merges.iter().rev();
        let value = sources.find_map(|&at| {
            stronger(self, &at).then(|| self.merged(id, at, key)).flatten()
        });
        let Some(value) = value else { return own.map(|at| Seat::Slot(id, at)) };
        if !attach {
            return Some(Seat::Detached(value));
        }
        let last = merges.iter().map(|&at| self.children(id).position(at)).max();
        let position = last.map_or(0, |last| last + 1);
        Some(self.override_merged(id, own, position, key, value))
    }

    /// The value of the string `key` in what the entry `<<` at a slot gives. What was
    /// written is read once.
    pub(super) fn merged(&mut self, id: u32, at: SlotId, key: &str) -> Option<Node> {
        let value = self.follow(self.children(id).get(at).value);
        let Node::Clean(file, i) = value else {
            let pairs = self.merged_pairs(value);
            let found = pairs.into_iter().find(|&(k, _)| self.is_text(k, key));
            return found.map(|(_, value)| value);
        };
        if !self.merged.contains_key(&(file, i)) {
            let pairs = self.merged_pairs(value).into_iter();
            let entry = |(key, value)| match self.scalar(key) {
                Scalar::String(text) if self.kind(key) == Kind::Scalar => {
                    Some((text.into(), value))
                }
                _ => None,
            };
            let values = pairs.filter_map(entry).collect();
            self.merged.insert((file, i), values);
        }
        self.merged.get(&(file, i))?.get(key).copied()
    }

    fn override_merged(
        &mut self,
        id: u32,
        own: Option<SlotId>,
        position: usize,
        key: &str,
        value: Node,
    ) -> Seat {
        let slot = Slot { was: None, key: Some(self.new_text(key)), value, by: None };
        let at = self.children_mut(id).insert(position, slot);
        if let Some(own) = own {
            self.remove_key(id, own, key);
        }
        self.opened[id as usize].lookup.added(Some(key), at);
        Seat::Slot(id, at)
    }

    /// Removes every entry that stands for the string `key` from opened mapping `id`. If
    /// it comes from `<<`, what is merged is written out first.
    pub(crate) fn remove_entry(&mut self, id: u32, key: &str) {
        let merges = self.merges(id);
        if merges.iter().any(|&at| self.merged(id, at, key).is_some()) {
            self.expand_merge_keys(id);
        }
        let Some(last) = self.find_key(id, key) else { return };
        let slots = self.children(id);
        let is = |at: &SlotId| slots.get(*at).key.is_some_and(|k| self.is_text(k, key));
        let all: Vec<SlotId> = if self.opened[id as usize].lookup.is_unique() {
            vec![last]
        } else {
            slots.ids().filter(is).collect()
        };
        for at in all {
            self.children_mut(id).remove(at);
        }
        self.opened[id as usize].lookup.removed(key);
    }

    pub(super) fn merges(&self, id: u32) -> Vec<SlotId> {
        let slots = self.children(id);
        let merges = self.opened[id as usize].merges.iter().copied();
        merges.filter(|&at| slots.holds(at)).collect()
    }

    /// Replaces the `<<` of opened mapping `id` by the entries that it gives.
    pub(crate) fn expand_merge_keys(&mut self, id: u32) {
        let merges = self.merges(id);
        let pairs = self.pairs(Node::Opened(id));
        let own: HashSet<Node> =
            self.children(id).iter().filter_map(|slot| slot.key).collect();
        let mut position = merges.first().map_or(0, |&at| self.children(id).position(at));
        for (key, value) in pairs {
            if !own.contains(&key) {
                let slot = Slot { was: None, key: Some(key), value, by: None };
                self.children_mut(id).insert(position, slot);
                position += 1;
            }
        }
        for at in merges {
            self.children_mut(id).remove(at);
        }
        self.opened[id as usize].merges.clear();
        self.opened[id as usize].lookup = Lookup::default();
    }
}
