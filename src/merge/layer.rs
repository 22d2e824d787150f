//! The layers of one mapping: the value of every key in the last layer that has it, over
//! its values in those before.

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::rule::{self, MergedValue, STRATEGY_KEY};
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Slot, Tree};
use crate::patch::Lists;
use crate::scalar::Identity;

pub(super) struct Layers<'a> {
    document: &'a Tree,
    lists: Lists,
    entries: Vec<Entry>,
    scalars: HashMap<Identity<'a>, usize>,
    /// The entries with a collection for a key.
    others: Vec<usize>,
    size: usize,
    own: Option<NodeId>,
    /// The entries of the last layer, with their numbers in `entries` unless they leave.
    own_entries: Vec<(NodeId, NodeId, Option<usize>)>,
    conflicts: Vec<Diagnostic>,
}

/// A key and its value after some layers.
struct Entry {
    key: NodeId,
    value: MergedValue,
    /// The last layer that has the key, and its position there.
    layer: usize,
    position: usize,
}

impl<'a> Layers<'a> {
    pub(super) fn new(document: &'a Tree, lists: Lists) -> Layers<'a> {
        Layers {
            document,
            lists,
            entries: Vec::new(),
            scalars: HashMap::new(),
            others: Vec::new(),
            size: 0,
            own: None,
            own_entries: Vec::new(),
            conflicts: Vec::new(),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn take_conflicts(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.conflicts)
    }

    /// Adds mappings, the strongest last, without the entries `leaving` of that one.
    pub(super) fn extend(&mut self, layers: &[NodeId], leaving: &[NodeId]) {
        let document = self.document;
        let leaving: HashSet<Identity<'_>> =
            leaving.iter().filter_map(|&key| document.identity(key)).collect();
        let Some((&own, bases)) = layers.split_last() else { return };
        for (layer, &base) in bases.iter().enumerate() {
            for (position, (key, value)) in document.pairs(base).into_iter().enumerate() {
                // A strategy is addressed to the merge and not inherited.
                if !document.is_text(key, STRATEGY_KEY) {
                    self.put(key, value, (layer, position));
                }
            }
        }
        for (position, (key, value)) in document.pairs(own).into_iter().enumerate() {
            let is_leaving =
                || document.identity(key).is_some_and(|key| leaving.contains(&key));
            let leaves = !leaving.is_empty() && is_leaving()
                || !bases.is_empty() && document.is_text(key, STRATEGY_KEY);
            let entry = (!leaves).then(|| self.put(key, value, (bases.len(), position)));
            self.own_entries.push((key, value, entry));
        }
        self.own = Some(own);
    }

    fn put(
        &mut self,
        key: NodeId,
        own: NodeId,
        (layer, position): (usize, usize),
    ) -> usize {
        self.size += 1;
        let Some(at) = self.find(key) else {
            let value = match layer {
                0 => None,
                _ => rule::override_value(
                    self.document,
                    self.lists,
                    MergedValue::Absent,
                    own,
                ),
            };
            let value = value.unwrap_or(MergedValue::Node(own));
            self.entries.push(Entry { key, value, layer, position });
            return self.entries.len() - 1;
        };
        let entry = &mut self.entries[at];
        let before = std::mem::replace(&mut entry.value, MergedValue::Absent);
        entry.value = match rule::override_value(self.document, self.lists, before, own) {
            Some(value) => value,
            None => {
                self.conflicts.push(*rule::refused(self.document, entry.key, key));
                MergedValue::Node(own)
            }
        };
        (entry.key, entry.layer, entry.position) = (key, layer, position);
        at
    }

    /// Returns the number of a key's entry, or reserves the key for the next entry.
    fn find(&mut self, key: NodeId) -> Option<usize> {
        let next = self.entries.len();
        if let Some(identity) = self.document.identity(key) {
            let at = *self.scalars.entry(identity).or_insert(next);
            return (at < next).then_some(at);
        }
        // Keys that are collections have no hash and are compared one by one.
        self.size += self.others.len();
        let is = |&&at: &&usize| self.document.is_same_key(self.entries[at].key, key);
        let found = self.others.iter().find(is).copied();
        self.others.extend(found.is_none().then_some(next));
        found
    }

    /// Returns the entries: own ones in their order, then those that are only inherited,
    /// from the strongest layer to the weakest.
    pub(super) fn finish(self) -> Vec<(Slot, MergedValue)> {
        let mut slots = self.own_slots();
        let mut is_own = vec![false; self.entries.len()];
        self.own_entries.iter().filter_map(|own| own.2).for_each(|at| is_own[at] = true);
        let entries = self.entries.into_iter().zip(is_own);
        let mut inherited: Vec<Entry> = entries
            .filter(|(entry, is_own)| !is_own && entry.value != MergedValue::Absent)
            .map(|(entry, _)| entry)
            .collect();
        inherited.sort_by_key(|entry| (Reverse(entry.layer), entry.position));
        let slot = |entry: Entry| {
            let Entry { key, value, .. } = entry;
            (Slot::new(Some(key), key, None), value)
        };
        slots.extend(inherited.into_iter().map(slot));
        slots
    }

    fn own_slots(&self) -> Vec<(Slot, MergedValue)> {
        let Some(own) = self.own else { return Vec::new() };
        let slots = self.document.slots(own);
        let plain = slots.len() == self.own_entries.len()
            && slots
                .iter()
                .zip(&self.own_entries)
                .all(|(slot, own)| slot.key == Some(own.0));
        let slots = if plain {
            let values = self.own_entries.iter().map(|own| self.value(own.2));
            slots.iter().copied().zip(values).collect()
        } else {
            self.merged_slots(&slots)
        };
        slots.into_iter().filter(|(_, value)| *value != MergedValue::Absent).collect()
    }

    fn value(&self, entry: Option<usize>) -> MergedValue {
        entry.map_or(MergedValue::Absent, |at| self.entries[at].value.clone())
    }

    /// The own entries, where some come from `<<` or are duplicates. If one that comes
    /// from `<<` changes, all entries of `<<` become own entries.
    fn merged_slots(&self, slots: &[Slot]) -> Vec<(Slot, MergedValue)> {
        let written: HashMap<NodeId, Slot> =
            slots.iter().filter_map(|slot| Some((slot.key?, *slot))).collect();
        let changes = |&(key, value, entry): &(NodeId, NodeId, Option<usize>)| {
            !written.contains_key(&key) && self.value(entry) != MergedValue::Node(value)
        };
        let gone = self
            .own_entries
            .iter()
            .filter(|own| self.value(own.2) == MergedValue::Absent);
        let gone: HashSet<Identity<'_>> =
            gone.filter_map(|own| self.document.identity(own.0)).collect();
        if self.own_entries.iter().any(changes) || self.brings_back(slots, &gone) {
            let slot = |&(key, value, entry): &(NodeId, NodeId, Option<usize>)| {
                let new = Slot::new(Some(key), value, None);
                (written.get(&key).copied().unwrap_or(new), self.value(entry))
            };
            return self.own_entries.iter().map(slot).collect();
        }
        let identity = |key| self.document.identity(key);
        let values: HashMap<NodeId, MergedValue> =
            self.own_entries.iter().map(|own| (own.0, self.value(own.2))).collect();
        let value = |slot: &Slot| match slot.key.and_then(|key| values.get(&key)) {
            Some(value) => value.clone(),
            // A duplicate is removed together with the last entry of its key.
            None if slot.key.and_then(identity).is_some_and(|it| gone.contains(&it)) => {
                MergedValue::Absent
            }
            None => MergedValue::Node(slot.value),
        };
        slots.iter().map(|slot| (*slot, value(slot))).collect()
    }

    /// Returns true if a removed key would still come from `<<`.
    fn brings_back(&self, slots: &[Slot], gone: &HashSet<Identity<'_>>) -> bool {
        let document = self.document;
        let merges = slots.iter().filter(|slot| document.is_merge(slot));
        let sources = merges.flat_map(|slot| match document.kind(slot.value) {
            Kind::Sequence => document.items(slot.value),
            Kind::Mapping | Kind::Scalar => vec![slot.value],
        });
        let mut keys = sources.flat_map(|source| document.pairs(source)).map(|it| it.0);
        !gone.is_empty()
            && keys.any(|key| document.identity(key).is_some_and(|it| gone.contains(&it)))
    }
}
