//! Vacated and unclaimed nodes that may be the same things.

use hashbrown::HashMap;

use super::bases::Trees;
use super::features::{FeatureStore, Features, Likeness, Weights};
use super::name::{Name, Way};
use crate::node::NodeId;

/// Part of the old and of the new value that has to be the same.
// With less it is as likely another thing that has the name now. In 56 real upgrades of a
// deployment, values that moved kept 80 % and more, and others at most 20 %.
pub(super) const ENOUGH: f64 = 0.5;

/// Part of the value that has to be the same if the name is another one.
// A new item often has the port and the policy of one that went; an op must not reach it.
pub(super) const ENOUGH_RENAMED: f64 = 0.75;

/// Part of a score that the second best candidate may have at most.
const RIVAL: f64 = 0.5;

/// Number of things that no sibling has and that a renamed collection has to keep.
// A single equal entry, such as `port: 80`, may be chance.
pub(super) const ENOUGH_EVIDENCE: f64 = 2.0;

/// Maximum number of pairs of vacated and unclaimed nodes that are compared.
// More were changed at once than a person would follow.
const MAX_PAIRS: usize = 1 << 10;

/// Maximum number of unclaimed nodes that are named.
// With more the message would be a list, and no answer.
const MAX_NAMED: usize = 3;

/// A node with its name.
pub(super) type Named = (Name, NodeId);

/// A node that may be another one, with the way to it.
pub(super) struct Candidate {
    pub name: Name,
    pub node: NodeId,
    pub way: Way,
}

/// Vacated nodes of the old document, and unclaimed ones of the new document that may be
/// the same things.
#[derive(Default)]
pub(super) struct Pool {
    /// Number of vacated and of unclaimed nodes.
    pub counts: [usize; 2],
    /// The names of the first unclaimed nodes.
    pub shown: Vec<String>,
    /// The number of each vacated node; none if there are too many to compare.
    vacated: HashMap<NodeId, usize>,
    pub unclaimed: Vec<Candidate>,
    weights: Weights,
    old: Vec<Features>,
    new: Vec<Features>,
}

/// The candidate that is most like a vacated node.
pub(super) struct Choice {
    pub best: usize,
    pub likeness: Likeness,
    /// The best score of another candidate for the node.
    pub second: f64,
    /// The best score of any other pair with one of the two.
    pub rival: f64,
    /// True if another vacated node went there too.
    pub is_merged: bool,
}

impl Pool {
    /// Makes a pool. The features that many nodes of `family` have tell little.
    pub(super) fn new(
        trees: Trees<'_>,
        store: &mut FeatureStore,
        family: impl Iterator<Item = Named>,
        vacated: &[Named],
        unclaimed: Vec<Candidate>,
    ) -> Pool {
        let counts = [vacated.len(), unclaimed.len()];
        let shown = unclaimed.iter().map(|it| it.name.shown()).take(MAX_NAMED).collect();
        if !(1..=MAX_PAIRS).contains(&counts[0].saturating_mul(counts[1])) {
            return Pool { counts, shown, ..Pool::default() };
        }
        let mut features =
            |which, name: &Name, node| store.of((trees, which), node, name);
        let family: Vec<Features> =
            family.map(|(name, node)| features(0, &name, node)).collect();
        let old = vacated.iter().map(|(name, node)| features(0, name, *node)).collect();
        let new = unclaimed.iter().map(|it| features(1, &it.name, it.node)).collect();
        let numbers = vacated.iter().enumerate().map(|(at, (_, node))| (*node, at));
        Pool {
            counts,
            shown,
            vacated: numbers.collect(),
            weights: Weights::new(family.iter()),
            unclaimed,
            old,
            new,
        }
    }

    /// Chooses the unclaimed node that is most like a vacated one.
    pub(super) fn choose(&self, node: NodeId) -> Option<Choice> {
        let me = *self.vacated.get(&node)?;
        let like = |old: usize, new: usize| {
            self.weights.likeness(&self.old[old], &self.new[new])
        };
        let all: Vec<Likeness> = (0..self.new.len()).map(|at| like(me, at)).collect();
        let score = |at: usize| all[at].score();
        let best = (0..all.len()).max_by(|&a, &b| {
            // Of equal ones the first.
            score(a).total_cmp(&score(b)).then(b.cmp(&a))
        })?;
        let others = (0..all.len()).filter(|&at| at != best);
        let second = others.map(score).fold(0.0, f64::max);
        let (mut rival, mut is_merged) = (second, false);
        for other in (0..self.old.len()).filter(|&at| at != me) {
            let likeness = like(other, best);
            rival = f64::max(rival, likeness.score());
            is_merged |= likeness.kept >= ENOUGH && likeness.evidence >= ENOUGH_EVIDENCE;
        }
        Some(Choice { best, likeness: all[best], second, rival, is_merged })
    }

    /// Returns true if there is one vacated node and one unclaimed node.
    pub(super) fn is_single(&self) -> bool {
        self.counts == [1, 1]
    }
}

impl Choice {
    /// Returns true if enough is the same, and all others are far behind.
    pub(super) fn is_ahead(&self) -> bool {
        let score = self.likeness.score();
        score >= ENOUGH && self.rival <= RIVAL * score
    }
}
