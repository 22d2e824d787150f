//! Comparison of a document with its edited copy: equal values, what mappings inherit from layers of
//! them, pairs of list items, renamed keys, and paths that lead to the same value in both; and
//! look-ups in the tree of the written document.

use std::borrow::Cow;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use crate::arena::{Arena, Index};
use crate::compare::{
    EntryKey, ListPart, MappingEntry, MappingIndex, NewPosition, RenamedKeys, Side,
    Values, pair_similar,
};
use crate::merge::{self, Strategy};
use crate::node::{Body, Kind, NodeId, Step, Tree};
use crate::pointer::JsonPointer;
use crate::scalar::Identity;

/// Inherited values, the weakest first: one, mappings that are merged, or none.
pub(super) type Layers = Vec<NodeId>;

/// The values of an expansion and of the edited copy, with the pairs between them. Each
/// pair of collections is compared once.
pub(super) struct Comparer<'a> {
    pub document: &'a Tree,
    pub values: Values<'a>,
    /// The entries of many layers, by the first layer, the last one and their number. A hash of
    /// all layers would take as long for each key as asking each of them.
    layered: HashMap<(NodeId, NodeId, usize), (Layers, Rc<LayeredEntries<'a>>)>,
    /// True if the edited copy or raw values may have whiteouts.
    has_whiteouts: bool,
    whiteouts: HashMap<NodeId, bool>,
    /// The tree of the text of the document.
    pub written: ChildIndex<'a>,
    renames: HashMap<(NodeId, NodeId), Rc<RenamedKeys<'a>>>,
    moves: HashMap<(NodeId, NodeId), ItemMoves>,
    items: HashMap<NodeId, Rc<[NodeId]>>,
}

/// The new index of each item of a list; `None` if it is gone.
type ItemMoves = Rc<[Option<usize>]>;

impl<'a> Comparer<'a> {
    /// Prepares a comparison. If tags count, values with different ones differ.
    pub(super) fn new(document: &'a Tree, tags_count: bool) -> Comparer<'a> {
        let values = Values::within(document).with_tags(tags_count);
        Comparer {
            document,
            values: values.with_filled_keys(filled_keys(document)),
            layered: HashMap::new(),
            has_whiteouts: document
                .arenas()
                .any(|arena| merge::may_have_whiteouts(arena.text())),
            whiteouts: HashMap::new(),
            written: ChildIndex::new(document.base()),
            renames: HashMap::new(),
            moves: HashMap::new(),
            items: HashMap::new(),
        }
    }

    /// Returns the position of each part of a list in the new one.
    pub(super) fn pair(
        &mut self,
        old: &[&ListPart],
        new: &[NodeId],
    ) -> Vec<Option<NewPosition>> {
        pair_similar(&mut self.values, old, new)
    }

    fn item(&mut self, list: NodeId, index: usize) -> Option<NodeId> {
        let document = self.document;
        let list = document.follow(list);
        let items = self.items.entry(list);
        items.or_insert_with(|| document.items(list).into()).get(index).copied()
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
            let old: Vec<ListPart> = items.into_iter().map(ListPart::lone).collect();
            let old: Vec<&ListPart> = old.iter().collect();
            let pairs = self.pair(&old, &document.items(edited));
            pairs.into_iter().map(|new| new.map(|new| new.at)).collect()
        };
        self.moves.insert(lists, places.clone());
        places
    }

    /// Returns the entry that a removed key was renamed to, if it is unambiguous.
    fn renamed(
        &mut self,
        view: NodeId,
        edited: NodeId,
        key: &EntryKey<'a>,
    ) -> Option<MappingEntry<'a>> {
        self.renamed_keys(view, edited).get(key).cloned()
    }

    /// Returns the keys of a mapping that the edit renamed.
    pub(super) fn renamed_keys(
        &mut self,
        view: NodeId,
        edited: NodeId,
    ) -> Rc<RenamedKeys<'a>> {
        let pair = (self.document.follow(view), self.document.follow(edited));
        if let Some(known) = self.renames.get(&pair) {
            return known.clone();
        }
        let renames = Rc::new(RenamedKeys::find(&mut self.values, view, edited));
        self.renames.insert(pair, renames.clone());
        renames
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
        if let (Some(view), Some(edited), Some(_)) = (from.was, from.now, was) {
            if let Some(index) = self.index(view, token) {
                return self.index_after_edit(from, index).map(|index| index.to_string());
            }
            if self.token(edited, token).is_none() {
                let key =
                    EntryKey::Scalar(Identity::String(Cow::Owned(token.to_owned())));
                return match self.renamed(view, edited, &key)?.key {
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
                let [was, now] =
                    [from.was, from.now].map(|node| self.entries(node?).get(&key));
                let renamed = match (was, now, from) {
                    (Some(_), None, Change { was: Some(from), now: Some(to) }) => {
                        self.renamed(from, to, &key).map(|entry| entry.value)
                    }
                    _ => None,
                };
                Change { was, now: now.or(renamed) }
            }
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
            return self.layered(layers).get(key).cloned().unwrap_or_default();
        }
        let entries = layers.iter().filter_map(|&layer| {
            let entries = self.entries(layer);
            entries.entry(key).map(|entry| InheritedEntry::new(layer, entry))
        });
        entries.collect()
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
            for entry in &self.entries(layer).list {
                let same = layered.entry(entry.key.clone()).or_default();
                // Of equal keys, the last one counts.
                same.pop_if(|it| it.layer == layer);
                same.push(InheritedEntry::new(layer, entry));
            }
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
        let mut keys = Vec::new();
        let mut met = HashSet::new();
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
        let mut todo = vec![(layers.to_vec(), value)];
        let mut met = HashSet::new();
        while let Some((layers, value)) = todo.pop() {
            if layers.len() > 1 || self.has_whiteouts {
                // Compared once: nested aliases would take exponential time.
                let nodes = layers.iter().chain([&value]);
                let nodes = nodes.map(|&node| self.document.follow(node));
                if !met.insert(nodes.collect::<Vec<NodeId>>()) {
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
            let keys = self.inherited_keys(&layers);
            let entries = self.entries(value);
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
        let [a, b] = [a, b].map(|node| self.entries(node));
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

/// A collection around a node, with the index of the next one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub parent: Option<usize>,
    pub change: Change,
}

/// A value in the expansion, and the same value in the edited copy. `N` is `NodeId` for a
/// value that the edited copy has for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change<N = Option<NodeId>> {
    /// The value in the expansion; `None` if the edit added it.
    pub was: Option<NodeId>,
    /// The value in the edited copy; `None` if the edit removed it.
    pub now: N,
}

impl Change {
    /// A place that neither of the two has.
    pub(super) const NONE: Change = Change { was: None, now: None };
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
type LayeredEntries<'a> = HashMap<EntryKey<'a>, Vec<InheritedEntry>>;

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

/// Maximum number of layers of which each is asked for a key.
// Almost all mappings inherit from one to three, and a table of their entries would be made for
// a few keys. With a layer for each key, asking each of them takes quadratic time.
const FEW_LAYERS: usize = 8;

/// The children of written nodes, listed once for each: an arena has only links to the
/// next sibling, so that looking up each item of a list would take quadratic time.
pub(super) struct ChildIndex<'a> {
    arena: &'a Arena,
    children: HashMap<Index, Rc<[Index]>>,
}

impl<'a> ChildIndex<'a> {
    pub(super) fn new(arena: &'a Arena) -> ChildIndex<'a> {
        ChildIndex { arena, children: HashMap::new() }
    }

    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Returns the child (a key or a value) that is or holds `to`, and its position.
    pub(super) fn child_holding(
        &mut self,
        i: Index,
        to: Index,
    ) -> Option<(usize, Index)> {
        let children = self.children(i);
        let at = children.partition_point(|&child| child <= to).checked_sub(1)?;
        let child = *children.get(at)?;
        (to < self.arena.next(child)).then_some((at, child))
    }

    /// Returns the nodes along a path; `None` if the path leads through an alias.
    pub(super) fn nodes_on_path(
        &mut self,
        root: NodeId,
        path: &[Step],
    ) -> Option<Vec<Index>> {
        let NodeId::Clean(_, root) = root else { return None };
        let mut nodes = vec![root];
        for step in path {
            let arena = self.arena;
            let node = *nodes.last()?;
            let next = match *step {
                Step::Index(index) => self.child(node, index as usize)?,
                // In the arena a value follows its key.
                Step::Key(NodeId::Clean(file, key)) => {
                    let inside =
                        file == arena.file() && node < key && key < arena.next(node);
                    inside.then(|| arena.next(key))?
                }
                Step::Key(NodeId::Opened(_)) => return None,
            };
            nodes.push(next);
        }
        Some(nodes)
    }

    /// Returns the path from the root to a node; `None` if it is a key or in one.
    pub(super) fn path_to(
        &mut self,
        source: &Tree,
        root: NodeId,
        to: Index,
    ) -> Option<Vec<Step>> {
        let NodeId::Clean(file, mut at) = root else { return None };
        let mut path = Vec::new();
        while at != to {
            let (position, child) = self.child_holding(at, to)?;
            path.push(match source.kind(NodeId::Clean(file, at)) {
                Kind::Scalar => return None,
                Kind::Sequence => Step::Index(position as u32),
                // Keys have even positions, values odd ones.
                Kind::Mapping if position % 2 == 0 => return None,
                Kind::Mapping => {
                    Step::Key(NodeId::Clean(file, self.child(at, position - 1)?))
                }
            });
            at = child;
        }
        Some(path)
    }

    /// Returns the number of the document that has a key, and the JSON pointer to the parent
    /// of the key there; `None` if it needs other keys.
    pub(super) fn pointer_to_parent(
        &mut self,
        source: &Tree,
        key: NodeId,
    ) -> Option<(usize, String)> {
        let NodeId::Clean(file, i) = key else { return None };
        let arena = source.base();
        let after = arena.sections().partition_point(|section| section.root <= i);
        let document = after.checked_sub(1)?;
        let root = NodeId::Clean(file, arena.sections()[document].root);
        let mut path = self.path_to(source, root, arena.next(i))?;
        path.pop().filter(|last| *last == Step::Key(key))?;
        let tokens = path.into_iter().map(|step| match step {
            Step::Index(index) => Some(index.to_string()),
            Step::Key(name) => source.string(name).map(Cow::into_owned),
        });
        let pointer = JsonPointer { tokens: tokens.collect::<Option<_>>()? };
        Some((document, pointer.to_string()))
    }

    fn child(&mut self, i: Index, at: usize) -> Option<Index> {
        self.children(i).get(at).copied()
    }

    fn children(&mut self, i: Index) -> Rc<[Index]> {
        let children = self.children.entry(i);
        children.or_insert_with(|| self.arena.children(i).collect()).clone()
    }
}
