//! The policy of a merge: children are paired as far as it is sure which belong together.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;

use super::{Ambiguous, Pairs};
use crate::compare::{Side, Values};
use crate::node::NodeId;

/// A part of a mapping: a key with its value, or the key alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Feature {
    key: u32,
    value: Option<u32>,
}

/// The features that tell the documents of a stream, or the items of a list, apart. Equal
/// numbers stand for equal things.
pub(crate) struct Features {
    /// The names, of documents with a kind and a name that no other one has.
    pub names: Vec<Option<u32>>,
    pub values: Vec<u32>,
    /// The entries of mappings, and their keys.
    parts: Vec<Vec<Feature>>,
}

impl Features {
    /// Returns the features of documents.
    pub(crate) fn of(
        values: &mut Values<'_>,
        nodes: &[NodeId],
        names: Vec<Option<u32>>,
    ) -> Features {
        let mut parts = Vec::with_capacity(nodes.len());
        for &node in nodes {
            parts.push(parts_of(values, node));
        }
        Features { names, values: values.classes(nodes, Side::Old), parts }
    }

    /// Returns the features of items, which have no names; `None` if these have more than
    /// `entries_left` entries. Many aliases of one large mapping have.
    pub(crate) fn of_items(
        values: &mut Values<'_>,
        nodes: &[NodeId],
        entries_left: &mut usize,
    ) -> Option<Features> {
        let mut parts = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let found = parts_of(values, node);
            *entries_left = entries_left.checked_sub(found.len())?;
            parts.push(found);
        }
        let names = vec![None; nodes.len()];
        Some(Features { names, values: values.classes(nodes, Side::Old), parts })
    }

    /// Returns the number of documents or items.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the child that has each part; `None` for a part that several have.
    fn owners(&self) -> BTreeMap<Feature, Option<usize>> {
        let mut owners = BTreeMap::new();
        for (at, parts) in self.parts.iter().enumerate() {
            for &part in parts {
                let owner = owners.entry(part).or_insert(Some(at));
                *owner = owner.filter(|&owner| owner == at);
            }
        }
        owners
    }
}

/// Returns the parts of a mapping; of anything else none.
fn parts_of(values: &mut Values<'_>, node: NodeId) -> Vec<Feature> {
    let mut parts = Vec::new();
    for (key, value) in values.document(Side::Old).pairs(node) {
        let key = values.class(key, Side::Old);
        let value = values.class(value, Side::Old);
        parts.push(Feature { key, value: None });
        parts.push(Feature { key, value: Some(value) });
    }
    parts
}

/// Pairs children by name (items have none here), then by value, then by the entries and keys
/// that they alone have; and between these by place.
pub(crate) fn pair_certain(old: &Features, new: &Features) -> Pairs {
    let mut pairing = CertainPairs {
        old,
        new,
        pairs: Pairs::new(old.len(), new.len()),
        is_contested: [vec![false; old.len()], vec![false; new.len()]],
    };
    let pairs = &mut pairing.pairs;
    pairs.pair_equal(|at| old.names[at], |at| new.names[at], Ambiguous::IfAsMany);
    let [old_values, new_values] = [&old.values, &new.values];
    pairs.pair_equal(
        |at| Some(old_values[at]),
        |at| Some(new_values[at]),
        Ambiguous::IfAsMany,
    );
    pairing.by_parts();
    pairing.by_place();
    pairing.pairs
}

struct CertainPairs<'f> {
    old: &'f Features,
    new: &'f Features,
    pairs: Pairs,
    /// True for the old and the new children that their parts pair with several.
    is_contested: [Vec<bool>; 2],
}

/// Two children that may belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidates {
    old: usize,
    new: usize,
}

impl CertainPairs<'_> {
    /// Pairs children that alone have an entry or a key, unless another part says otherwise.
    fn by_parts(&mut self) {
        let owners = self.new.owners();
        let mut found = BTreeSet::new();
        for (part, old) in self.old.owners() {
            let new = owners.get(&part).copied().flatten();
            let pair = old.zip(new).map(|(old, new)| Candidates { old, new });
            found.extend(pair.filter(|&pair| self.may_pair(pair)));
        }
        let mut counts = [vec![0; self.old.len()], vec![0; self.new.len()]];
        for pair in &found {
            counts[0][pair.old] += 1;
            counts[1][pair.new] += 1;
        }
        for Candidates { old, new } in found {
            if counts[0][old] == 1 && counts[1][new] == 1 {
                self.pairs.pair(old, new);
            } else {
                self.is_contested[0][old] = true;
                self.is_contested[1][new] = true;
            }
        }
    }

    /// Pairs what is left between two pairs, if both versions have as many children there.
    fn by_place(&mut self) {
        let end = self.old.len();
        let mut from = 0;
        while from < end {
            let to = (from..end).find(|&at| self.pairs.new_of(at).is_some());
            let to = to.unwrap_or(end);
            if let Some(start) = self.opposite(from, to) {
                (from..to).zip(start..).for_each(|(old, new)| self.pairs.pair(old, new));
            }
            from = to + 1;
        }
    }

    /// Returns where the new children begin that stand in the place of old ones, of which
    /// there are as many.
    fn opposite(&self, from: usize, to: usize) -> Option<usize> {
        let start = match from.checked_sub(1) {
            Some(before) => self.pairs.new_of(before)? + 1,
            None => 0,
        };
        let end =
            if to < self.old.len() { self.pairs.new_of(to)? } else { self.new.len() };
        let has_as_many = end.checked_sub(start) == Some(to - from);
        let pairs = (from..to).zip(start..).map(|(old, new)| Candidates { old, new });
        (has_as_many && pairs.into_iter().all(|pair| self.fits(pair))).then_some(start)
    }

    fn fits(&self, pair: Candidates) -> bool {
        let is_contested =
            self.is_contested[0][pair.old] || self.is_contested[1][pair.new];
        !is_contested && self.may_pair(pair) && self.has_common_part(pair)
    }

    /// Returns true if two children are left, and do not have two names.
    fn may_pair(&self, Candidates { old, new }: Candidates) -> bool {
        let are_named = self.old.names[old].is_some() && self.new.names[new].is_some();
        self.pairs.new_of(old).is_none() && self.pairs.old_of(new).is_none() && !are_named
    }

    /// Returns true unless two children are mappings without a common key.
    fn has_common_part(&self, Candidates { old, new }: Candidates) -> bool {
        let old = &self.old.parts[old];
        let new = &self.new.parts[new];
        let known: HashSet<&Feature> = old.iter().collect();
        old.is_empty() || new.is_empty() || new.iter().any(|part| known.contains(part))
    }
}
