//! The values of one document, and what mappings inherit from layers of them.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use crate::compare::{EntryKey, MappingEntry, MappingIndex, Side, Values};
use crate::merge::{self, Strategy};
use crate::node::{Body, Kind, NodeId, Tree};

/// Inherited values, the weakest first: one, mappings that are merged, or none.
pub(super) type Layers = Vec<NodeId>;

/// Maximum number of layers of which each is asked for a key.
// Almost all mappings inherit from one to three, and a table of their entries would be made for
// a few keys. With a layer for each key, asking each of them takes quadratic time.
const FEW_LAYERS: usize = 8;

/// The values of one document, compared and laid over each other.
pub(super) struct LayeredValues<'a> {
    pub document: &'a Tree,
    pub values: Values<'a>,
    /// The entries of many layers, by the first layer, the last one and their number. A hash of
    /// all layers would take as long for each key as asking each of them.
    layered: HashMap<(NodeId, NodeId, usize), (Layers, Rc<LayeredEntries<'a>>)>,
    /// True if the edited copy or raw values may have whiteouts.
    has_whiteouts: bool,
    whiteouts: HashMap<NodeId, bool>,
}

impl<'a> LayeredValues<'a> {
    pub(super) fn new(document: &'a Tree, tags_count: bool) -> LayeredValues<'a> {
        let values = Values::within(document).with_tags(tags_count);
        LayeredValues {
            document,
            values: values.with_filled_keys(filled_keys(document)),
            layered: HashMap::new(),
            has_whiteouts: document
                .arenas()
                .any(|arena| merge::may_have_whiteouts(arena.text())),
            whiteouts: HashMap::new(),
        }
    }

    /// Returns true if both are equal: types count; style and order of keys do not.
    pub(super) fn equal(&mut self, a: NodeId, b: NodeId) -> bool {
        self.values.equal(a, b)
    }

    /// Returns true if two values do not differ by their tags.
    pub(super) fn same_tag(&self, a: NodeId, b: NodeId) -> bool {
        self.values.same_tag(a, b)
    }

    /// Returns a number that equal values have in common.
    pub(super) fn class(&mut self, node: NodeId) -> u32 {
        self.values.class(node, Side::Old)
    }

    /// Returns the entries of a mapping.
    pub(super) fn entries(&mut self, node: NodeId) -> Rc<MappingIndex<'a>> {
        self.values.entries(node, Side::Old)
    }

    /// Returns a key by its value.
    pub(super) fn key(&mut self, node: NodeId) -> EntryKey<'a> {
        self.values.key(node, Side::Old)
    }

    fn is_whiteout(&mut self, value: NodeId) -> bool {
        if !self.has_whiteouts || self.document.kind(value) != Kind::Mapping {
            return false;
        }
        let document = self.document;
        *self.whiteouts.entry(document.follow(value)).or_insert_with_key(|&value| {
            Strategy::of(document, value) == Some(Strategy::Whiteout)
        })
    }

    /// Adds a stronger value. Null inherits, and only mappings are merged.
    pub(super) fn add_layer(&self, layers: &mut Layers, value: NodeId) {
        let document = self.document;
        if document.is_null(value) && !layers.is_empty() {
            return;
        }
        if !(document.kind(value) == Kind::Mapping && self.is_mapping(layers)) {
            layers.clear();
        }
        layers.push(value);
    }

    pub(super) fn is_mapping(&self, layers: &[NodeId]) -> bool {
        layers.first().is_some_and(|&layer| self.document.kind(layer) == Kind::Mapping)
    }

    pub(super) fn inherited(&mut self, layers: &[NodeId], key: &EntryKey<'a>) -> Layers {
        let mut found = Layers::new();
        for InheritedEntry { value, .. } in self.inherited_entries(layers, key) {
            if self.is_whiteout(value) {
                found.clear();
            } else {
                self.add_layer(&mut found, value);
            }
        }
        found
    }

    /// Returns the entries that layers have for a key, the weakest first.
    pub(super) fn inherited_entries(
        &mut self,
        layers: &[NodeId],
        key: &EntryKey<'a>,
    ) -> Vec<InheritedEntry> {
        if layers.len() > FEW_LAYERS {
            return self.layered(layers).get(key).to_vec();
        }
        let entry = |&layer: &NodeId| {
            let entries = self.entries(layer);
            entries.entry(key).map(|entry| InheritedEntry::new(layer, entry))
        };
        layers.iter().filter_map(entry).collect()
    }

    fn layered(&mut self, layers: &[NodeId]) -> Rc<LayeredEntries<'a>> {
        let place = (layers[0], layers[layers.len() - 1], layers.len());
        if let Some((of, known)) = self.layered.get(&place)
            && of == layers
        {
            return known.clone();
        }
        let mut layered = LayeredEntries::default();
        for &layer in layers {
            layered.add(layer, &self.entries(layer));
        }
        let layered = Rc::new(layered);
        self.layered.insert(place, (layers.to_vec(), layered.clone()));
        layered
    }

    /// Returns the inherited keys, each once, with a node that spells it.
    pub(super) fn inherited_keys(
        &mut self,
        layers: &[NodeId],
    ) -> Vec<(EntryKey<'a>, NodeId)> {
        let (mut keys, mut met) = (Vec::new(), HashSet::new());
        for &layer in layers {
            let entries: Rc<MappingIndex<'a>> = self.entries(layer);
            for entry in &entries.list {
                if met.insert(entry.key.clone()) {
                    keys.push((entry.key.clone(), entry.name));
                }
            }
        }
        if self.has_whiteouts {
            keys.retain(|(key, _)| !self.inherited(layers, key).is_empty());
        }
        keys
    }

    pub(super) fn equals_inherited(&mut self, layers: &[NodeId], value: NodeId) -> bool {
        let (mut todo, mut met) = (vec![(layers.to_vec(), value)], HashSet::new());
        while let Some((layers, value)) = todo.pop() {
            if layers.len() > 1 || self.has_whiteouts {
                // Compared once: nested aliases would take exponential time.
                let follow = |&node: &NodeId| self.document.follow(node);
                let nodes: Vec<NodeId> =
                    layers.iter().chain([&value]).map(follow).collect();
                if !met.insert(nodes) {
                    continue;
                }
            }
            if let [layer] = layers[..]
                && self.equal(layer, value)
            {
                continue;
            }
            // Mappings that differ may still be equal once whiteouts are removed.
            let known =
                layers.len() < 2 && !(self.has_whiteouts && self.is_mapping(&layers));
            if known || self.document.kind(value) != Kind::Mapping {
                return false;
            }
            let (keys, entries) = (self.inherited_keys(&layers), self.entries(value));
            if keys.len() != entries.list.len() {
                return false;
            }
            for (key, _) in keys {
                let Some(value) = entries.get(&key) else { return false };
                todo.push((self.inherited(&layers, &key), value));
            }
        }
        true
    }

    /// Returns the number of entries that only one of two values has, or that differ.
    pub(super) fn differences(&mut self, a: NodeId, b: NodeId) -> usize {
        if [a, b].map(|node| self.document.kind(node)) != [Kind::Mapping; 2] {
            return usize::from(!self.equal(a, b));
        }
        let (a, b) = (self.entries(a), self.entries(b));
        let mut shared = 0;
        let same = |entry: &&MappingEntry<'a>| {
            let there = b.get(&entry.key);
            shared += usize::from(there.is_some());
            there.is_some_and(|there| self.equal(entry.value, there))
        };
        let equal = a.list.iter().filter(same).count();
        a.list.len() + b.list.len() - shared - equal
    }
}

/// Returns the keys of the text that were filled in, with the new keys.
fn filled_keys(document: &Tree) -> HashMap<NodeId, NodeId> {
    let mut filled = HashMap::new();
    for opened in document.opened_nodes() {
        let (Some((file, _)), Body::Mapping(slots)) = (opened.origin(), opened.body())
        else {
            continue;
        };
        filled.extend(slots.iter().filter_map(|slot| match (slot.key, slot.was) {
            (Some(key), Some(was)) if key != NodeId::Clean(file, was) => {
                Some((NodeId::Clean(file, was), key))
            }
            _ => None,
        }));
    }
    filled
}

/// An entry that a mapping inherits from one of its layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct InheritedEntry {
    pub layer: NodeId,
    pub name: NodeId,
    pub value: NodeId,
}

impl InheritedEntry {
    pub(super) fn new(layer: NodeId, entry: &MappingEntry<'_>) -> InheritedEntry {
        InheritedEntry { layer, name: entry.name, value: entry.value }
    }
}

/// The entries of many layers by their keys.
#[derive(Default)]
pub(super) struct LayeredEntries<'a>(HashMap<EntryKey<'a>, Vec<InheritedEntry>>);

impl<'a> LayeredEntries<'a> {
    /// Adds the entries of a layer that is stronger than those before.
    pub(super) fn add(&mut self, layer: NodeId, entries: &MappingIndex<'a>) {
        for entry in &entries.list {
            let same = self.0.entry(entry.key.clone()).or_default();
            // Of equal keys, the last one counts.
            same.pop_if(|it| it.layer == layer);
            same.push(InheritedEntry::new(layer, entry));
        }
    }

    /// Returns the entries with a key, the weakest first.
    pub(super) fn get(&self, key: &EntryKey<'a>) -> &[InheritedEntry] {
        self.0.get(key).map_or(&[], |entries| entries)
    }
}
