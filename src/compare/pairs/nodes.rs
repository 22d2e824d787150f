//! The policy of variables and templates: which node of an edited document is which old one,
//! wherever it is now, so that what was filled in there can be put back.

use hashbrown::{HashMap, HashSet};

use super::{DocumentPairs, KeptItems, ListSides};
use crate::compare::{ItemName, Side, Values, is_distinctive, pair_renamed, visit_limit};
use crate::node::{Kind, NodeId, Tree};

/// An old and a new node.
type OldAndNew = (NodeId, NodeId);

/// Nodes of two documents at the same place.
pub(crate) struct PairedNodes {
    pub same: Vec<OldAndNew>,
    pub changed: Vec<OldAndNew>,
}

/// Returns the nodes of `new` at the places of those `old` nodes that are `wanted`.
///
/// Items that moved are found by name or value. Other values of a list are searched for
/// in the whole new list, renamed entries by their value, and new entries in the whole
/// document.
pub(crate) fn pair_nodes(
    old: &Tree,
    new: &Tree,
    wanted: impl Fn(NodeId) -> bool,
) -> PairedNodes {
    let mut walk = NodeWalk::new(old, new);
    for (&old, &new) in old.roots().iter().zip(new.roots()) {
        walk.run(old, new);
        let new = std::mem::take(&mut walk.added);
        walk.copies.insert(0, Copies { old, new });
    }
    let (mut same, mut changed): (Vec<_>, Vec<_>) = std::mem::take(&mut walk.pairs)
        .into_iter()
        .partition(|&(old, new)| walk.values.equal(old, new));
    walk.pair_copies(&mut same, &wanted);
    same.retain(|&(old, _)| wanted(old));
    let found: HashSet<NodeId> = same.iter().map(|&(_, new)| new).collect();
    changed.retain(|&(old, new)| wanted(old) && !found.contains(&new));
    PairedNodes { same, changed }
}

/// Returns the keys of `new`, a JSON text, that stand for keys of `old` which are no texts, with
/// these: in JSON, `200` is written `"200"`. A key of `old` that is a text comes first.
pub(crate) fn pair_text_keys(old: &Tree, new: &Tree) -> Vec<OldAndNew> {
    let mut walk = NodeWalk::new(old, new);
    walk.values = Values::new([old, new]).with_texts_as_keys();
    let mut documents = DocumentPairs::new(old, new).pairs;
    if documents.is_empty() {
        // One that was renamed is the first one.
        documents.push((0, 0));
    }
    for (was, now) in documents {
        walk.run(old.roots()[was], new.roots()[now]);
    }
    let arena = new.base();
    let mappings = arena.indices().filter(|&i| arena.style(i).is_mapping());
    let keys = mappings.flat_map(|i| arena.entries(i)).map(|(key, _)| key);
    let keys: HashSet<NodeId> =
        keys.map(|key| NodeId::Clean(arena.file(), key)).collect();
    let mut found = walk.pairs;
    found.retain(|&(was, now)| {
        keys.contains(&now)
            && old.kind(was) == Kind::Scalar
            && old.string(was).is_none()
            && new.string(now).is_some_and(|text| !text.is_empty())
    });
    found
}

/// Returns the `wanted` nodes of `new`, each with the node at its position in `old`.
pub(crate) fn pair_nodes_by_place(
    old: &Tree,
    new: &Tree,
    wanted: impl Fn(NodeId) -> bool,
) -> PairedNodes {
    let mut values = Values::new([old, new]);
    let mut found = Vec::new();
    let roots = old.roots().iter().copied().zip(new.roots().iter().copied());
    let mut todo: Vec<OldAndNew> = roots.collect();
    let mut met = HashSet::new();
    while let Some((was, now)) = todo.pop() {
        if wanted(now) {
            found.push((was, now));
            continue;
        }
        let was = old.follow(was);
        let now = new.follow(now);
        let before = old.slots(was);
        let after = new.slots(now);
        if before.len() == after.len() && met.insert((was, now)) {
            let both = before.iter().zip(after.iter());
            for (before, after) in both {
                todo.extend(before.key.zip(after.key));
                todo.push((before.value, after.value));
            }
        }
    }
    let (same, changed) =
        found.into_iter().partition(|&(was, now)| values.equal(was, now));
    PairedNodes { same, changed }
}

/// A walk from the roots of two documents.
struct NodeWalk<'a> {
    old: &'a Tree,
    new: &'a Tree,
    values: Values<'a>,
    todo: Vec<OldAndNew>,
    /// The pairs that were met.
    pairs: Vec<OldAndNew>,
    /// Pairs of aliased collections that were met.
    aliased: HashSet<OldAndNew>,
    /// The lists and documents with values that may be copies of old ones, the innermost last.
    copies: Vec<Copies>,
    /// The keys and values of new entries of the document.
    added: Vec<MovedCopy>,
    /// Number of nodes that may still be looked into.
    // Nested aliases stand for exponentially many pairs.
    visits_left: usize,
}

/// An old list and the items of the new one; or an old document and its new entries.
struct Copies {
    old: NodeId,
    new: Vec<MovedCopy>,
}

/// A value that may be a copy of an old one.
#[derive(Clone, Copy)]
struct MovedCopy {
    place: KeyedNode,
    /// True if the name of an item shows which old item it was.
    is_named: bool,
}

/// A node with its key; a key is its own key.
#[derive(Clone, Copy)]
struct KeyedNode {
    key: Option<NodeId>,
    node: NodeId,
}

/// The part that a node has in the collection around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum CopyRole {
    Key,
    Item,
    /// The value of the key of that class.
    Value(u32),
    Any,
}

impl<'a> NodeWalk<'a> {
    fn new(old: &'a Tree, new: &'a Tree) -> NodeWalk<'a> {
        NodeWalk {
            old,
            new,
            values: Values::new([old, new]),
            todo: Vec::new(),
            pairs: Vec::new(),
            aliased: HashSet::new(),
            copies: Vec::new(),
            added: Vec::new(),
            visits_left: visit_limit([old, new]),
        }
    }

    fn run(&mut self, old: NodeId, new: NodeId) {
        self.todo.push((old, new));
        while let Some((old, new)) = self.todo.pop() {
            self.pairs.push((old, new));
            let followed = (self.old.follow(old), self.new.follow(new));
            let is_known = followed != (old, new) && !self.aliased.insert(followed);
            let kind = self.old.kind(old);
            if is_known || kind != self.new.kind(new) || self.visits_left == 0 {
                continue;
            }
            self.visits_left -= 1;
            let first = self.todo.len();
            match kind {
                Kind::Scalar => {}
                Kind::Mapping => self.visit_entries(old, new),
                Kind::Sequence => self.visit_items(old, new),
            }
            self.todo[first..].reverse();
        }
    }

    /// Pairs the entries of mappings by their keys, and those with new keys by their values.
    fn visit_entries(&mut self, old: NodeId, new: NodeId) {
        let before = self.values.entries(old, Side::Old);
        let after = self.values.entries(new, Side::New);
        self.visits_left =
            self.visits_left.saturating_sub(before.list.len() + after.list.len());
        let mut added = Vec::new();
        for entry in &after.list {
            match before.entry(&entry.key) {
                Some(was) => {
                    self.pairs.push((was.name, entry.name));
                    self.todo.push((was.value, entry.value));
                }
                None => {
                    let key = Some(entry.name);
                    for node in [entry.name, entry.value] {
                        let place = KeyedNode { key, node };
                        self.added.push(MovedCopy { place, is_named: false });
                    }
                    added.push(entry.value);
                }
            }
        }
        let removed = before.list.iter().filter(|it| after.get(&it.key).is_none());
        let removed: Vec<NodeId> = removed.map(|it| it.value).collect();
        let is_alone = removed.len() == 1 && added.len() == 1;
        let was = self.contents(&removed, Side::Old, is_alone);
        let is = self.contents(&added, Side::New, is_alone);
        let pairs = pair_renamed(was, is);
        for (at, &new) in added.iter().enumerate() {
            let old = pairs.old_of(at).map(|at| removed[at]);
            self.todo.extend(old.map(|old| (old, new)));
        }
    }

    /// Returns the classes of values that tell which entry they were: collections, or one
    /// that is alone.
    fn contents(
        &mut self,
        nodes: &[NodeId],
        side: Side,
        is_alone: bool,
    ) -> Vec<Option<u32>> {
        let document = self.values.document(side);
        let mut contents = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let tells = is_alone || document.kind(node) != Kind::Scalar;
            contents.push(tells.then(|| self.values.class(node, side)));
        }
        contents
    }

    /// Pairs the items of lists that stay, and those that moved.
    fn visit_items(&mut self, old: NodeId, new: NodeId) {
        let before = self.old.items(old);
        let after = self.new.items(new);
        self.visits_left = self.visits_left.saturating_sub(before.len() + after.len());
        let lists = ListSides { old: &before, new: &after };
        let edges = lists.same_edges(&self.values);
        let items = KeptItems::find(&mut self.values, lists, edges);
        let moved = items.moved(&mut self.values, lists);
        let pairs = items.kept.iter().chain(&moved);
        self.todo.extend(pairs.map(|&(i, j)| (before[i], after[j])));
        let known: HashSet<_> =
            items.old_names.iter().flatten().map(ItemName::identity).collect();
        let mut copies = Vec::with_capacity(after.len());
        for (&node, name) in after.iter().zip(&items.new_names) {
            let name = name.as_ref().map(ItemName::identity);
            let is_named = name.is_some_and(|name| known.contains(&name));
            copies.push(MovedCopy { place: KeyedNode { key: None, node }, is_named });
        }
        self.copies.push(Copies { old, new: copies });
    }

    /// Pairs values in lists and in new entries with equal `wanted` values of the same
    /// list or document, the innermost lists first. Values in `same` are paired already.
    fn pair_copies(
        &mut self,
        same: &mut Vec<OldAndNew>,
        wanted: impl Fn(NodeId) -> bool,
    ) {
        let mut placed: HashSet<NodeId> = same.iter().map(|&(_, new)| new).collect();
        while let Some(Copies { old, new }) = self.copies.pop() {
            let known = self.wanted_values(old, &wanted);
            if known.is_empty() {
                continue;
            }
            let mut todo = new;
            while let Some(MovedCopy { place, is_named }) = todo.pop() {
                if self.visits_left == 0 || placed.contains(&place.node) {
                    continue;
                }
                self.visits_left -= 1;
                let role = self.role(place, Side::New);
                let class = self.values.class(place.node, Side::New);
                let any = if role == CopyRole::Key { role } else { CopyRole::Any };
                let here = if is_named { any } else { role };
                let found = [here, any].into_iter().find_map(|r| known.get(&(r, class)));
                if let Some(&old) = found {
                    placed.insert(place.node);
                    same.push((old, place.node));
                    continue;
                }
                let inner = place.inner(self.new).into_iter();
                todo.extend(inner.map(|place| MovedCopy { place, is_named }));
            }
        }
    }

    /// Returns the wanted values of an old list or document, by role and class.
    fn wanted_values(
        &mut self,
        of: NodeId,
        wanted: impl Fn(NodeId) -> bool,
    ) -> HashMap<(CopyRole, u32), NodeId> {
        let mut known = HashMap::new();
        let mut todo = KeyedNode { key: None, node: of }.inner(self.old);
        while let Some(place) = todo.pop() {
            if self.visits_left == 0 {
                break;
            }
            self.visits_left -= 1;
            if !wanted(place.node) {
                todo.extend(place.inner(self.old));
                continue;
            }
            let role = self.role(place, Side::Old);
            let class = self.values.class(place.node, Side::Old);
            known.entry((role, class)).or_insert(place.node);
            if role != CopyRole::Key && is_distinctive(self.old, place.node) {
                known.entry((CopyRole::Any, class)).or_insert(place.node);
            }
        }
        known
    }

    fn role(&mut self, KeyedNode { key, node }: KeyedNode, side: Side) -> CopyRole {
        match key {
            Some(key) if key == node => CopyRole::Key,
            Some(key) => CopyRole::Value(self.values.class(key, side)),
            None => CopyRole::Item,
        }
    }
}

impl KeyedNode {
    /// Returns the keys and values of a collection that is written there, the last one first.
    fn inner(self, document: &Tree) -> Vec<KeyedNode> {
        let KeyedNode { key, node } = self;
        if key == Some(node) || document.follow(node) != node {
            return Vec::new();
        }
        let mut places = Vec::new();
        for slot in document.slots(node).iter().rev() {
            places.push(KeyedNode { key: slot.key, node: slot.value });
            places.extend(slot.key.map(|key| KeyedNode { key: Some(key), node: key }));
        }
        places
    }
}
