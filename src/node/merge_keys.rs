//! The entries of mappings with the merge key `<<`: which of them count, and edits of those
//! that a source provides.

use std::borrow::Cow;
use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::index::Lookup;
use super::merge_sources::Provided;
use super::opened::{Body, Kind, Opened};
use super::path::Seat;
use super::slots::{NodeId, Slot, SlotId, Slots};
use super::tree::Tree;
use crate::arena::{Index, flag};
use crate::scalar::{Dialect, Identity};
use crate::source::FileId;

impl Tree {
    /// The entries of a mapping, each key once, `<<` followed; none for anything else.
    pub fn pairs(&self, node: NodeId) -> Vec<(NodeId, NodeId)> {
        self.effective_pairs(node).0
    }

    /// The entries of a mapping, each key once, and the number of overridden entries.
    pub fn effective_pairs(&self, node: NodeId) -> (Vec<(NodeId, NodeId)>, usize) {
        match self.distinct(node) {
            Some(pairs) => (pairs, 0),
            None => EffectivePairs::collected(self, node),
        }
    }

    /// The entries of a mapping as written, if it surely has no `<<` and no duplicates.
    fn distinct(&self, node: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        let pairs: Vec<(NodeId, NodeId)> = match self.follow(node) {
            NodeId::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let arena = self.arena(file);
                if self.has_written_merge(file, i) {
                    return None;
                }
                let entries = arena.entries(i);
                entries
                    .map(|(key, value)| {
                        (NodeId::Clean(file, key), NodeId::Clean(file, value))
                    })
                    .collect()
            }
            NodeId::Clean(..) => Vec::new(),
            NodeId::Opened(id) => match &self.opened[id] {
                Opened { merges, .. } if !merges.is_empty() => return None,
                Opened { body: Body::Mapping(slots), .. } => slots
                    .iter()
                    .filter_map(|slot| Some((slot.key?, slot.value)))
                    .collect(),
                _ => Vec::new(),
            },
        };
        // Sorting digests is much cheaper than a set of identities, which own their
        // strings.
        let several = if pairs.len() > 1 { &pairs[..] } else { &[] };
        let mut digests = Vec::with_capacity(several.len());
        for &(key, _) in several {
            if self.kind(key) != Kind::Scalar {
                return None;
            }
            digests.push(self.scalar(key).identity().digest());
        }
        digests.sort_unstable();
        digests.is_sorted_by(|a, b| a < b).then_some(pairs)
    }

    /// Returns the own entries of opened mapping `id` that another entry overrides.
    pub(crate) fn passed_slots(&self, id: u32) -> HashSet<SlotId> {
        let node = NodeId::Opened(id);
        if self.distinct(node).is_some() {
            return HashSet::new();
        }
        let kept: HashSet<(NodeId, NodeId)> = self.pairs(node).into_iter().collect();
        let slots = self.children(id);
        let is_passed = |slot: &Slot| {
            let pair = slot.key.map(|key| (key, slot.value));
            pair.is_some_and(|pair| !kept.contains(&pair)) && !self.is_merge(slot)
        };
        slots.ids().filter(|&at| is_passed(slots.get(at))).collect()
    }

    fn merged_pairs(&self, value: NodeId) -> Vec<(NodeId, NodeId)> {
        EffectivePairs::of_sources(self, value).collect().0
    }

    /// Returns the value of the string key `key` of a mapping.
    pub fn get(&self, node: NodeId, key: &str) -> Option<NodeId> {
        self.find_slot(node, key).map(|slot| slot.value)
    }

    /// Returns the effective entry of the string key `key` of a mapping: an own one, or
    /// the one that a `<<` provides.
    pub(crate) fn find_slot(&self, node: NodeId, key: &str) -> Option<Slot> {
        match self.follow(node) {
            NodeId::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let arena = self.arena(file);
                let slots = arena.entries(i);
                let slots = slots.map(|(key, value)| Slot::of_entry(arena, key, value));
                self.find_among(slots, node, key)
            }
            NodeId::Opened(id) => {
                self.find_among(self.children(id).iter().copied(), node, key)
            }
            NodeId::Clean(..) => None,
        }
    }

    /// Returns the effective entry of a string key of a mapping that has these entries.
    fn find_among(
        &self,
        slots: impl Iterator<Item = Slot>,
        mapping: NodeId,
        name: &str,
    ) -> Option<Slot> {
        let mut found = None;
        for slot in slots {
            let Some(key) = slot.key else { continue };
            // Without `<<` the last entry counts, and the others need not be compared.
            if self.is_merge_key(key) {
                return EffectivePairs::of(self, mapping).find(name);
            }
            if self.is_named(key, name) {
                found = Some(slot);
            }
        }
        found
    }

    /// The children of a collection as written, `<<` and duplicates included. Of a text of
    /// yaml.v2 in a document of another dialect, entries before a `<<` that overrides them
    /// are left out: in that dialect they would override it.
    pub fn slots(&self, node: NodeId) -> Cow<'_, [Slot]> {
        let mut slots = self.all_slots(node);
        if let NodeId::Clean(file, i) = self.follow(node)
            && self.arena(file).dialect() == Dialect::Go
            && self.dialect() != Dialect::Go
            && self.has_written_merge(file, i)
        {
            let overridden = self.merge_sources.overridden(self.arena(file));
            slots
                .to_mut()
                .retain(|slot| !slot.was.is_some_and(|key| overridden.contains(&key)));
        }
        slots
    }

    /// The children of a collection as written, the overridden ones included.
    fn all_slots(&self, node: NodeId) -> Cow<'_, [Slot]> {
        match self.follow(node) {
            NodeId::Clean(file, i) => Cow::Owned(Slot::of_children(self.arena(file), i)),
            NodeId::Opened(id) => match &self.opened[id].body {
                Body::Scalar(_) => Cow::Borrowed(&[]),
                Body::Sequence(slots) | Body::Mapping(slots) => slots.to_slice(),
            },
        }
    }

    /// Returns the keys of a mapping that merge others into it.
    pub(crate) fn merge_keys(&self, mapping: NodeId) -> Vec<NodeId> {
        match self.follow(mapping) {
            NodeId::Clean(file, i) if self.kind(mapping) == Kind::Mapping => {
                let arena = self.arena(file);
                let keys = arena.entries(i).map(|(key, _)| key);
                let merges = keys.filter(|&key| arena.has(key, flag::MERGE_KEY));
                merges.map(|key| NodeId::Clean(file, key)).collect()
            }
            NodeId::Clean(..) => Vec::new(),
            NodeId::Opened(id) => {
                let slots = self.children(id);
                let keys = self.merges(id).into_iter().map(|at| slots.get(at).key);
                keys.flatten().collect()
            }
        }
    }

    /// Returns true if a written mapping has an entry with the key `<<`.
    pub(super) fn has_written_merge(&self, file: FileId, i: Index) -> bool {
        let arena = self.arena(file);
        arena.style(i).is_mapping()
            && arena.entries(i).any(|(key, _)| arena.has(key, flag::MERGE_KEY))
    }

    /// Returns true if opened mapping `id` has an entry `<<`.
    pub(crate) fn has_merges(&self, id: u32) -> bool {
        !self.merges(id).is_empty()
    }

    pub(super) fn merges(&self, id: u32) -> Vec<SlotId> {
        let slots = self.children(id);
        let merges = self.opened[id].merges.iter().copied();
        merges.filter(|&at| slots.holds(at)).collect()
    }

    /// Returns those of some slots that are entries with the key `<<`.
    pub(super) fn merge_slots(&self, slots: &Slots) -> Vec<SlotId> {
        slots.ids().filter(|&at| self.is_merge(slots.get(at))).collect()
    }

    /// Returns true if `slot` is an entry with the key `<<`.
    pub fn is_merge(&self, slot: &Slot) -> bool {
        slot.key.is_some_and(|key| self.is_merge_key(key))
    }

    pub(crate) fn is_merge_key(&self, key: NodeId) -> bool {
        match key {
            NodeId::Clean(file, i) => self.arena(file).has(i, flag::MERGE_KEY),
            NodeId::Opened(_) => false,
        }
    }

    /// Returns true if `key` is the string key `name`.
    pub(super) fn is_named(&self, key: NodeId, name: &str) -> bool {
        self.is_text(key, name) && !self.is_nameless(key)
    }

    /// Returns true for a merge key in Go's dialect, which is no key once it was read.
    pub(super) fn is_nameless(&self, key: NodeId) -> bool {
        self.is_merge_key(key) && self.dialect() == Dialect::Go
    }

    /// Returns the sources that the value of a `<<` names, the strongest first.
    fn sources(&self, value: NodeId) -> Vec<NodeId> {
        let value = self.follow(value);
        match self.kind(value) {
            Kind::Sequence => {
                self.items(value).into_iter().map(|item| self.follow(item)).collect()
            }
            Kind::Mapping => vec![value],
            Kind::Scalar => Vec::new(),
        }
    }

    /// Returns the sources of a mapping.
    fn merging_sources(&self, mapping: NodeId) -> Vec<NodeId> {
        let slots = self.all_slots(mapping);
        let merges = slots.iter().filter(|slot| self.is_merge(slot));
        merges.flat_map(|slot| self.sources(slot.value)).collect()
    }

    /// Returns what a source with sources of its own provides, if that is known.
    fn provided(&self, source: NodeId) -> Option<(FileId, Provided)> {
        let (file, i) = self.merging(source)?;
        Some((file, self.merge_sources.get(file, i)?))
    }

    /// Returns a written mapping with a `<<`, of which no edit changes what it provides.
    fn merging(&self, source: NodeId) -> Option<(FileId, Index)> {
        let NodeId::Clean(file, i) = source else { return None };
        (!self.has_alias_values() && self.has_written_merge(file, i)).then_some((file, i))
    }

    /// Finds out what sources provide that have sources of their own, inner ones first.
    // A chain of sources would otherwise be read from its end to its start for each link.
    fn learn(&self, sources: Vec<NodeId>) {
        let mut todo = sources;
        while let Some(&source) = todo.last() {
            let Some((file, i)) = self.unlearned(source) else {
                todo.pop();
                continue;
            };
            if self.merge_sources.is_full() {
                return;
            }
            let before = todo.len();
            let inner = self.merging_sources(source).into_iter();
            todo.extend(inner.filter(|&inner| self.unlearned(inner).is_some()));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let mut search = EffectivePairs::new(self);
            search.push_mapping(source);
            let (pairs, passed) = search.collect();
            let mut entries = Vec::with_capacity(pairs.len());
            for pair in pairs {
                if let (NodeId::Clean(_, key), NodeId::Clean(_, value)) = pair {
                    entries.push((key, value));
                }
            }
            let provided = Provided { entries: entries.into(), passed };
            self.merge_sources.insert(file, i, provided);
        }
    }

    /// Returns a written mapping with a `<<` of which is not known what it provides.
    fn unlearned(&self, source: NodeId) -> Option<(FileId, Index)> {
        self.merging(source).filter(|&(file, i)| !self.merge_sources.has(file, i))
    }

    /// Returns the seat of the effective entry of the string `key` in opened mapping
    /// `id`. If `attach` is true, an entry from `<<` becomes an own entry.
    pub(crate) fn entry(&mut self, id: u32, key: &str, attach: bool) -> Option<Seat> {
        let own = self.find_key(id, key);
        let merges = self.merges(id);
        if merges.is_empty() {
            return own.map(|at| Seat::Slot(id, at));
        }
        let go = self.base().dialect() == Dialect::Go;
        let place = own.map(|at| self.children(id).position(at));
        let value = merges.iter().rev().find_map(|&at| {
            let overrides =
                place.is_none_or(|own| go && self.children(id).position(at) > own);
            overrides.then(|| self.merged(id, at, key)).flatten()
        });
        let Some(value) = value else { return own.map(|at| Seat::Slot(id, at)) };
        if !attach {
            return Some(Seat::Detached(value));
        }
        let last = merges.iter().map(|&at| self.children(id).position(at)).max();
        let position = last.map_or(0, |last| last + 1);
        Some(self.override_merged(id, own, position, key, value))
    }

    /// Returns the value of the string `key` that the entry `<<` at a slot provides.
    pub(super) fn merged(&mut self, id: u32, at: SlotId, key: &str) -> Option<NodeId> {
        let value = self.follow(self.children(id).get(at).value);
        let NodeId::Clean(file, i) = value else {
            let pairs = self.merged_pairs(value);
            let found = pairs.into_iter().find(|&(k, _)| self.is_text(k, key));
            return found.map(|(_, value)| value);
        };
        if self.merge_sources.values(file, i).is_none() {
            let pairs = self.merged_pairs(value).into_iter();
            let values = pairs
                .filter_map(|(key, value)| Some((self.string(key)?.into(), value)))
                .collect();
            self.merge_sources.insert_values(file, i, values);
        }
        self.merge_sources.values(file, i)?.get(key).copied()
    }

    fn override_merged(
        &mut self,
        id: u32,
        own: Option<SlotId>,
        position: usize,
        key: &str,
        value: NodeId,
    ) -> Seat {
        let slot = Slot::new(Some(self.new_text(key)), value, None);
        let at = self.children_mut(id).insert(position, slot);
        if let Some(own) = own {
            self.children_mut(id).remove(own);
            self.opened[id].lookup.remove(key);
        }
        self.opened[id].lookup.add(Some(key), at);
        Seat::Slot(id, at)
    }

    /// Returns true if a `<<` of opened mapping `id` provides a scalar key, which is no string.
    pub(super) fn merges_other(&self, id: u32, key: NodeId) -> bool {
        let merges = self.merges(id);
        self.identity(key).is_some()
            && merges.iter().any(|&at| {
                let source = self.follow(self.children(id).get(at).value);
                let mut pairs = self.merged_pairs(source).into_iter();
                pairs.any(|(other, _)| self.is_same_key(other, key))
            })
    }

    /// Makes the entry of a scalar key, which is no string and which a `<<` of opened mapping
    /// `id` provides, an own entry behind it.
    pub(super) fn override_merged_other(
        &mut self,
        id: u32,
        key: NodeId,
    ) -> Option<SlotId> {
        if !self.merges_other(id, key) {
            return None;
        }
        let mut pairs = self.pairs(NodeId::Opened(id)).into_iter();
        let (key, value) = pairs.find(|&(other, _)| self.is_same_key(other, key))?;
        let merges = self.merges(id);
        let slots = self.children(id);
        let last = merges.iter().map(|&at| slots.position(at)).max();
        let slot = Slot::new(Some(key), value, None);
        let at = self.children_mut(id).insert(last.map_or(0, |last| last + 1), slot);
        self.opened[id].lookup = Lookup::default();
        Some(at)
    }

    /// Returns the keys `<<` that edits have replaced since the last call.
    pub(crate) fn take_replaced_merge_keys(&mut self) -> Vec<NodeId> {
        self.merge_sources.take_replaced()
    }

    /// Replaces the `<<` of opened mapping `id` by the entries that it provides.
    pub(crate) fn expand_merge_keys(&mut self, id: u32) {
        let merges = self.merges(id);
        let pairs = self.pairs(NodeId::Opened(id));
        let slots = self.children(id);
        let own: HashMap<NodeId, SlotId> =
            slots.ids().filter_map(|at| Some((slots.get(at).key?, at))).collect();
        let mut position = merges.first().map_or(0, |&at| slots.position(at));
        for (key, value) in pairs {
            // An entry that overrides one of `<<` stands in its place: templates that print
            // the mapping show the order.
            if let Some(&at) = own.get(&key) {
                position = position.max(self.children(id).position(at) + 1);
            } else {
                let slot = Slot::new(Some(key), value, None);
                self.children_mut(id).insert(position, slot);
                position += 1;
            }
        }
        for at in merges {
            if let Some(key) = self.children(id).get(at).key {
                self.merge_sources.note_replaced(key);
            }
            self.take_out(id, at);
        }
        self.opened[id].merges.clear();
        self.opened[id].lookup = Lookup::default();
    }
}

/// The search for the effective entry of every key of a mapping, with `<<` and
/// duplicates: the first entry with the key, from the strongest to the weakest. A source
/// of `<<` that was visited before has nothing to add, and what a source with sources of its
/// own provides is known, so that the work is linear.
struct EffectivePairs<'a> {
    document: &'a Tree,
    pairs: Vec<(NodeId, NodeId, EntryPlace)>,
    keys: HashSet<Identity<'a>>,
    /// The keys that are collections.
    collections: HashSet<NodeId>,
    visited: HashSet<NodeId>,
    /// The parts that are not read yet, the strongest last.
    todo: Vec<Unread>,
    /// For each mapping, the number of those that were read completely before it.
    ends: Vec<usize>,
    ended: usize,
    read: usize,
}

/// The place of an entry among those that were read.
#[derive(Clone, Copy)]
struct EntryPlace {
    /// The number of the mapping.
    mapping: usize,
    position: usize,
}

/// A part of what is to be read.
enum Unread {
    Entry(Slot, EntryPlace),
    /// The end of the mapping with this number, and of its sources.
    End(usize),
}

impl<'a> EffectivePairs<'a> {
    fn new(document: &'a Tree) -> Self {
        EffectivePairs {
            document,
            pairs: Vec::new(),
            keys: HashSet::new(),
            collections: HashSet::new(),
            visited: HashSet::new(),
            todo: Vec::new(),
            ends: Vec::new(),
            ended: 0,
            read: 0,
        }
    }

    /// Returns the effective entries of a mapping, and the number of those that others
    /// override.
    fn collected(document: &'a Tree, mapping: NodeId) -> (Vec<(NodeId, NodeId)>, usize) {
        let mapping = document.follow(mapping);
        document.learn(vec![mapping]);
        let Some((file, known)) = document.provided(mapping) else {
            return EffectivePairs::of(document, mapping).collect();
        };
        let pairs = known
            .entries
            .iter()
            .map(|&(key, value)| (NodeId::Clean(file, key), NodeId::Clean(file, value)));
        (pairs.collect(), known.passed)
    }

    /// Prepares the search in a mapping.
    fn of(document: &'a Tree, mapping: NodeId) -> Self {
        document.learn(document.merging_sources(mapping));
        let mut search = EffectivePairs::new(document);
        search.push_mapping(mapping);
        search
    }

    /// Prepares the search in the sources of a `<<`.
    fn of_sources(document: &'a Tree, value: NodeId) -> Self {
        document.learn(document.sources(value));
        let mut search = EffectivePairs::new(document);
        search.push_sources(value);
        search
    }

    /// Returns the effective entries, and the number of those that others override. Own
    /// entries come first, then those of each source, of the weakest one first.
    fn collect(mut self) -> (Vec<(NodeId, NodeId)>, usize) {
        while let Some((slot, at)) = self.next() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(key) => self.take(key, slot.value, at),
                None => {}
            }
        }
        let passed = self.read - self.pairs.len();
        let ends = self.ends;
        // Each mapping is in order already, from its end: a stable sort makes use of that.
        self.pairs.sort_by_key(|(.., at)| (Reverse(ends[at.mapping]), at.position));
        (self.pairs.into_iter().map(|(key, value, _)| (key, value)).collect(), passed)
    }

    /// Returns the effective entry of the string `key`.
    fn find(mut self, key: &str) -> Option<Slot> {
        while let Some((slot, _)) = self.next() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(k) if self.document.is_named(k, key) => return Some(slot),
                Some(_) | None => {}
            }
        }
        None
    }

    fn next(&mut self) -> Option<(Slot, EntryPlace)> {
        loop {
            match self.todo.pop()? {
                Unread::Entry(slot, at) => return Some((slot, at)),
                Unread::End(number) => {
                    self.ends[number] = self.ended;
                    self.ended += 1;
                }
            }
        }
    }

    fn take(&mut self, key: NodeId, value: NodeId, at: EntryPlace) {
        let document = self.document;
        let is_fresh = match document.kind(key) {
            Kind::Scalar => self.keys.insert(document.scalar(key).identity()),
            Kind::Sequence | Kind::Mapping => self.collections.insert(key),
        };
        if is_fresh {
            self.pairs.push((key, value, at));
        }
    }

    /// Adds the entries of a mapping. In yaml.v2 an entry overrides those before it, `<<`
    /// or not; elsewhere own entries override merged ones. Of own duplicates the last
    /// counts.
    fn push_mapping(&mut self, mapping: NodeId) {
        let document = self.document;
        let dialect = match document.follow(mapping) {
            NodeId::Clean(file, _) => document.arena(file).dialect(),
            NodeId::Opened(_) => document.dialect(),
        };
        let mut slots = document.all_slots(mapping).into_owned();
        if dialect != Dialect::Go {
            slots.sort_by_key(|slot| !self.document.is_merge(slot));
        } else if document.origin_of(mapping).is_some_and(|it| it.0 != document.file()) {
            // bosh prints an op's value and reads it again: 1 before 1.0, which is 1 then.
            // An entry that a `<<` overrides stays before it.
            for part in slots.split_mut(|slot| document.is_merge(slot)) {
                part.sort_by_key(|slot| {
                    slot.key.is_some_and(|key| document.is_float(key))
                });
            }
        }
        self.push(slots);
    }

    fn push(&mut self, entries: impl IntoIterator<Item = Slot>) {
        let mapping = self.ends.len();
        self.ends.push(0);
        self.todo.push(Unread::End(mapping));
        let entries = entries.into_iter().enumerate();
        let from = self.todo.len();
        self.todo.extend(entries.map(|(position, slot)| {
            Unread::Entry(slot, EntryPlace { mapping, position })
        }));
        self.read += self.todo.len() - from;
    }

    /// Adds the sources of a `<<`, of which the first is the strongest.
    fn push_sources(&mut self, value: NodeId) {
        for source in self.document.sources(value).into_iter().rev() {
            if !self.visited.insert(source) {
                continue;
            }
            match self.document.provided(source) {
                Some((file, known)) => {
                    let arena = self.document.arena(file);
                    let entries = known.entries.iter();
                    self.push(
                        entries.map(|&(key, value)| Slot::of_entry(arena, key, value)),
                    );
                }
                None => self.push_mapping(source),
            }
        }
    }
}
