//! Comparison of the values of one document, which holds the expansion and the edited
//! copy: equality, pairs of list items, renamed keys, inherited values, and paths.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::align::{MAX_WEIGHED_PAIRS, Segment, align};
use super::change::Change;
use super::written::ChildIndex;
use crate::arena::{Style, flag};
use crate::merge::{self, Strategy};
use crate::node::{Body, Kind, NodeId, Step, Tree};

use crate::scalar::Identity;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum EntryKey<'a> {
    Scalar(Identity<'a>),
    /// A collection, by its class.
    Class(u32),
}

pub(super) struct MappingIndex<'a> {
    pub list: Vec<MappingEntry<'a>>,
    index: HashMap<EntryKey<'a>, usize>,
}

#[derive(Clone, Debug)]
pub(super) struct MappingEntry<'a> {
    pub key: EntryKey<'a>,
    pub name: NodeId,
    pub value: NodeId,
}

impl<'a> MappingIndex<'a> {
    pub(super) fn get(&self, key: &EntryKey<'a>) -> Option<NodeId> {
        self.index.get(key).map(|&at| self.list[at].value)
    }
}

/// Compares values. Each pair of collections is compared once.
pub(super) struct Comparer<'a> {
    pub document: &'a Tree,
    /// The tree of the text of the document.
    pub written: ChildIndex<'a>,
    renames: HashMap<(NodeId, NodeId), Rc<RenamedKeys<'a>>>,
    moves: HashMap<(NodeId, NodeId), ItemMoves>,
    items: HashMap<NodeId, Rc<[NodeId]>>,
    known: HashMap<(NodeId, NodeId), bool>,
    entries: HashMap<NodeId, Rc<MappingIndex<'a>>>,
    classes: HashMap<NodeId, u32>,
    shapes: HashMap<ValueShape<'a>, u32>,
    /// The filled-in form of written keys.
    filled: HashMap<NodeId, NodeId>,
    /// True if the edited copy or raw values may have whiteouts.
    has_whiteouts: bool,
    whiteouts: HashMap<NodeId, bool>,
}

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
}

/// A collection around a node, with the index of the next one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub parent: Option<usize>,
    pub change: Change,
}

/// Keys by which items are told apart.
// A change of any other entry makes no other item.
const NAME_KEYS: [&str; 3] = ["name", "id", "key"];

/// Number of mapping entries that are compared to weigh all pairs of items.
// They are shared out among the pairs: 64 for each pair of the largest gap. Large
// mappings in long lists are judged by their first entries.
const PAIRING_BUDGET: usize = 1 << 20;

/// Similarity from which an item that moved and changed its name counts as the same item.
// Reached when nearly half of the entries are equal (see `item_similarity`). Less would
// pair items that have only a type or a port in common.
const MIN_RENAMED_SIMILARITY: u32 = 40;

pub(super) struct OldPart {
    /// The value in the expansion, if the part is one item.
    pub view: Option<NodeId>,
    /// The items that it will expand to if it is left alone.
    pub gives: Vec<NodeId>,
    /// True if its items are the value of a directive.
    pub splice: bool,
    /// True if it has directives of its own.
    pub site: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NewPosition {
    pub at: usize,
    /// True if its order among the parts changed.
    pub moved: bool,
}

/// The new index of each item of a list; `None` if it is gone.
type ItemMoves = Rc<[Option<usize>]>;

struct Overlap {
    shared: u32,
    /// Keys of both with equal values.
    pub equal: u32,
    /// Keys of the larger one, at least one.
    all: u32,
}

/// The entries that were added to a mapping, for look-ups of removed ones.
#[derive(Default)]
struct RenamedKeys<'a> {
    /// The added entry with a value of each class; `None` if there are several.
    by_value: HashMap<u32, Option<MappingEntry<'a>>>,
    /// The added entry whose value is similar to that of a removed key.
    by_key: HashMap<EntryKey<'a>, MappingEntry<'a>>,
}

/// Maximum number of pairs of removed and added entries that are weighed.
// More keys changed at once are a rewritten mapping, in which no pair is certain.
const MAX_RENAME_PAIRS: usize = 1 << 10;

/// Number of entries and items that are compared to weigh all these pairs.
// 16 for each of the most pairs, which is enough to see that half are equal.
const RENAME_BUDGET: usize = 1 << 14;

/// Inherited values, the weakest first: one, mappings that are merged, or none.
pub(super) type Layers = Vec<NodeId>;

impl<'a> Comparer<'a> {
    pub(super) fn new(document: &'a Tree) -> Comparer<'a> {
        Comparer {
            document,
            written: ChildIndex::new(document.base()),
            renames: HashMap::new(),
            moves: HashMap::new(),
            items: HashMap::new(),
            known: HashMap::new(),
            entries: HashMap::new(),
            classes: HashMap::new(),
            shapes: HashMap::new(),
            filled: filled_keys(document),
            has_whiteouts: document
                .arenas()
                .any(|arena| merge::may_have_whiteouts(arena)),
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
        let mut open = vec![OpenPair { nodes: (a, b), rest: vec![(a, b)] }];
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
                    if let Some(rest) = self.child_pairs(a, b) {
                        open.push(OpenPair { nodes: (a, b), rest });
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

    /// Returns the result as far as it is known without a look at the children.
    fn known_equality(&self, a: NodeId, b: NodeId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        match (self.document.kind(a), self.document.kind(b)) {
            (Kind::Scalar, Kind::Scalar) => Some(self.equal_scalars(a, b)),
            (a, b) if a != b => Some(false),
            _ => self.known.get(&(a, b)).copied(),
        }
    }

    fn equal_scalars(&self, a: NodeId, b: NodeId) -> bool {
        let document = self.document;
        if let (NodeId::Clean(f, i), NodeId::Clean(g, j)) = (a, b) {
            let (x, y) = (document.arena(f), document.arena(g));
            let bare = flag::PROPS | flag::MULTILINE;
            let plain = x.style(i) == Style::Plain && y.style(j) == Style::Plain;
            let plain = plain && !x.has(i, bare) && !y.has(j, bare);
            if plain && x.dialect() == y.dialect() && x.raw(i) == y.raw(j) {
                return true;
            }
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
        x.list.iter().map(|entry| Some((entry.value, y.get(&entry.key)?))).collect()
    }

    fn item(&mut self, list: NodeId, index: usize) -> Option<NodeId> {
        let list = self.document.follow(list);
        let items = self.items.entry(list);
        items.or_insert_with(|| self.document.items(list).into()).get(index).copied()
    }

    pub(super) fn entries(&mut self, node: NodeId) -> Rc<MappingIndex<'a>> {
        let node = self.document.follow(node);
        if let Some(known) = self.entries.get(&node) {
            return known.clone();
        }
        let pairs = self.document.pairs(node).into_iter();
        let entry = |(name, value)| MappingEntry { key: self.key(name), name, value };
        let list: Vec<MappingEntry<'a>> = pairs.map(entry).collect();
        let keys = list.iter().map(|entry| entry.key.clone());
        let index = keys.zip(0..).collect();
        let entries = Rc::new(MappingIndex { list, index });
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
            let form = self.shape(node);
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
        for &layer in layers {
            match self.entries(layer).get(key) {
                Some(value) if self.is_whiteout(value) => found.clear(),
                Some(value) => self.add_layer(&mut found, value),
                None => {}
            }
        }
        found
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

    /// Returns the position of each part of a list in the new one.
    pub(super) fn pair(
        &mut self,
        old: &[&OldPart],
        new: &[NodeId],
    ) -> Vec<Option<NewPosition>> {
        let classes: Vec<u32> = new.iter().map(|&item| self.class(item)).collect();
        let part = |old: &&OldPart| Segment {
            classes: old.gives.iter().map(|&node| self.class(node)).collect(),
            flexible: !old.splice,
        };
        let parts: Vec<Segment> = old.iter().map(part).collect();
        let most = PAIRING_BUDGET
            / old.len().saturating_mul(new.len()).clamp(1, MAX_WEIGHED_PAIRS);
        let here: HashSet<u32> =
            old.iter().filter_map(|old| self.name_class(old.view?)).collect();
        let there: HashSet<u32> =
            new.iter().filter_map(|&item| self.name_class(item)).collect();
        let removed_counts = removed_counts(&parts, &classes);
        let stays = align(&parts, &classes, &mut |part, item| {
            let left = |class: &u32| removed_counts.get(class).copied().unwrap_or(0);
            let is_found = parts[part].classes.iter().any(|class| left(class) <= 0);
            let (old, class, new) = (old[part], classes[item], new[item]);
            let is_there = left(&class) >= 0;
            if is_found || is_there || self.are_distinct(old, new, (&here, &there)) {
                0
            } else {
                self.item_similarity(old, new, most)
            }
        });
        let mut pairs: Vec<Option<NewPosition>> = stays
            .iter()
            .map(|at| at.map(|at| NewPosition { at, moved: false }))
            .collect();
        find_moved_splices(old, &parts, &classes, &mut pairs);
        self.find_moved(old, &parts, (new, &classes), &mut pairs);
        self.find_renamed(old, new, (&here, &there), &mut pairs);
        pairs
    }

    /// Pairs parts and items that are left: equal ones, then those of the same name.
    fn find_moved(
        &mut self,
        old: &[&OldPart],
        parts: &[Segment],
        (new, classes): (&[NodeId], &[u32]),
        pairs: &mut [Option<NewPosition>],
    ) {
        let mut left: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut taken = vec![false; new.len()];
        for (i, (old, part)) in old.iter().zip(parts).enumerate().rev() {
            match (pairs[i], &part.classes[..]) {
                (Some(NewPosition { at, .. }), classes) => {
                    taken[at..at + classes.len()].fill(true);
                }
                (None, &[class]) if !old.splice => {
                    left.entry(class).or_default().push(i);
                    let name = old.view.and_then(|view| self.name_class(view));
                    left.entry(name.unwrap_or(class)).or_default().push(i);
                }
                (None, _) => {}
            }
        }
        for at in (0..new.len()).filter(|&at| !taken[at]) {
            let mut take = |class: u32| {
                let items = left.get_mut(&class)?;
                let there = items.iter().rposition(|&i| pairs[i].is_none());
                items.truncate(there.map_or(0, |there| there + 1));
                items.pop()
            };
            let found = take(classes[at]).or_else(|| take(self.name_class(new[at])?));
            if let Some(i) = found {
                pairs[i] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Pairs items that changed both name and position, the most similar first.
    fn find_renamed(
        &mut self,
        old: &[&OldPart],
        new: &[NodeId],
        (here, there): (&HashSet<u32>, &HashSet<u32>),
        pairs: &mut [Option<NewPosition>],
    ) {
        let taken: HashSet<usize> = pairs.iter().flatten().map(|new| new.at).collect();
        let mut left: Vec<usize> = (0..old.len()).collect();
        left.retain(|&i| pairs[i].is_none() && old[i].view.is_some() && !old[i].splice);
        let fresh: Vec<usize> = (0..new.len()).filter(|at| !taken.contains(at)).collect();
        let most = PAIRING_BUDGET / left.len().saturating_mul(fresh.len()).max(1);
        // There are more pairs than are weighed elsewhere: positions and names must do.
        if most < PAIRING_BUDGET / MAX_WEIGHED_PAIRS {
            return;
        }
        let mut found = Vec::new();
        for &i in &left {
            for &at in &fresh {
                if !self.are_distinct(old[i], new[at], (here, there)) {
                    let weight = self.item_similarity(old[i], new[at], most);
                    found.push((Reverse(weight), i, at));
                }
            }
        }
        found.retain(|&(Reverse(weight), ..)| weight >= MIN_RENAMED_SIMILARITY);
        found.sort_unstable();
        let mut taken = HashSet::new();
        for (_, i, at) in found {
            if pairs[i].is_none() && taken.insert(at) {
                pairs[i] = Some(NewPosition { at, moved: true });
            }
        }
    }

    fn item_moves(&mut self, view: NodeId, edited: NodeId) -> ItemMoves {
        let document = self.document;
        let lists = (document.follow(view), document.follow(edited));
        if let Some(known) = self.moves.get(&lists) {
            return known.clone();
        }
        let items = document.items(view);
        let places: ItemMoves = if self.equal(view, edited) {
            (0..items.len()).map(Some).collect()
        } else {
            let old = |item| OldPart {
                view: Some(item),
                gives: vec![item],
                splice: false,
                site: false,
            };
            let old: Vec<OldPart> = items.into_iter().map(old).collect();
            let old: Vec<&OldPart> = old.iter().collect();
            let pairs = self.pair(&old, &document.items(edited));
            pairs.into_iter().map(|new| new.map(|new| new.at)).collect()
        };
        self.moves.insert(lists, places.clone());
        places
    }

    /// Returns a number that items of the same name, and no others, have in common.
    fn name_class(&mut self, item: NodeId) -> Option<u32> {
        let entries = self.entries(item);
        let key = |name: &'static str| EntryKey::Scalar(Identity::String(name.into()));
        let name = NAME_KEYS.iter().find_map(|name| entries.get(&key(name)))?;
        let named = self.class(name);
        // Classes count up from 0, names down from the maximum.
        Some(u32::MAX - 1 - named)
    }

    /// Returns true if the name of an item is in the other list too: it was not renamed.
    fn are_distinct(
        &mut self,
        old: &OldPart,
        new: NodeId,
        (here, there): (&HashSet<u32>, &HashSet<u32>),
    ) -> bool {
        let Some(view) = old.view else { return false };
        let (was, is) = (self.name_class(view), self.name_class(new));
        let is_in = |name: Option<u32>, set: &HashSet<u32>| {
            name.is_some_and(|it| set.contains(&it))
        };
        was != is && (is_in(was, there) || is_in(is, here))
    }

    /// Returns the similarity of an item and a new one: less than 100, 0 if they are no
    /// pair. Compares up to `most` entries.
    fn item_similarity(&mut self, old: &OldPart, new: NodeId, most: usize) -> u32 {
        let Some(view) = old.view else { return 0 };
        let site = old.site;
        match (self.document.kind(view), self.document.kind(new)) {
            (Kind::Mapping, Kind::Mapping) => {
                let named = (self.name_class(view), self.name_class(new));
                let renamed = named.0 != named.1;
                match named {
                    (Some(_), Some(_)) if !renamed => return 95,
                    _ => {}
                }
                let Overlap { shared, equal, all } = self.overlap(view, new, most);
                let alike = 10 * shared / all + 80 * equal / all;
                match (renamed, site) {
                    // A renamed item keeps directives only if nearly all else is the
                    // same.
                    (true, true) if 2 * equal + 1 < all || equal == 0 => 0,
                    (true, _) => alike.max(1),
                    (false, _) if shared > 0 => alike.max(3),
                    (false, true) => 0,
                    (false, false) => alike.max(2),
                }
            }
            (a, b) if site => u32::from(a == b),
            (a, b) if a == b => 2,
            _ => 1,
        }
    }

    /// Returns the overlap of two mappings, of which up to `most` entries are compared.
    fn overlap(&mut self, view: NodeId, new: NodeId, most: usize) -> Overlap {
        let (view, new) = (self.entries(view), self.entries(new));
        let (mut shared, mut equal) = (0, 0);
        for entry in view.list.iter().take(most) {
            let Some(other) = new.get(&entry.key) else { continue };
            let classes = [entry.value, other].map(|it| self.class(it));
            shared += 1;
            equal += u32::from(classes[0] == classes[1]);
        }
        let all = view.list.len().max(new.list.len()).clamp(1, most.max(1)) as u32;
        Overlap { shared, equal, all }
    }

    /// Returns the entry that a removed key was renamed to, if it is unambiguous.
    fn renamed(
        &mut self,
        (view, edited): (NodeId, NodeId),
        key: &EntryKey<'a>,
        was: NodeId,
    ) -> Option<MappingEntry<'a>> {
        let renames = self.renamed_keys(view, edited);
        if renames.by_value.is_empty() {
            return None;
        }
        let found = renames.by_value.get(&self.class(was));
        found.map_or_else(|| renames.by_key.get(key).cloned(), Clone::clone)
    }

    /// Returns the entry whose value is similar to that of a removed key.
    pub(super) fn renamed_and_changed(
        &mut self,
        (view, edited): (NodeId, NodeId),
        key: &EntryKey<'a>,
    ) -> Option<MappingEntry<'a>> {
        self.renamed_keys(view, edited).by_key.get(key).cloned()
    }

    fn renamed_keys(&mut self, view: NodeId, edited: NodeId) -> Rc<RenamedKeys<'a>> {
        let pair = (self.document.follow(view), self.document.follow(edited));
        if let Some(known) = self.renames.get(&pair) {
            return known.clone();
        }
        let (before, after) = (self.entries(view), self.entries(edited));
        let only = |entry: &&MappingEntry<'a>, other: &MappingIndex<'a>| {
            other.get(&entry.key).is_none()
        };
        let added: Vec<_> = after.list.iter().filter(|e| only(e, &before)).collect();
        let mut renames = RenamedKeys::default();
        for &entry in &added {
            let twin = renames.by_value.entry(self.class(entry.value));
            twin.and_modify(|twin| *twin = None).or_insert(Some(entry.clone()));
        }
        if !added.is_empty() {
            let gone: Vec<_> = before.list.iter().filter(|e| only(e, &after)).collect();
            renames.by_key = self.pair_renamed(&gone, &added, &renames);
        }
        let renames = Rc::new(renames);
        self.renames.insert(pair, renames.clone());
        renames
    }

    /// Pairs removed entries with added ones of similar value, the most similar first.
    fn pair_renamed(
        &mut self,
        gone: &[&MappingEntry<'a>],
        added: &[&MappingEntry<'a>],
        known: &RenamedKeys<'a>,
    ) -> HashMap<EntryKey<'a>, MappingEntry<'a>> {
        let found: HashSet<u32> = gone.iter().map(|it| self.class(it.value)).collect();
        let mut left = |entries: &[&MappingEntry<'a>], is_found: &dyn Fn(u32) -> bool| {
            let mut left: Vec<MappingEntry<'a>> =
                entries.iter().map(|&it| it.clone()).collect();
            left.retain(|it| {
                self.document.kind(it.value) != Kind::Scalar
                    && !is_found(self.class(it.value))
            });
            left
        };
        let gone = left(gone, &|class| known.by_value.contains_key(&class));
        let added = left(added, &|class| found.contains(&class));
        if gone.len().saturating_mul(added.len()) > MAX_RENAME_PAIRS {
            return HashMap::new();
        }
        let alone = gone.len() == 1 && added.len() == 1;
        let most = RENAME_BUDGET / gone.len().saturating_mul(added.len()).max(1);
        let mut pairs = Vec::new();
        for (i, old) in gone.iter().enumerate() {
            for (j, new) in added.iter().enumerate() {
                let weight = self.entry_similarity((old.value, new.value), most, alone);
                pairs.extend(weight.map(|weight| (Reverse(weight), i, j)));
            }
        }
        pairs.sort_unstable();
        let (mut renamed, mut taken) = (HashMap::new(), HashSet::new());
        for (_, i, j) in pairs {
            if !renamed.contains_key(&gone[i].key) && taken.insert(j) {
                renamed.insert(gone[i].key.clone(), added[j].clone());
            }
        }
        renamed
    }

    /// Returns the similarity of two collections if at least half of the larger is equal.
    /// For a single candidate (`alone`) half of the keys are enough.
    fn entry_similarity(
        &mut self,
        (old, new): (NodeId, NodeId),
        most: usize,
        alone: bool,
    ) -> Option<u32> {
        match (self.document.kind(old), self.document.kind(new)) {
            (Kind::Mapping, Kind::Mapping) => {
                let Overlap { shared, equal, all } = self.overlap(old, new, most);
                let kin = 2 * equal >= all || alone && 2 * shared >= all;
                kin.then_some(10 * shared / all + 80 * equal / all)
            }
            (Kind::Sequence, Kind::Sequence) => {
                let [old, new] = [old, new].map(|list| {
                    let items = self.document.items(list).into_iter().take(most);
                    items.map(|item| self.class(item)).collect::<Vec<u32>>()
                });
                let all = old.len().max(new.len()) as u32;
                let old: HashSet<u32> = old.into_iter().collect();
                let equal = new.iter().filter(|class| old.contains(class)).count() as u32;
                (all > 0 && 2 * equal >= all).then(|| 90 * equal / all)
            }
            _ => None,
        }
    }

    /// Resolves a pointer before and after the edit. Its tokens are replaced by those
    /// that lead to the same value after the edit.
    pub(super) fn resolve_pointer(
        &mut self,
        from: Change,
        pointer: &mut [String],
    ) -> Change {
        let mut both = from;
        for token in pointer {
            let view = both.was.and_then(|view| self.token(view, token));
            let after = self.token_after_edit(both, view, token);
            let edited = both.now.zip(after.as_deref());
            let edited = edited.and_then(|(edited, token)| self.token(edited, token));
            if let Some(after) = after.filter(|_| edited.is_some()) {
                *token = after;
            }
            both = Change { was: view, now: edited };
        }
        both
    }

    /// Returns the token that a token is replaced by; `None` if the value is gone.
    fn token_after_edit(
        &mut self,
        from: Change,
        was: Option<NodeId>,
        token: &str,
    ) -> Option<String> {
        if let (Some(view), Some(edited), Some(was)) = (from.was, from.now, was) {
            if let Some(index) = self.index(view, token) {
                return self.index_after_edit(from, index).map(|index| index.to_string());
            }
            if self.token(edited, token).is_none() {
                let key =
                    EntryKey::Scalar(Identity::String(Cow::Owned(token.to_owned())));
                return match self.renamed((view, edited), &key, was)?.key {
                    EntryKey::Scalar(Identity::String(name)) => Some(name.into_owned()),
                    _ => None,
                };
            }
        }
        Some(token.to_owned())
    }

    /// Resolves a path of the source that ends in `pointer`. Returns the start and the
    /// end of the pointer, whose tokens become those after the edit.
    pub(super) fn resolve_path(
        &mut self,
        roots: Change,
        path: &[Step],
        pointer: &mut Vec<String>,
    ) -> (Change, Change) {
        let ancestors = self.trace_path(path, roots);
        let start = ancestors[ancestors.len().saturating_sub(pointer.len() + 1)].change;
        let end = ancestors[ancestors.len() - 1].change;
        let mut after = pointer.clone();
        if self.resolve_pointer(start, &mut after) == end {
            *pointer = after;
        }
        (start, end)
    }

    /// Returns the value at a pointer.
    pub(super) fn at(
        &mut self,
        from: Option<NodeId>,
        pointer: &[String],
    ) -> Option<NodeId> {
        let mut tokens = pointer.iter();
        tokens.try_fold(from?, |at, token| self.token(at, token))
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

    fn token(&mut self, node: NodeId, token: &str) -> Option<NodeId> {
        match self.document.kind(node) {
            Kind::Scalar => None,
            Kind::Mapping => {
                let key = Identity::String(Cow::Owned(token.to_owned()));
                self.entries(node).get(&EntryKey::Scalar(key))
            }
            Kind::Sequence => {
                let index = self.index(node, token)?;
                self.item(node, index)
            }
        }
    }

    fn index(&self, list: NodeId, token: &str) -> Option<usize> {
        let plain = token.bytes().all(|b| b.is_ascii_digit());
        // RFC 6901: no leading zeros, no sign.
        let canonical = token == "0" || !token.starts_with('0');
        let list = self.document.kind(list) == Kind::Sequence;
        (list && plain && canonical).then(|| token.parse().ok())?
    }

    /// Returns the index of an item after the edit; `None` if it is gone.
    fn index_after_edit(&mut self, from: Change, index: usize) -> Option<usize> {
        let (Some(view), Some(edited)) = (from.was, from.now) else {
            return Some(index);
        };
        match [view, edited].map(|node| self.document.kind(node)) {
            [Kind::Sequence, Kind::Sequence] => {
                self.item_moves(view, edited).get(index).copied().unwrap_or(Some(index))
            }
            _ => Some(index),
        }
    }

    /// Returns the collections along a path of the source, before and after the edit.
    pub(super) fn trace_path(&mut self, path: &[Step], roots: Change) -> Vec<Ancestor> {
        let mut ancestors = vec![Ancestor { parent: None, change: roots }];
        for (around, step) in path.iter().enumerate() {
            let both = self.follow_step(ancestors[around].change, step);
            ancestors.push(Ancestor { parent: Some(around), change: both });
        }
        ancestors
    }

    fn follow_step(&mut self, from: Change, step: &Step) -> Change {
        match *step {
            Step::Index(index) => {
                let index = index as usize;
                let view = from.was.and_then(|list| self.item(list, index));
                let edited = from.now.zip(self.index_after_edit(from, index));
                let edited = edited.and_then(|(list, index)| self.item(list, index));
                Change { was: view, now: edited }
            }
            Step::Key(key) => {
                let key = self.key(key);
                let mut get = |node: Option<NodeId>| self.entries(node?).get(&key);
                let (view, edited) = (get(from.was), get(from.now));
                let renamed = match (view, edited, from) {
                    (Some(was), None, Change { was: Some(from), now: Some(to) }) => {
                        self.renamed((from, to), &key, was).map(|entry| entry.value)
                    }
                    _ => None,
                };
                Change { was: view, now: edited.or(renamed) }
            }
        }
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
            (Some(key @ NodeId::Opened(_)), Some(was)) => {
                Some((NodeId::Clean(file, was), key))
            }
            _ => None,
        }));
    }
    filled
}

/// Pairs the directives that are left with the same items elsewhere in the new list.
fn find_moved_splices(
    old: &[&OldPart],
    parts: &[Segment],
    new: &[u32],
    pairs: &mut [Option<NewPosition>],
) {
    let mut taken = vec![false; new.len()];
    for (part, pair) in parts.iter().zip(pairs.iter()) {
        if let Some(NewPosition { at, .. }) = *pair {
            taken[at..at + part.classes.len()].fill(true);
        }
    }
    let left: Vec<usize> = (0..old.len())
        .filter(|&i| old[i].splice && pairs[i].is_none() && !parts[i].classes.is_empty())
        .collect();
    if left.len().saturating_mul(new.len()) > MAX_WEIGHED_PAIRS {
        return;
    }
    for i in left {
        let (classes, len) = (&parts[i].classes, parts[i].classes.len());
        let starts = 0..(new.len() + 1).saturating_sub(len);
        let is_free = |&at: &usize| {
            new[at..at + len] == classes[..] && !taken[at..at + len].contains(&true)
        };
        if let Some(at) = starts.into_iter().find(is_free) {
            taken[at..at + len].fill(true);
            pairs[i] = Some(NewPosition { at, moved: true });
        }
    }
}

/// Returns by class how many more old items than new ones there are, if there are.
fn removed_counts(old: &[Segment], new: &[u32]) -> HashMap<u32, i64> {
    let mut removed_counts = HashMap::new();
    for class in old.iter().flat_map(|part| &part.classes) {
        *removed_counts.entry(*class).or_default() += 1;
    }
    for &class in new {
        *removed_counts.entry(class).or_default() -= 1;
    }
    removed_counts
}
