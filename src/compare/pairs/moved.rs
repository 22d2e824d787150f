//! The policy of a rebase: a node of the old document that is not at its place any more may be
//! a new one anywhere, if it is much more like that than like any other.

use crate::compare::{Contents, Likeness, Weights};

/// Part of the old and of the new value that has to be the same.
// With less it is as likely another thing that has the name now. In 56 real upgrades of a
// deployment, values that moved kept 80 % and more, and others at most 20 %.
pub(crate) const ENOUGH: f64 = 0.5;

/// Part of the value that has to be the same if the name is another one.
// A new item often has the port and the policy of one that went; an op must not reach it.
pub(crate) const ENOUGH_RENAMED: f64 = 0.75;

/// Part of a score that the second best candidate may have at most.
const RIVAL: f64 = 0.5;

/// Number of things that no sibling has and that a renamed collection has to keep.
// A single equal entry, such as `port: 80`, may be chance.
pub(crate) const ENOUGH_EVIDENCE: f64 = 2.0;

/// Maximum number of pairs of removed and added nodes that are compared.
// More were changed at once than a person would follow.
const MAX_PAIRS: usize = 1 << 10;

/// The contents of nodes that were removed, and of added ones that may be the same things.
#[derive(Default)]
pub(crate) struct MovedNodes {
    weights: Weights,
    removed: Vec<Contents>,
    added: Vec<Contents>,
}

/// The added node that is most like a removed one.
pub(crate) struct Choice {
    pub best: usize,
    pub likeness: Likeness,
    /// The best score of another candidate for the node.
    pub second: f64,
    /// The best score of any other pair with one of the two.
    pub rival: f64,
    /// True if another removed node went there too.
    pub is_merged: bool,
}

impl MovedNodes {
    /// Returns true if so many removed and added nodes can be compared.
    pub(crate) fn are_few(removed: usize, added: usize) -> bool {
        (1..=MAX_PAIRS).contains(&removed.saturating_mul(added))
    }

    /// Prepares the choices. What many nodes of `family` contain tells little.
    pub(crate) fn new(
        family: &[Contents],
        removed: Vec<Contents>,
        added: Vec<Contents>,
    ) -> MovedNodes {
        MovedNodes { weights: Weights::new(family.iter()), removed, added }
    }

    /// Chooses the added node that is most like a removed one.
    pub(crate) fn choose(&self, removed: usize) -> Option<Choice> {
        let all: Vec<Likeness> =
            (0..self.added.len()).map(|at| self.likeness(removed, at)).collect();
        let scores: Vec<f64> = all.iter().map(|likeness| likeness.score()).collect();
        let best = (0..all.len()).max_by(|&a, &b| {
            // Of equal ones the first.
            scores[a].total_cmp(&scores[b]).then(b.cmp(&a))
        })?;
        let others = (0..all.len()).filter(|&at| at != best);
        let second = others.map(|at| scores[at]).fold(0.0, f64::max);
        let mut choice =
            Choice { best, likeness: all[best], second, rival: second, is_merged: false };
        for other in (0..self.removed.len()).filter(|&at| at != removed) {
            let likeness = self.likeness(other, best);
            choice.rival = f64::max(choice.rival, likeness.score());
            choice.is_merged |=
                likeness.kept >= ENOUGH && likeness.evidence >= ENOUGH_EVIDENCE;
        }
        Some(choice)
    }

    fn likeness(&self, removed: usize, added: usize) -> Likeness {
        self.weights.likeness(&self.removed[removed], &self.added[added])
    }
}

impl Choice {
    /// Returns true if enough is the same, and all others are far behind.
    pub(crate) fn is_ahead(&self) -> bool {
        let score = self.likeness.score();
        score >= ENOUGH && self.rival <= RIVAL * score
    }
}
