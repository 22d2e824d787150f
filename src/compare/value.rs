//! Equality of values: types count; style, comments and the order of keys do not. Equal
//! values have the same class, a number, so that many of them are compared in one step each.

use std::borrow::Cow;
use std::rc::Rc;

use hashbrown::HashMap;

use super::entries::{EntryKey, MappingEntry, MappingIndex};
use crate::arena::{Index, Style, flag};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Context, Dialect, Identity, Scalar, spell};
use crate::source::FileId;

/// Maximum number of steps of a comparison for each node of both documents: of children
/// that are looked at, about.
// A node without aliases is visited a few times. Nested aliases let a small document take any
// number of steps.
const STEPS_PER_NODE: usize = 64;

/// Number of steps that a comparison of the smallest documents may take.
const LEAST_STEPS: usize = 100_000;

/// Number of nodes that a walk may look into for each node of the documents.
// A node without aliases is looked into once; a walk counts its children, too.
const VISITS_PER_NODE: usize = 8;

/// Number of nodes that a walk over the smallest documents may look into.
const LEAST_VISITS: usize = 10_000;

/// Returns the number of steps that a comparison of trees may take.
pub(crate) fn step_limit<'t>(trees: impl IntoIterator<Item = &'t Tree>) -> usize {
    STEPS_PER_NODE * node_count(trees) + LEAST_STEPS
}

/// Returns the number of nodes that a walk over trees may look into. Nested aliases stand for
/// exponentially many.
pub(crate) fn visit_limit<'t>(trees: impl IntoIterator<Item = &'t Tree>) -> usize {
    VISITS_PER_NODE * node_count(trees) + LEAST_VISITS
}

fn node_count<'t>(trees: impl IntoIterator<Item = &'t Tree>) -> usize {
    let size = |tree: &Tree| {
        let written = tree.arenas().map(|arena| arena.nodes().len()).sum::<usize>();
        written + tree.opened_count()
    };
    trees.into_iter().map(size).sum()
}

/// Returns true if each document of `new` has the value of the one at its place in `old`.
pub(crate) fn are_equal_documents(old: &Tree, new: &Tree) -> bool {
    let mut values = Values::new([old, new]);
    let mut roots = old.roots().iter().zip(new.roots());
    new.roots().len() <= old.roots().len()
        && (is_copy(old, new) || roots.all(|(&was, &is)| values.equal(was, is)))
}

/// Returns true if equality of a value is no chance, as it is for numbers.
pub(crate) fn is_distinctive(document: &Tree, node: NodeId) -> bool {
    match document.kind(node) {
        Kind::Scalar => document.string(node).is_some_and(|text| !text.is_empty()),
        Kind::Sequence | Kind::Mapping => !document.slots(node).is_empty(),
    }
}

/// One of two documents that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Old,
    New,
}

/// The values of two documents, which may be the same tree. What was found out is kept.
pub(crate) struct Values<'a> {
    documents: [&'a Tree; 2],
    /// True if both documents are the same tree, whose nodes have one class on both sides.
    is_one: bool,
    /// True if values with different tags differ, such as `!Ref a` and `!Sub a`.
    tags_count: bool,
    /// True if numbers that are spelled in different ways differ, and a new value with an
    /// anchor from an old one without it.
    spelling_counts: bool,
    /// True if lists with the same items in another order are equal.
    is_unordered: bool,
    /// True if a text that is a key counts as what it is without quotes.
    keys_are_texts: bool,
    /// The form of keys that stand in the place of written ones.
    filled_keys: HashMap<NodeId, NodeId>,
    shapes: HashMap<(Option<Cow<'a, str>>, ValueShape<'a>), u32>,
    classes: [HashMap<NodeId, u32>; 2],
    next_class: u32,
    /// The collections of both documents that were compared, with the result.
    compared: HashMap<NodePair, bool>,
    entries: [HashMap<NodeId, Rc<MappingIndex<'a>>>; 2],
    /// Number of children that may still be looked at for classes.
    // When nothing is left, no two values have the same class: a result is longer then, but
    // not wrong.
    children_left: usize,
    /// Number of children that were compared.
    children_compared: usize,
}

/// A value whose parts are known by their class.
#[derive(PartialEq, Eq, Hash)]
enum ValueShape<'a> {
    Scalar(Meaning<'a>),
    Sequence(Vec<u32>),
    /// Sorted by class: the order of keys does not count.
    Mapping(Vec<(u32, u32)>),
}

/// The meaning of a scalar: equal scalars have equal meanings.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Meaning<'a> {
    pub identity: Identity<'a>,
    /// True for -0.0, which is the same key as 0.0 and another value.
    is_negative_zero: bool,
}

impl<'a> Meaning<'a> {
    /// Returns the meaning of a scalar. bosh prints `1.0` as `1`: there both are equal.
    pub(crate) fn of(document: &'a Tree, node: NodeId) -> Meaning<'a> {
        let is_go = document.base().dialect() == Dialect::Go;
        let scalar = document.scalar(node);
        let is_negative_zero =
            matches!(scalar, Scalar::Float(x) if x == 0.0 && x.is_sign_negative());
        match scalar {
            // From 1e6 on Go prints an exponent, which reads back as a float.
            Scalar::Float(x) if is_go && x.abs() < 1e6 && x.fract() == 0.0 => {
                Meaning { identity: Identity::Int(x as i128), is_negative_zero: false }
            }
            scalar => Meaning { identity: scalar.identity(), is_negative_zero },
        }
    }
}

/// An old and a new node that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NodePair {
    old: NodeId,
    new: NodeId,
}

/// Two collections that are being compared, and the pairs in them that are left.
struct OpenPair {
    nodes: NodePair,
    rest: Vec<NodePair>,
    /// The nodes that a comparison of their texts, or of those around them, found the same.
    alike: AlikeNodes,
}

impl<'a> Values<'a> {
    /// Prepares a comparison of two documents.
    pub(crate) fn new(documents: [&'a Tree; 2]) -> Values<'a> {
        let [old, new] = documents;
        let is_one = std::ptr::eq(old, new);
        let trees = documents.into_iter().take(if is_one { 1 } else { 2 });
        Values {
            documents,
            is_one,
            tags_count: false,
            spelling_counts: false,
            is_unordered: false,
            keys_are_texts: false,
            filled_keys: HashMap::new(),
            shapes: HashMap::new(),
            classes: [HashMap::new(), HashMap::new()],
            next_class: 0,
            compared: HashMap::new(),
            entries: [HashMap::new(), HashMap::new()],
            children_left: step_limit(trees),
            children_compared: 0,
        }
    }

    /// Prepares a comparison of values of one tree, on whatever side.
    pub(crate) fn within(tree: &'a Tree) -> Values<'a> {
        Values::new([tree, tree])
    }

    /// Has values with different tags differ, if `tags_count`.
    pub(crate) fn with_tags(self, tags_count: bool) -> Values<'a> {
        Values { tags_count, ..self }
    }

    /// Has values differ, unless a new one can be left out where the old one stands: tags
    /// count, the spelling of written numbers, and anchors that only the new one has.
    pub(crate) fn with_spelling(self) -> Values<'a> {
        Values { tags_count: true, spelling_counts: true, ..self }
    }

    /// Has lists with the same items in another order share a class.
    pub(crate) fn without_order(self) -> Values<'a> {
        Values { is_unordered: true, ..self }
    }

    /// Has a key that is a text count as what it is without quotes: in JSON, where all keys are
    /// texts, `"200"` stands for `200`.
    pub(super) fn with_texts_as_keys(self) -> Values<'a> {
        Values { keys_are_texts: true, ..self }
    }

    /// Has keys count as those that stand in their place.
    pub(crate) fn with_filled_keys(self, keys: HashMap<NodeId, NodeId>) -> Values<'a> {
        Values { filled_keys: keys, ..self }
    }

    /// Returns the document of a side.
    pub(crate) fn document(&self, side: Side) -> &'a Tree {
        self.documents[side as usize]
    }

    /// Returns the number of the place where what is known of a side is kept.
    fn store(&self, side: Side) -> usize {
        if self.is_one { 0 } else { side as usize }
    }

    /// Returns true if an old and a new value are equal.
    pub(crate) fn equal(&mut self, old: NodeId, new: NodeId) -> bool {
        let nodes = self.followed(NodePair { old, new });
        if let Some(known) = self.known_equality(nodes) {
            return known;
        }
        let alike = AlikeNodes::default();
        let mut open = vec![OpenPair { nodes, rest: vec![nodes], alike }];
        while let Some(pair) = open.last_mut() {
            let around = pair.nodes;
            let Some(next) = pair.rest.pop() else {
                self.compared.insert(around, true);
                open.pop();
                continue;
            };
            let nodes = self.followed(next);
            match self.known_equality(nodes) {
                Some(true) => continue,
                Some(false) => {}
                None => {
                    let alike = self.alike(nodes, pair.alike);
                    // It need not be noted: without an anchor no alias leads here again.
                    if self.are_alike(nodes, alike) {
                        continue;
                    }
                    if let Some(rest) = self.child_pairs(nodes) {
                        open.push(OpenPair { nodes, rest, alike });
                        continue;
                    }
                    self.compared.insert(nodes, false);
                }
            }
            // A difference makes all collections around it different.
            self.compared.extend(open.drain(..).map(|pair| (pair.nodes, false)));
            return false;
        }
        true
    }

    /// Returns the number of children that were compared or read so far.
    pub(crate) fn children_compared(&self) -> usize {
        self.children_compared
    }

    /// Returns a number that equal values of both sides have in common.
    pub(crate) fn class(&mut self, node: NodeId, side: Side) -> u32 {
        let node = self.document(side).follow(node);
        let mut todo = vec![node];
        while let Some(&node) = todo.last() {
            if self.classes[self.store(side)].contains_key(&node) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if let Some(shape) = self.shape(side, node, &mut todo) {
                let class = self.intern(self.own_tag(node, side), shape);
                let store = self.store(side);
                self.classes[store].insert(node, class);
                todo.truncate(before - 1);
            }
        }
        self.classes[self.store(side)].get(&node).copied().unwrap_or(u32::MAX)
    }

    /// Returns the classes of some nodes.
    pub(crate) fn classes(&mut self, nodes: &[NodeId], side: Side) -> Vec<u32> {
        nodes.iter().map(|&node| self.class(node, side)).collect()
    }

    /// Returns the effective entries of a mapping.
    pub(crate) fn entries(&mut self, node: NodeId, side: Side) -> Rc<MappingIndex<'a>> {
        let document = self.document(side);
        let node = document.follow(node);
        if let Some(known) = self.entries[self.store(side)].get(&node) {
            return known.clone();
        }
        let mut list = Vec::new();
        for (name, value) in document.pairs(node) {
            list.push(MappingEntry { key: self.key(name, side), name, value });
        }
        if self.keys_are_texts {
            // The last one of equal keys is found: a text comes before what it stands for.
            list.sort_by_key(|entry| document.string(entry.name).is_some());
        }
        self.children_compared += list.len();
        let entries = Rc::new(MappingIndex::new(list));
        let store = self.store(side);
        self.entries[store].insert(node, entries.clone());
        entries
    }

    /// Returns a key by its value.
    pub(crate) fn key(&mut self, node: NodeId, side: Side) -> EntryKey<'a> {
        let document = self.document(side);
        let node = self.filled_keys.get(&node).copied().unwrap_or(node);
        match document.kind(node) {
            Kind::Scalar => EntryKey::Scalar(self.key_identity(document, node)),
            Kind::Sequence | Kind::Mapping => EntryKey::Class(self.class(node, side)),
        }
    }

    /// Returns what a key that is a scalar counts as.
    fn key_identity(&self, document: &'a Tree, key: NodeId) -> Identity<'a> {
        match document.scalar(key) {
            Scalar::String(text) if self.keys_are_texts => {
                Scalar::plain(text, document.dialect()).identity()
            }
            scalar => scalar.identity(),
        }
    }

    /// Returns true if an old and a new value do not differ by their tags.
    pub(crate) fn same_tag(&self, old: NodeId, new: NodeId) -> bool {
        self.own_tag(old, Side::Old) == self.own_tag(new, Side::New)
    }

    /// Returns the tag of a node, if tags count and its value does not show it.
    pub(crate) fn own_tag(&self, node: NodeId, side: Side) -> Option<Cow<'a, str>> {
        let document = self.document(side);
        self.tags_count.then(|| document.own_tag(node)).flatten()
    }

    fn followed(&self, NodePair { old, new }: NodePair) -> NodePair {
        let [before, after] = self.documents;
        NodePair { old: before.follow(old), new: after.follow(new) }
    }

    /// Returns the result as far as it is known without a look at the children.
    fn known_equality(&self, nodes: NodePair) -> Option<bool> {
        let [before, after] = self.documents;
        let NodePair { old, new } = nodes;
        if old == new && self.is_one {
            return Some(true);
        }
        let kind = before.kind(old);
        let is_other = self.spelling_counts && self.brings_anchor(nodes);
        if kind != after.kind(new) || !self.same_tag(old, new) || is_other {
            return Some(false);
        }
        match kind {
            Kind::Scalar => Some(self.equal_scalars(nodes)),
            Kind::Sequence | Kind::Mapping => self.compared.get(&nodes).copied(),
        }
    }

    fn equal_scalars(&self, NodePair { old, new }: NodePair) -> bool {
        let [before, after] = self.documents;
        if let (NodeId::Clean(f, i), NodeId::Clean(g, j)) = (old, new)
            && before.arena(f).is_surely_same(i, (after.arena(g), j))
        {
            return true;
        }
        let meaning = Meaning::of(before, old);
        let is_number = matches!(meaning.identity, Identity::Int(_) | Identity::Float(_));
        // A value that code made has no spelling of its own.
        let is_spelled = matches!(new, NodeId::Clean(..));
        meaning == Meaning::of(after, new)
            && !(self.spelling_counts
                && is_number
                && is_spelled
                && spelling(before, old) != spelling(after, new))
    }

    /// Returns true if a new value has an anchor that the old one has not.
    fn brings_anchor(&self, NodePair { old, new }: NodePair) -> bool {
        let [before, after] = self.documents;
        let Some(anchor) = written_anchor(after, new) else { return false };
        let Some(there) = written_anchor(before, old) else { return true };
        there != anchor && !is_numbered(before, there, anchor)
    }

    /// Returns what is known of the nodes of two written collections that are the same. If
    /// not all are, the collections may be equal all the same.
    // The work is linear: nodes that were found alike with a collection around them are not
    // compared again.
    fn alike(&mut self, nodes: NodePair, around: AlikeNodes) -> AlikeNodes {
        let NodePair { old: NodeId::Clean(f, i), new: NodeId::Clean(g, j) } = nodes
        else {
            return AlikeNodes::default();
        };
        let [before, after] = self.documents;
        let old = before.arena(f);
        let new = after.arena(g);
        if around.count_from((f, i), (g, j)).is_some() {
            return around;
        }
        let nodes = (0..old.next(i) - i).map(|at| (i + at, (new, j + at)));
        let count = nodes.take_while(|&(i, other)| old.is_surely_same(i, other)).count();
        self.children_compared += count;
        AlikeNodes { first: Some(((f, i), (g, j))), count: count as Index }
    }

    /// Returns true if all nodes of two written collections are known to be the same.
    fn are_alike(&self, nodes: NodePair, alike: AlikeNodes) -> bool {
        let NodePair { old: NodeId::Clean(f, i), new: NodeId::Clean(g, j) } = nodes
        else {
            return false;
        };
        let length = self.document(Side::Old).arena(f).next(i) - i;
        alike.count_from((f, i), (g, j)).is_some_and(|count| count >= length)
    }

    /// Returns the pairs of children of two collections, if these can be equal.
    fn child_pairs(&mut self, NodePair { old, new }: NodePair) -> Option<Vec<NodePair>> {
        let [before, after] = self.documents;
        let pair = |(old, new)| NodePair { old, new };
        if before.kind(old) == Kind::Sequence {
            let was = before.items(old);
            let is = after.items(new);
            self.children_compared += was.len() + is.len();
            let is_even = was.len() == is.len();
            return is_even.then(|| was.into_iter().zip(is).rev().map(pair).collect());
        }
        let was = before.pairs(old);
        let is = after.pairs(new);
        self.children_compared += was.len() + is.len();
        if was.len() != is.len() {
            return None;
        }
        // A key that is a collection may stand in a mapping twice.
        if has_complex_key(before, &was) || has_complex_key(after, &is) {
            let is_equal = self.class(old, Side::Old) == self.class(new, Side::New);
            return is_equal.then(Vec::new);
        }
        // Most mappings have their keys in the same order; that saves an index.
        let mut both = was.iter().zip(&is);
        if both.all(|(was, is)| {
            self.same_tag(was.0, is.0) && self.equal_scalars(pair((was.0, is.0)))
        }) {
            let values = was.iter().zip(&is).map(|(was, is)| (was.1, is.1));
            return Some(values.rev().map(pair).collect());
        }
        let was = self.entries(old, Side::Old);
        let is = self.entries(new, Side::New);
        let values = was.list.iter().rev().map(|it| {
            let other = is.entry(&it.key)?;
            let values = pair((it.value, other.value));
            self.same_tag(it.name, other.name).then_some(values)
        });
        values.collect()
    }

    /// Returns the shape of `node`; `None` if children in `todo` need their class first.
    fn shape(
        &mut self,
        side: Side,
        node: NodeId,
        todo: &mut Vec<NodeId>,
    ) -> Option<ValueShape<'a>> {
        let document = self.document(side);
        let texts = self.text_classes(document, node);
        let known = &self.classes[self.store(side)];
        let mut part = |node: NodeId| {
            let node = document.follow(node);
            let class = known.get(&node).copied();
            if class.is_none() {
                todo.push(node);
            }
            class
        };
        match document.kind(node) {
            Kind::Scalar => Some(ValueShape::Scalar(Meaning::of(document, node))),
            Kind::Sequence => {
                let items = document.items(node);
                self.children_left = self.children_left.saturating_sub(items.len());
                let parts: Vec<_> = items.into_iter().map(&mut part).collect();
                let mut parts: Vec<u32> = parts.into_iter().collect::<Option<_>>()?;
                if self.is_unordered {
                    parts.sort_unstable();
                }
                Some(ValueShape::Sequence(parts))
            }
            Kind::Mapping => {
                let pairs = document.pairs(node);
                self.children_left = self.children_left.saturating_sub(pairs.len());
                let texts = texts.into_iter().chain(std::iter::repeat(None));
                let pairs = pairs.into_iter().zip(texts);
                let pairs = pairs.map(|((key, value), text)| {
                    text.or_else(|| part(key)).zip(part(value))
                });
                let pairs: Vec<_> = pairs.collect();
                let mut parts: Vec<_> = pairs.into_iter().collect::<Option<_>>()?;
                parts.sort_unstable();
                Some(ValueShape::Mapping(parts))
            }
        }
    }

    /// Returns the class of each key of a mapping that counts as what it is without quotes.
    fn text_classes(&mut self, document: &'a Tree, mapping: NodeId) -> Vec<Option<u32>> {
        if !self.keys_are_texts || document.kind(mapping) != Kind::Mapping {
            return Vec::new();
        }
        let mut classes = Vec::new();
        for (key, _) in document.pairs(mapping) {
            classes.push((document.kind(key) == Kind::Scalar).then(|| {
                let identity = self.key_identity(document, key);
                let meaning = Meaning { identity, is_negative_zero: false };
                self.intern(None, ValueShape::Scalar(meaning))
            }));
        }
        classes
    }

    fn intern(&mut self, tag: Option<Cow<'a, str>>, shape: ValueShape<'a>) -> u32 {
        let next = self.next_class;
        let class = match self.children_left {
            0 => next,
            _ => *self.shapes.entry((tag, shape)).or_insert(next),
        };
        self.next_class += u32::from(class == next);
        class
    }
}

/// A node of a written text.
type WrittenNode = (FileId, Index);

/// Nodes of two written collections, from their first nodes on, that are the same.
#[derive(Clone, Copy, Debug, Default)]
struct AlikeNodes {
    /// The two collections.
    first: Option<(WrittenNode, WrittenNode)>,
    /// The number of nodes that are the same.
    count: Index,
}

impl AlikeNodes {
    /// Returns the number of nodes that are the same from two of these on; `None` for other
    /// nodes.
    fn count_from(&self, a: WrittenNode, b: WrittenNode) -> Option<Index> {
        let (x, y) = self.first?;
        let at = a.1.checked_sub(x.1)?;
        let is_inside = (a.0, b.0) == (x.0, y.0) && b.1.checked_sub(y.1)? == at;
        (is_inside && at <= self.count).then(|| self.count - at)
    }
}

/// Returns the spelling of a scalar on one line.
fn spelling(document: &Tree, node: NodeId) -> Cow<'_, str> {
    match node {
        NodeId::Clean(file, i) => document.arena(file).raw(i).into(),
        NodeId::Opened(_) => spell(&document.scalar(node), Context::Block).into(),
    }
}

/// Returns the anchor that a node has in its text.
fn written_anchor(document: &Tree, node: NodeId) -> Option<&str> {
    let (file, i) = document.origin_of(node)?;
    document.arena(file).anchor(i)
}

/// Returns true if a value with anchor `name` would be printed with anchor `there`, which has a
/// number because the name itself is in use.
fn is_numbered(document: &Tree, there: &str, name: &str) -> bool {
    let number = there.strip_prefix(name);
    let base = document.base();
    number.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        && base.props_nodes().any(|i| base.anchor(i) == Some(name))
}

/// Returns true if a key of some entries is a collection.
pub(crate) fn has_complex_key(document: &Tree, pairs: &[(NodeId, NodeId)]) -> bool {
    pairs.iter().any(|&(key, _)| document.kind(key) != Kind::Scalar)
}

/// Returns true if two trees are of equal texts, and nothing was edited.
// Merge keys and aliases may stand for too much to compare.
pub(crate) fn is_copy(old: &Tree, new: &Tree) -> bool {
    let before = old.base();
    let after = new.base();
    before.dialect() == after.dialect()
        && before.text() == after.text()
        && [old, new].iter().all(|tree| tree.is_clean())
        && old.roots().len() == new.roots().len()
}

/// Returns true if two nodes are equal for certain, since their text is equal.
pub(crate) fn is_same_text(old: &Tree, a: NodeId, new: &Tree, b: NodeId) -> bool {
    let (NodeId::Clean(f, a), NodeId::Clean(g, b)) = (a, b) else { return false };
    let x = old.arena(f);
    let y = new.arena(g);
    let p = &x.nodes()[a as usize];
    let q = &y.nodes()[b as usize];
    // The text of block styles depends on the indentation around it.
    let column = |style| {
        use Style::{BlockMapping, BlockSequence, Folded, Literal};
        matches!(style, BlockMapping | BlockSequence | Folded | Literal)
    };
    let are_plain = [(x, a), (y, b)]
        .into_iter()
        .all(|(arena, i)| !arena.has(i, flag::HAS_ALIAS) && !arena.declares_tags());
    p.len == q.len
        && p.style == q.style
        && (x.column(a) == y.column(b) || !column(p.style))
        && are_plain
        && x.raw(a) == y.raw(b)
        && x.tag(a) == y.tag(b)
        && x.dialect() == y.dialect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_alike_at_the_same_distance() {
        let file = FileId::BLANK;
        let alike = AlikeNodes { first: Some(((file, 10), (file, 20))), count: 3 };
        let count = |i, j| alike.count_from((file, i), (file, j));
        assert_eq!(
            [count(10, 20), count(12, 22), count(13, 23)],
            [Some(3), Some(1), Some(0)]
        );
        assert_eq!([count(11, 22), count(9, 19), count(12, 20)], [None; 3]);
    }
}
