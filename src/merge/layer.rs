//! The layers of one mapping: for every key what is said last, over what was said before.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::STRATEGY;
use super::rule::{self, Value};
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node, Slot};
use crate::patch::Lists;
use crate::scalar::Identity;

/// What was said so far.
pub(super) struct Layers<'a> {
    document: &'a Document,
    lists: Lists,
    entries: Vec<Entry>,
    scalars: HashMap<Identity<'a>, usize>,
    /// The entries with a collection for a key.
    others: Vec<usize>,
    /// How many entries were looked at.
    size: usize,
    /// The last layer, and its entries with their numbers in `entries`, unless they leave.
    own: Option<Node>,
    said: Vec<(Node, Node, Option<usize>)>,
    pub(super) wrong: Vec<Diagnostic>,
}

/// A key, and what is said of it.
struct Entry {
    key: Node,
    value: Value,
    /// Who said so last, and where.
    layer: usize,
    place: usize,
}

impl<'a> Layers<'a> {
    pub(super) fn new(document: &'a Document, lists: Lists) -> Layers<'a> {
        Layers {
            document,
            lists,
            entries: Vec::new(),
            scalars: HashMap::new(),
            others: Vec::new(),
            size: 0,
            own: None,
            said: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// How many entries were looked at.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Takes in mappings, the strongest last; the entries `leaving` of that one say nothing.
    pub(super) fn extend(&mut self, layers: &[Node], leaving: &[Node]) {
        let document = self.document;
        let leaving: HashSet<Identity<'_>> =
            leaving.iter().filter_map(|&key| document.identity(key)).collect();
        let Some((&own, bases)) = layers.split_last() else { return };
        for (layer, &base) in bases.iter().enumerate() {
            for (place, (key, value)) in document.pairs(base).into_iter().enumerate() {
                self.say(key, value, (layer, place));
            }
        }
        for (place, (key, value)) in document.pairs(own).into_iter().enumerate() {
            let leaves = document.identity(key).is_some_and(|key| leaving.contains(&key))
                || !bases.is_empty() && document.is_text(key, STRATEGY);
            let entry = (!leaves).then(|| self.put(key, value, (bases.len(), place)));
            self.said.push((key, value, entry));
        }
        self.own = Some(own);
    }

    /// How a mapping is merged was said to the merge, not to what comes of it.
    fn say(&mut self, key: Node, value: Node, at: (usize, usize)) {
        if !self.document.is_text(key, STRATEGY) {
            self.put(key, value, at);
        }
    }

    fn put(&mut self, key: Node, own: Node, (layer, place): (usize, usize)) -> usize {
        self.size += 1;
        let Some(at) = self.find(key) else {
            let value = match layer {
                0 => None,
                _ => rule::over(self.document, self.lists, Value::Absent, own),
            };
            let value = value.unwrap_or(Value::Node(own));
            self.entries.push(Entry { key, value, layer, place });
            return self.entries.len() - 1;
        };
        let entry = &mut self.entries[at];
        let before = std::mem::replace(&mut entry.value, Value::Absent);
        entry.value = match rule::over(self.document, self.lists, before, own) {
            Some(value) => value,
            None => {
                self.wrong.push(*rule::refused(self.document, entry.key, key));
                Value::Node(own)
            }
        };
        (entry.key, entry.layer, entry.place) = (key, layer, place);
        at
    }

    /// The entry with that key; if there is none, the next one will be it.
    fn find(&mut self, key: Node) -> Option<usize> {
        let next = self.entries.len();
        if let Some(identity) = self.document.identity(key) {
            let at = *self.scalars.entry(identity).or_insert(next);
            return (at < next).then_some(at);
        }
        self.size += self.others.len();
        let is = |&&at: &&usize| self.document.is_same_key(self.entries[at].key, key);
        let found = self.others.iter().find(is).copied();
        self.others.extend(found.is_none().then_some(next));
        found
    }

    /// The entries: own ones as they stand, then what is only inherited, from the
    /// strongest layer to the weakest.
    pub(super) fn finish(self) -> Vec<(Slot, Value)> {
        let mut slots = self.own_slots();
        let last = self.said.iter().filter_map(|said| said.2);
        let own: HashSet<usize> = last.collect();
        let entries = self.entries.into_iter().enumerate();
        let mut inherited: Vec<Entry> = entries
            .filter(|(at, entry)| !own.contains(at) && entry.value != Value::Absent)
            .map(|(_, entry)| entry)
            .collect();
        inherited.sort_by_key(|entry| (Reverse(entry.layer), entry.place));
        let slot = |entry: Entry| {
            let Entry { key, value, .. } = entry;
            (Slot { was: None, key: Some(key), value: key, by: None }, value)
        };
        slots.extend(inherited.into_iter().map(slot));
        slots
    }

    fn own_slots(&self) -> Vec<(Slot, Value)> {
        let Some(own) = self.own else { return Vec::new() };
        let slots = self.document.slots(own);
        let plain = slots.len() == self.said.len()
            && slots.iter().zip(&self.said).all(|(slot, said)| slot.key == Some(said.0));
        let slots = if plain {
            let values = self.said.iter().map(|said| self.value(said.2));
            slots.iter().copied().zip(values).collect()
        } else {
            self.merged_slots(&slots)
        };
        slots.into_iter().filter(|(_, value)| *value != Value::Absent).collect()
    }

    fn value(&self, entry: Option<usize>) -> Value {
        entry.map_or(Value::Absent, |at| self.entries[at].value.clone())
    }

    /// Own entries, where some come from `<<` or stand twice. If one that comes from `<<`
    /// changes, what is merged there is written out.
    fn merged_slots(&self, slots: &[Slot]) -> Vec<(Slot, Value)> {
        let written: HashMap<Node, Slot> =
            slots.iter().filter_map(|slot| Some((slot.key?, *slot))).collect();
        let changes = |&(key, value, entry): &(Node, Node, Option<usize>)| {
            !written.contains_key(&key) && self.value(entry) != Value::Node(value)
        };
        let gone = self.said.iter().filter(|said| self.value(said.2) == Value::Absent);
        let gone: HashSet<Identity<'_>> =
            gone.filter_map(|said| self.document.identity(said.0)).collect();
        if self.said.iter().any(changes) || self.bring_back(slots, &gone) {
            let slot = |&(key, value, entry): &(Node, Node, Option<usize>)| {
                let new = Slot { was: None, key: Some(key), value, by: None };
                (written.get(&key).copied().unwrap_or(new), self.value(entry))
            };
            return self.said.iter().map(slot).collect();
        }
        let identity = |key| self.document.identity(key);
        let said: HashMap<Node, Value> =
            self.said.iter().map(|said| (said.0, self.value(said.2))).collect();
        let value = |slot: &Slot| match slot.key.and_then(|key| said.get(&key)) {
            Some(value) => value.clone(),
            // One of several with this key goes where the last one goes.
            None if slot.key.and_then(identity).is_some_and(|it| gone.contains(&it)) => {
                Value::Absent
            }
            None => Value::Node(slot.value),
        };
        slots.iter().map(|slot| (*slot, value(slot))).collect()
    }

    /// Whether a key that goes would still come from `<<`.
    fn bring_back(&self, slots: &[Slot], gone: &HashSet<Identity<'_>>) -> bool {
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
