//! The likeness of two values: how much of one is in the other. What many of their siblings
//! have counts little.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hashbrown::HashMap;

use super::identity::{ItemName, ListVersion, naming_key};
use super::value::Side;
use crate::node::{Kind, NodeId, Tree};

/// Maximum number of nodes of one value that are looked at. Nested aliases let a small text
/// hold more than can be walked.
// A job of a large deployment has a thousand.
const MAX_NODES: usize = 1 << 16;

/// The scalars of a value, each with the way to it, as sorted hashes.
pub(crate) type Contents = Rc<Vec<u64>>;

/// The contents of the values of two documents, each found once.
#[derive(Debug, Default)]
pub(crate) struct ContentStore {
    known: HashMap<ContentKey, Contents>,
}

/// A value, and the key of its name, which is no part of its contents.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ContentKey {
    side: Side,
    node: NodeId,
    name_key: Option<String>,
}

impl ContentStore {
    /// Returns the contents of a value, without the entry `name_key` that names it.
    pub(crate) fn of(
        &mut self,
        document: &Tree,
        side: Side,
        node: NodeId,
        name_key: Option<&str>,
    ) -> Contents {
        let key = ContentKey { side, node, name_key: name_key.map(str::to_owned) };
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut hashes = hashes(document, node, name_key);
        hashes.sort_unstable();
        hashes.dedup();
        let contents = Rc::new(hashes);
        self.known.insert(key, contents.clone());
        contents
    }
}

/// A child of a value, with the hash of the way to it.
struct ContentChild {
    way: u64,
    node: NodeId,
}

fn hashes(tree: &Tree, node: NodeId, name_key: Option<&str>) -> Vec<u64> {
    let mut hashes = Vec::new();
    let mut todo = vec![ContentChild { way: 0, node }];
    let mut left = MAX_NODES;
    while let Some(ContentChild { way, node: at }) = todo.pop() {
        if left == 0 {
            break;
        }
        left -= 1;
        let inner = children(tree, way, at, name_key.filter(|_| at == node));
        if tree.slots(at).is_empty() {
            hashes.push(hash(&(way, tree.kind(at) as u8, tree.identity(at))));
        }
        todo.extend(inner);
    }
    hashes
}

/// Returns the children of a node but the entry `left_out`.
fn children(
    tree: &Tree,
    way: u64,
    node: NodeId,
    left_out: Option<&str>,
) -> Vec<ContentChild> {
    let mut children = Vec::new();
    match tree.kind(node) {
        Kind::Scalar => {}
        Kind::Sequence => {
            let items = tree.items(node);
            let key = naming_key(&[ListVersion { document: tree, items: &items }]);
            for item in items {
                let name = key.and_then(|key| ItemName::by(tree, item, key));
                // Items without names stand anywhere in their list.
                let way = match &name {
                    Some(name) => hash(&(way, 1_u8, name.identity())),
                    None => hash(&(way, 0_u8)),
                };
                children.push(ContentChild { way, node: item });
            }
        }
        Kind::Mapping => {
            for (key, value) in tree.pairs(node) {
                let name = tree.member_name(key);
                if left_out.is_none() || name.as_deref() != left_out {
                    let way = hash(&(way, 2_u8, name));
                    children.push(ContentChild { way, node: value });
                }
            }
        }
    }
    children
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The weights of contents among siblings: what many of them have tells little of one.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    counts: HashMap<u64, u32>,
}

impl Weights {
    /// Counts the contents of all siblings.
    pub(crate) fn new<'f>(all: impl Iterator<Item = &'f Contents>) -> Weights {
        let mut counts = HashMap::new();
        for content in all.flat_map(|contents| contents.iter()) {
            *counts.entry(*content).or_default() += 1;
        }
        Weights { counts }
    }

    fn of(&self, content: u64) -> f64 {
        let count = self.counts.get(&content).copied().unwrap_or(1);
        1.0 / f64::from(count).powi(2)
    }

    /// Compares what two values hold.
    pub(crate) fn likeness(&self, old: &Contents, new: &Contents) -> Likeness {
        let [was, is] =
            [old, new].map(|all| all.iter().map(|&it| self.of(it)).sum::<f64>());
        let mut weight = 0.0;
        let mut evidence = 0.0;
        let mut shared = 0;
        for &content in old.iter().filter(|it| new.binary_search(it).is_ok()) {
            weight += self.of(content);
            evidence += self.of(content).sqrt();
            shared += 1;
        }
        let part = |all: f64| if all > 0.0 { weight / all } else { 1.0 };
        Likeness { kept: part(was), covered: part(is), evidence, shared }
    }
}

/// The parts of an old and a new value that are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Likeness {
    /// The part of the old value that the new one has.
    pub kept: f64,
    /// The part of the new value that the old one had.
    pub covered: f64,
    /// Number of shared contents that no sibling has, about.
    pub evidence: f64,
    /// Number of shared contents.
    pub shared: usize,
}

impl Likeness {
    /// Returns the smaller part.
    pub(crate) fn score(self) -> f64 {
        self.kept.min(self.covered)
    }
}
