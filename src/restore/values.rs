//! The values of one document, compared: equality, classes of equal values, and what
//! mappings inherit.

use std::borrow::Cow;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::alike_nodes::AlikeNodes;
use super::entry_key::EntryKey;
use super::inherited_entry::InheritedEntry;
use super::layered_entries::LayeredEntries;
use super::mapping_index::{MappingEntry, MappingIndex};
use crate::arena::Index;
use crate::merge::{self, Strategy};
use crate::node::{Body, Kind, NodeId, Tree};
use crate::scalar::Identity;

/// Inherited values, the weakest first: one, mappings that are merged, or none.
pub(super) type Layers = Vec<NodeId>;

/// Maximum number of layers of which each is asked for a key.
// Almost all mappings inherit from one to three, and a table of their entries would be made for
// a few keys. With a layer for each key, asking each of them takes quadratic time.
const FEW_LAYERS: usize = 8;

/// Compares values. Each pair of collections is compared once.
pub(super) struct Values<'a> {
    pub document: &'a Tree,
    known: HashMap<(NodeId, NodeId), bool>,
    entries: HashMap<NodeId, Rc<MappingIndex<'a>>>,
    /// The entries of many layers, by the first layer, the last one and their number. A hash of
    /// all layers would take as long for each key as asking each of them.
    layered: HashMap<(NodeId, NodeId, usize), (Layers, Rc<LayeredEntries<'a>>)>,
    classes: HashMap<NodeId, u32>,
    shapes: HashMap<(Option<Cow<'a, str>>, ValueShape<'a>), u32>,
    /// True if values with different tags differ.
    tags_count: bool,
    /// The filled-in form of written keys.
    filled: HashMap<NodeId, NodeId>,
    /// True if the edited copy or raw values may have whiteouts.
    has_whiteouts: bool,
    whiteouts: HashMap<NodeId, bool>,
}

/// A value by the classes of its parts.
#[derive(PartialEq, Eq, Hash)]
enum ValueShape<'a> {
    Scalar(Identity<'a>),
    Sequence(Vec<u32>),
    Mapping(Vec<(u32, u32)>),
}

/// Two collections that are being compared, and the pairs in them that are left.
struct OpenPair {
    nodes: (NodeId, NodeId),
    rest: Vec<(NodeId, NodeId)>,
    /// What the comparison of their texts, or of those around them, found out.
    alike: AlikeNodes,
}

impl<'a> Values<'a> {
    pub(super) fn new(document: &'a Tree, tags_count: bool) -> Values<'a> {
        Values {
            document,
            known: HashMap::new(),
            entries: HashMap::new(),
            layered: HashMap::new(),
            classes: HashMap::new(),
            shapes: HashMap::new(),
            tags_count,
            filled: filled_keys(document),
            has_whiteouts: document
                .arenas()
                .any(|arena| merge::may_have_whiteouts(arena.text())),
            whiteouts: HashMap::new(),
        }
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

    /// Returns true if both are equal: types count; style and order of keys do not.
    pub(super) fn equal(&mut self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.document.follow(a), self.document.follow(b));
        if let Some(known) = self.known_equality(a, b) {
            return known;
        }
        let (nodes, alike) = ((a, b), AlikeNodes::default());
        let mut open = vec![OpenPair { nodes, rest: vec![nodes], alike }];
        while let Some(pair) = open.last_mut() {
            let nodes = pair.nodes;
            let Some((a, b)) = pair.rest.pop() else {
                self.known.insert(nodes, true);
                open.pop();
                continue;
            };
            let (a, b) = (self.document.follow(a), self.document.follow(b));
            match self.known_equality(a, b) {
                Some(true) => continue,
                Some(false) => {}
                None => {
                    let (is_alike, alike) = self.alike(a, b, pair.alike);
                    // It need not be noted: without an anchor no alias leads here again.
                    if is_alike {
                        continue;
                    }
                    if let Some(rest) = self.child_pairs(a, b) {
                        open.push(OpenPair { nodes: (a, b), rest, alike });
                        continue;
                    }
                    self.known.insert((a, b), false);
                }
            }
            // A difference makes all collections around it different.
            self.known.extend(open.drain(..).map(|pair| (pair.nodes, false)));
            return false;
        }
        true
    }

    /// Returns true if two written collections are the same node by node, and what is known of
    /// the nodes in them. If they are not the same, they may be equal all the same.
    // The work is linear: nodes that were found alike with a collection around them are not
    // compared again.
    fn alike(&self, a: NodeId, b: NodeId, around: AlikeNodes) -> (bool, AlikeNodes) {
        let (NodeId::Clean(f, i), NodeId::Clean(g, j)) = (a, b) else {
            return (false, AlikeNodes::default());
        };
        let (x, y) = (self.document.arena(f), self.document.arena(g));
        let length = x.next(i) - i;
        if let Some(count) = around.count_from((f, i), (g, j)) {
            return (count >= length, around);
        }
        let is_same = |at: &Index| x.is_surely_same(i + at, (y, j + at));
        let count = (0..length).take_while(is_same).count() as Index;
        (count >= length, AlikeNodes { first: Some(((f, i), (g, j))), count })
    }

    /// Returns the result as far as it is known without a look at the children.
    fn known_equality(&self, a: NodeId, b: NodeId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        match (self.document.kind(a), self.document.kind(b)) {
            (x, y) if x != y || !self.same_tag(a, b) => Some(false),
            (Kind::Scalar, _) => Some(self.equal_scalars(a, b)),
            _ => self.known.get(&(a, b)).copied(),
        }
    }

    /// Returns true if two values do not differ by their tags.
    pub(super) fn same_tag(&self, a: NodeId, b: NodeId) -> bool {
        self.own_tag(a) == self.own_tag(b)
    }

    fn own_tag(&self, node: NodeId) -> Option<Cow<'a, str>> {
        let document = self.document;
        self.tags_count.then(|| document.own_tag(node)).flatten()
    }

    fn equal_scalars(&self, a: NodeId, b: NodeId) -> bool {
        let document = self.document;
        if let (NodeId::Clean(f, i), NodeId::Clean(g, j)) = (a, b)
            && document.arena(f).is_surely_same(i, (document.arena(g), j))
        {
            return true;
        }
        document.scalar(a).identity() == document.scalar(b).identity()
    }

    /// Returns the pairs of children of two collections, if these can be equal.
    fn child_pairs(&mut self, a: NodeId, b: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        if self.document.kind(a) == Kind::Sequence {
            let (a, b) = (self.document.items(a), self.document.items(b));
            return (a.len() == b.len()).then(|| a.into_iter().zip(b).rev().collect());
        }
        let (x, y) = (self.document.pairs(a), self.document.pairs(b));
        if x.len() != y.len() {
            return None;
        }
        let scalar = |key| self.document.kind(key) == Kind::Scalar;
        // Most mappings have their keys in the same order; that saves an index.
        let in_order = x
            .iter()
            .zip(&y)
            .all(|(&(k, _), &(l, _))| scalar(k) && scalar(l) && self.equal_scalars(k, l));
        if in_order {
            return Some(x.iter().zip(&y).map(|(x, y)| (x.1, y.1)).rev().collect());
        }
        let (x, y) = (self.entries(a), self.entries(b));
        let pair = |entry: &MappingEntry<'a>| Some((entry.value, y.get(&entry.key)?));
        x.list.iter().rev().map(pair).collect()
    }

    pub(super) fn entries(&mut self, node: NodeId) -> Rc<MappingIndex<'a>> {
        let node = self.document.follow(node);
        if let Some(known) = self.entries.get(&node) {
            return known.clone();
        }
        let pairs = self.document.pairs(node).into_iter();
        let entry = |(name, value)| MappingEntry { key: self.key(name), name, value };
        let list: Vec<MappingEntry<'a>> = pairs.map(entry).collect();
        let entries = Rc::new(MappingIndex::new(list));
        self.entries.insert(node, entries.clone());
        entries
    }

    pub(super) fn key(&mut self, node: NodeId) -> EntryKey<'a> {
        let document = self.document;
        let node = self.filled.get(&node).copied().unwrap_or(node);
        match document.kind(node) {
            Kind::Scalar => EntryKey::Scalar(document.scalar(node).identity()),
            Kind::Sequence | Kind::Mapping => EntryKey::Class(self.class(node)),
        }
    }

    /// Returns a number that equal values have in common.
    pub(super) fn class(&mut self, node: NodeId) -> u32 {
        let mut todo = vec![(node, false)];
        while let Some((node, ready)) = todo.pop() {
            let node = self.document.follow(node);
            if self.classes.contains_key(&node) {
                continue;
            }
            if !ready && self.document.kind(node) != Kind::Scalar {
                todo.push((node, true));
                let pairs = self.document.pairs(node);
                todo.extend(
                    pairs.into_iter().flat_map(|(k, v)| [(k, false), (v, false)]),
                );
                todo.extend(self.document.items(node).into_iter().map(|i| (i, false)));
                continue;
            }
            let form = (self.own_tag(node), self.shape(node));
            let next = self.shapes.len() as u32;
            let class = *self.shapes.entry(form).or_insert(next);
            self.classes.insert(node, class);
        }
        self.known_class(node)
    }

    fn known_class(&self, node: NodeId) -> u32 {
        self.classes.get(&self.document.follow(node)).copied().unwrap_or(u32::MAX)
    }

    fn shape(&self, node: NodeId) -> ValueShape<'a> {
        let document = self.document;
        let class = |node| self.known_class(node);
        match document.kind(node) {
            Kind::Scalar => ValueShape::Scalar(document.scalar(node).identity()),
            Kind::Sequence => ValueShape::Sequence(
                document.items(node).into_iter().map(class).collect(),
            ),
            Kind::Mapping => {
                let pairs = document.pairs(node).into_iter();
                let mut pairs: Vec<_> =
                    pairs.map(|(k, v)| (class(k), class(v))).collect();
                pairs.sort_unstable();
                ValueShape::Mapping(pairs)
            }
        }
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
