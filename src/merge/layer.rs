//! The layers of one mapping: the value of every key in the last layer that has it, over
//! its values in those before.

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::rule::{self, MergedValue, STRATEGY_KEY};
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Slot, Tree};
use crate::patch::Lists;
use crate::scalar::Identity;

/// The entries of a merged mapping.
pub(super) struct MergedEntries {
    /// Own ones in their order, then those that are only inherited, from the strongest layer to
    /// the weakest.
    pub slots: Vec<(Slot, MergedValue)>,
    /// The number of entries that were read.
    pub size: usize,
    pub conflicts: Vec<Diagnostic>,
}

/// The merge of the layers of one mapping.
struct LayerMerge<'a> {
    document: &'a Tree,
    lists: Lists,
    entries: Vec<Entry>,
    scalars: HashMap<Identity<'a>, usize>,
    /// The entries with a collection for a key.
    others: Vec<usize>,
    size: usize,
    /// The entries of the last layer.
    own_entries: Vec<OwnPair>,
    conflicts: Vec<Diagnostic>,
}

/// An entry of the last layer.
#[derive(Clone, Copy)]
struct OwnPair {
    key: NodeId,
    value: NodeId,
    /// Its number in `entries`, unless it leaves.
    entry: Option<usize>,
}

/// A key and its value after some layers.
struct Entry {
    key: NodeId,
    value: MergedValue,
    /// The last layer that has the key, and its position there.
    layer: usize,
    position: usize,
}

/// Merges the mappings `bases`, the strongest last, and `own`, without the entries `leaving` of
/// that one.
pub(super) fn merge_layers(
    document: &Tree,
    lists: Lists,
    bases: &[NodeId],
    own: NodeId,
    leaving: &[NodeId],
) -> MergedEntries {
    let mut merge = LayerMerge {
        document,
        lists,
        entries: Vec::new(),
        scalars: HashMap::new(),
        others: Vec::new(),
        size: 0,
        own_entries: Vec::new(),
        conflicts: Vec::new(),
    };
    merge.add(bases, own, leaving);
    merge.finish(own)
}

impl LayerMerge<'_> {
    fn add(&mut self, bases: &[NodeId], own: NodeId, leaving: &[NodeId]) {
        let document = self.document;
        let leaving: HashSet<Identity<'_>> =
            leaving.iter().filter_map(|&key| document.identity(key)).collect();
        for (layer, &base) in bases.iter().enumerate() {
            for (position, (key, value)) in document.pairs(base).into_iter().enumerate() {
                // A strategy is addressed to the merge and not inherited.
                if !document.is_text(key, STRATEGY_KEY) {
                    self.put(key, value, layer, position);
                }
            }
        }
        for (position, (key, value)) in document.pairs(own).into_iter().enumerate() {
            let leaves = !leaving.is_empty()
                && document.identity(key).is_some_and(|key| leaving.contains(&key))
                || !bases.is_empty() && document.is_text(key, STRATEGY_KEY);
            let entry = (!leaves).then(|| self.put(key, value, bases.len(), position));
            self.own_entries.push(OwnPair { key, value, entry });
        }
    }

    fn put(&mut self, key: NodeId, own: NodeId, layer: usize, position: usize) -> usize {
        self.size += 1;
        let LayerMerge { document, lists, .. } = *self;
        let Some(at) = self.find(key) else {
            let over = MergedValue::Absent;
            let value = match layer {
                0 => None,
                _ => rule::override_value(document, lists, over, own),
            };
            let value = value.unwrap_or(MergedValue::Node(own));
            self.entries.push(Entry { key, value, layer, position });
            return self.entries.len() - 1;
        };
        let entry = &mut self.entries[at];
        let before = std::mem::replace(&mut entry.value, MergedValue::Absent);
        entry.value = match rule::override_value(document, lists, before, own) {
            Some(value) => value,
            None => {
                self.conflicts.push(*rule::refused(document, entry.key, key));
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
        let mut others = self.others.iter().copied();
        let found =
            others.find(|&at| self.document.is_same_key(self.entries[at].key, key));
        self.others.extend(found.is_none().then_some(next));
        found
    }

    fn finish(mut self, own: NodeId) -> MergedEntries {
        let mut slots = self.own_slots(own);
        for at in self.own_entries.iter().filter_map(|own| own.entry) {
            self.entries[at].value = MergedValue::Absent;
        }
        let mut inherited = self.entries;
        inherited.sort_by_key(|entry| (Reverse(entry.layer), entry.position));
        let inherited = inherited.into_iter();
        slots.extend(
            inherited.map(|it| (Slot::new(Some(it.key), it.key, None), it.value)),
        );
        slots.retain(|(_, value)| *value != MergedValue::Absent);
        MergedEntries { slots, size: self.size, conflicts: self.conflicts }
    }

    fn own_slots(&self, own: NodeId) -> Vec<(Slot, MergedValue)> {
        let slots = self.document.slots(own);
        let keys = self.own_entries.iter().map(|own| Some(own.key));
        if slots.iter().map(|slot| slot.key).eq(keys) {
            let values = self.own_entries.iter().map(|own| self.value(own.entry));
            return slots.iter().copied().zip(values).collect();
        }
        self.merged_slots(&slots)
    }

    fn value(&self, entry: Option<usize>) -> MergedValue {
        entry.map_or(MergedValue::Absent, |at| self.entries[at].value.clone())
    }

    /// The own entries, where some come from `<<` or are duplicates. If one that comes
    /// from `<<` changes, all entries of `<<` become own entries.
    fn merged_slots(&self, slots: &[Slot]) -> Vec<(Slot, MergedValue)> {
        let written: HashMap<NodeId, Slot> =
            slots.iter().filter_map(|slot| Some((slot.key?, *slot))).collect();
        let own_entries = self.own_entries.iter();
        let is_changed = own_entries.clone().any(|&OwnPair { key, value, entry }| {
            !written.contains_key(&key) && self.value(entry) != MergedValue::Node(value)
        });
        let gone = own_entries.clone();
        let gone = gone.filter(|own| self.value(own.entry) == MergedValue::Absent);
        let gone: HashSet<Identity<'_>> =
            gone.filter_map(|own| self.document.identity(own.key)).collect();
        if is_changed || self.brings_back(slots, &gone) {
            let slots = own_entries.map(|&OwnPair { key, value, entry }| {
                let new = Slot::new(Some(key), value, None);
                (written.get(&key).copied().unwrap_or(new), self.value(entry))
            });
            return slots.collect();
        }
        let values: HashMap<NodeId, MergedValue> =
            own_entries.map(|own| (own.key, self.value(own.entry))).collect();
        let slots = slots.iter().map(|slot| {
            let identity = slot.key.and_then(|key| self.document.identity(key));
            let value = match slot.key.and_then(|key| values.get(&key)) {
                Some(value) => value.clone(),
                // A duplicate is removed together with the last entry of its key.
                None if identity.is_some_and(|it| gone.contains(&it)) => {
                    MergedValue::Absent
                }
                None => MergedValue::Node(slot.value),
            };
            (*slot, value)
        });
        slots.collect()
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
