//! Two values of one document → whether they mean the same: types count; spelling, style
//! and the order of keys do not.

use std::collections::HashMap;
use std::rc::Rc;

use super::pair::Places;
use super::rename::Renames;
use super::written::Written;
use crate::arena::{Style, flag};
use crate::merge::{self, Strategy};
use crate::node::{Body, Document, Kind, Node};
use crate::scalar::Identity;

/// What makes two keys the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Scalar(Identity<'a>),
    /// A collection, by its class.
    Class(u32),
}

/// The entries of a mapping, to be found by their keys.
pub(super) struct Entries<'a> {
    pub(super) list: Vec<Entry<'a>>,
    index: HashMap<Key<'a>, usize>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: Key<'a>,
    pub(super) name: Node,
    pub(super) value: Node,
}

impl<'a> Entries<'a> {
    pub(super) fn get(&self, key: &Key<'a>) -> Option<Node> {
        self.index.get(key).map(|&at| self.list[at].value)
    }
}

/// Compares values, each pair of collections once.
pub(super) struct Compare<'a> {
    pub(super) document: &'a Document,
    /// What is written in the text of the document.
    pub(super) written: Written<'a>,
    /// What was added to mappings.
    pub(super) renames: HashMap<(Node, Node), Rc<Renames<'a>>>,
    /// Where the items of a list are in another one.
    pub(super) places: HashMap<(Node, Node), Places>,
    items: HashMap<Node, Rc<[Node]>>,
    known: HashMap<(Node, Node), bool>,
    entries: HashMap<Node, Rc<Entries<'a>>>,
    classes: HashMap<Node, u32>,
    forms: HashMap<Form<'a>, u32>,
    /// What keys that were filled in became.
    filled: HashMap<Node, Node>,
    /// Whether there may be whiteouts that no merge has met yet.
    pub(super) settles: bool,
    whiteouts: HashMap<Node, bool>,
}

/// A value whose parts are known by their class.
#[derive(PartialEq, Eq, Hash)]
enum Form<'a> {
    Scalar(Identity<'a>),
    Sequence(Vec<u32>),
    Mapping(Vec<(u32, u32)>),
}

/// Two collections that are being compared, and what of them is still to be.
struct Pair {
    nodes: (Node, Node),
    rest: Vec<(Node, Node)>,
}

impl<'a> Compare<'a> {
    pub(super) fn new(document: &'a Document) -> Compare<'a> {
        Compare {
            document,
            written: Written::new(document.base()),
            renames: HashMap::new(),
            places: HashMap::new(),
            items: HashMap::new(),
            known: HashMap::new(),
            entries: HashMap::new(),
            classes: HashMap::new(),
            forms: HashMap::new(),
            filled: filled(document),
            settles: document.arenas().any(|arena| merge::may_have_whiteouts(arena)),
            whiteouts: HashMap::new(),
        }
    }

    /// Whether a value says that what is inherited there is no more.
    pub(super) fn is_whiteout(&mut self, value: Node) -> bool {
        if !self.settles || self.document.kind(value) != Kind::Mapping {
            return false;
        }
        let document = self.document;
        *self.whiteouts.entry(document.follow(value)).or_insert_with_key(|&value| {
            document.strategy(value) == Some(Strategy::Whiteout)
        })
    }

    /// Whether `a` and `b` mean the same.
    pub(super) fn same(&mut self, a: Node, b: Node) -> bool {
        let (a, b) = (self.document.follow(a), self.document.follow(b));
        if let Some(known) = self.is_known(a, b) {
            return known;
        }
        let mut open = vec![Pair { nodes: (a, b), rest: vec![(a, b)] }];
        while let Some(pair) = open.last_mut() {
            let nodes = pair.nodes;
            let Some((a, b)) = pair.rest.pop() else {
                self.known.insert(nodes, true);
                open.pop();
                continue;
            };
            let (a, b) = (self.document.follow(a), self.document.follow(b));
            match self.is_known(a, b) {
                Some(true) => continue,
                Some(false) => {}
                None => {
                    if let Some(rest) = self.zip(a, b) {
                        open.push(Pair { nodes: (a, b), rest });
                        continue;
                    }
                    self.known.insert((a, b), false);
                }
            }
            self.known.extend(open.drain(..).map(|pair| (pair.nodes, false)));
            return false;
        }
        true
    }

    /// What can be said without looking inside.
    fn is_known(&self, a: Node, b: Node) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        match (self.document.kind(a), self.document.kind(b)) {
            (Kind::Scalar, Kind::Scalar) => Some(self.same_scalar(a, b)),
            (a, b) if a != b => Some(false),
            _ => self.known.get(&(a, b)).copied(),
        }
    }

    fn same_scalar(&self, a: Node, b: Node) -> bool {
        let document = self.document;
        if let (Node::Clean(f, i), Node::Clean(g, j)) = (a, b) {
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

    /// The children of two collections, if they match.
    fn zip(&mut self, a: Node, b: Node) -> Option<Vec<(Node, Node)>> {
        if self.document.kind(a) == Kind::Sequence {
            let (a, b) = (self.document.items(a), self.document.items(b));
            return (a.len() == b.len()).then(|| a.into_iter().zip(b).rev().collect());
        }
        let (x, y) = (self.document.pairs(a), self.document.pairs(b));
        if x.len() != y.len() {
            return None;
        }
        let scalar = |key| self.document.kind(key) == Kind::Scalar;
        let in_order = x
            .iter()
            .zip(&y)
            .all(|(&(k, _), &(l, _))| scalar(k) && scalar(l) && self.same_scalar(k, l));
        if in_order {
            return Some(x.iter().zip(&y).map(|(x, y)| (x.1, y.1)).rev().collect());
        }
        let (x, y) = (self.entries(a), self.entries(b));
        x.list.iter().map(|entry| Some((entry.value, y.get(&entry.key)?))).collect()
    }

    /// The item of a list at an index.
    pub(super) fn item(&mut self, list: Node, index: usize) -> Option<Node> {
        let list = self.document.follow(list);
        let items = self.items.entry(list);
        items.or_insert_with(|| self.document.items(list).into()).get(index).copied()
    }

    /// The entries of a mapping; none of anything else.
    pub(super) fn entries(&mut self, node: Node) -> Rc<Entries<'a>> {
        let node = self.document.follow(node);
        if let Some(known) = self.entries.get(&node) {
            return known.clone();
        }
        let pairs = self.document.pairs(node).into_iter();
        let entry = |(name, value)| Entry { key: self.key(name), name, value };
        let list: Vec<Entry<'a>> = pairs.map(entry).collect();
        let keys = list.iter().map(|entry| entry.key.clone());
        let index = keys.zip(0..).collect();
        let entries = Rc::new(Entries { list, index });
        self.entries.insert(node, entries.clone());
        entries
    }

    pub(super) fn key(&mut self, node: Node) -> Key<'a> {
        let document = self.document;
        let node = self.filled.get(&node).copied().unwrap_or(node);
        match document.kind(node) {
            Kind::Scalar => Key::Scalar(document.scalar(node).identity()),
            Kind::Sequence | Kind::Mapping => Key::Class(self.class(node)),
        }
    }

    /// A number that two values have in common if they mean the same.
    pub(super) fn class(&mut self, node: Node) -> u32 {
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
            let form = self.form(node);
            let next = self.forms.len() as u32;
            let class = *self.forms.entry(form).or_insert(next);
            self.classes.insert(node, class);
        }
        self.known_class(node)
    }

    fn known_class(&self, node: Node) -> u32 {
        self.classes.get(&self.document.follow(node)).copied().unwrap_or(u32::MAX)
    }

    fn form(&self, node: Node) -> Form<'a> {
        let document = self.document;
        let class = |node| self.known_class(node);
        match document.kind(node) {
            Kind::Scalar => Form::Scalar(document.scalar(node).identity()),
            Kind::Sequence => {
                Form::Sequence(document.items(node).into_iter().map(class).collect())
            }
            Kind::Mapping => {
                let pairs = document.pairs(node).into_iter();
                let mut pairs: Vec<_> =
                    pairs.map(|(k, v)| (class(k), class(v))).collect();
                pairs.sort_unstable();
                Form::Mapping(pairs)
            }
        }
    }
}

/// The written keys that something else stands for.
fn filled(document: &Document) -> HashMap<Node, Node> {
    let mut filled = HashMap::new();
    for opened in document.opened_nodes() {
        let (Some((file, _)), Body::Mapping(slots)) = (opened.origin(), opened.body())
        else {
            continue;
        };
        filled.extend(slots.iter().filter_map(|slot| match (slot.key, slot.was) {
            (Some(key @ Node::Opened(_)), Some(was)) => {
                Some((Node::Clean(file, was), key))
            }
            _ => None,
        }));
    }
    filled
}
