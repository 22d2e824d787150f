//! The contents of a value, as a set that can be compared with that of another value.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hashbrown::HashMap;

use super::bases::Trees;
use super::name::{Name, children, name_key};
use crate::node::{Kind, NodeId, Tree};

/// Maximum number of nodes of one value that are looked at. Nested aliases let a small text
/// hold more than can be walked.
// A job of a large deployment has a thousand.
const MAX_NODES: usize = 1 << 16;

/// The scalars of a value, each with the way to it, as sorted hashes.
pub(super) type Features = Rc<Vec<u64>>;

/// The features of values, each found once.
#[derive(Debug, Default)]
pub(super) struct FeatureStore {
    /// By document, the old or the new one, and node.
    known: HashMap<(usize, NodeId), Features>,
}

impl FeatureStore {
    /// Returns the features of a value. The name of an item is none.
    pub(super) fn of(
        &mut self,
        (trees, which): (Trees<'_>, usize),
        node: NodeId,
        name: &Name,
    ) -> Features {
        if let Some(known) = self.known.get(&(which, node)) {
            return known.clone();
        }
        let mut hashes = hashes(trees[which], node, name);
        hashes.sort_unstable();
        hashes.dedup();
        let features = Rc::new(hashes);
        self.known.insert((which, node), features.clone());
        features
    }
}

fn hashes(tree: &Tree, node: NodeId, name: &Name) -> Vec<u64> {
    let (mut hashes, mut todo, mut left) = (Vec::new(), vec![(0, node)], MAX_NODES);
    while let Some((way, at)) = todo.pop() {
        if left == 0 {
            break;
        }
        left -= 1;
        let list_key = match tree.kind(at) {
            Kind::Sequence => name_key(tree, at),
            Kind::Mapping | Kind::Scalar => None,
        };
        let inner = children(tree, at, list_key);
        if inner.is_empty() {
            hashes.push(hash(&(way, tree.kind(at) as u8, tree.identity(at))));
        }
        for child in inner {
            let is_name = at == node
                && matches!((name, &child.name), (Name::Item { key, .. }, Name::Key(it)) if key == it);
            if !is_name {
                // Items without names stand anywhere in their list.
                let step = match &child.name {
                    Name::Index(_) => hash(&(way, 0_u8)),
                    named => hash(&(way, 1_u8, named)),
                };
                todo.push((step, child.node));
            }
        }
    }
    hashes
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The weights of features among siblings: what many of them have tells little of one.
#[derive(Debug, Default)]
pub(super) struct Weights {
    counts: HashMap<u64, u32>,
}

impl Weights {
    /// Counts the features of all siblings.
    pub(super) fn new<'f>(all: impl Iterator<Item = &'f Features>) -> Weights {
        let mut counts = HashMap::new();
        for feature in all.flat_map(|features| features.iter()) {
            *counts.entry(*feature).or_default() += 1;
        }
        Weights { counts }
    }

    fn of(&self, feature: u64) -> f64 {
        let count = self.counts.get(&feature).copied().unwrap_or(1);
        1.0 / f64::from(count).powi(2)
    }

    /// Compares what two values hold.
    pub(super) fn likeness(&self, old: &Features, new: &Features) -> Likeness {
        let sum =
            |features: &Features| features.iter().map(|&it| self.of(it)).sum::<f64>();
        let (mut weight, mut evidence, mut shared) = (0.0, 0.0, 0);
        for &feature in old.iter().filter(|it| new.binary_search(it).is_ok()) {
            weight += self.of(feature);
            evidence += self.of(feature).sqrt();
            shared += 1;
        }
        let part = |all: f64| if all > 0.0 { weight / all } else { 1.0 };
        Likeness { kept: part(sum(old)), covered: part(sum(new)), evidence, shared }
    }
}

/// The parts of an old and a new value that are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Likeness {
    /// The part of the old value that the new one has.
    pub kept: f64,
    /// The part of the new value that the old one had.
    pub covered: f64,
    /// Number of shared features that no sibling has, about.
    pub evidence: f64,
    /// Number of shared features.
    pub shared: usize,
}

impl Likeness {
    /// Returns the smaller part.
    pub(super) fn score(self) -> f64 {
        self.kept.min(self.covered)
    }
}
