//! Vacated and unclaimed nodes that may be the same things.

use hashbrown::HashMap;

use super::bases::Trees;
use super::name::{Name, Way};
use crate::compare::{Choice, ContentStore, MovedNodes, Side};
use crate::node::NodeId;

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
    moved: MovedNodes,
}

impl Pool {
    /// Makes a pool. What many nodes of `family` have tells little.
    pub(super) fn new(
        trees: Trees<'_>,
        store: &mut ContentStore,
        family: impl Iterator<Item = Named>,
        vacated: &[Named],
        unclaimed: Vec<Candidate>,
    ) -> Pool {
        let counts = [vacated.len(), unclaimed.len()];
        let shown = unclaimed.iter().map(|it| it.name.shown()).take(MAX_NAMED).collect();
        if !MovedNodes::are_few(vacated.len(), unclaimed.len()) {
            return Pool { counts, shown, ..Pool::default() };
        }
        let mut contents = |side: Side, name: &Name, node| {
            store.of(trees[side as usize], side, node, name.key())
        };
        let family: Vec<_> =
            family.map(|(name, node)| contents(Side::Old, &name, node)).collect();
        let old = vacated.iter().map(|(name, node)| contents(Side::Old, name, *node));
        let old = old.collect();
        let new = unclaimed.iter().map(|it| contents(Side::New, &it.name, it.node));
        let moved = MovedNodes::new(&family, old, new.collect());
        let numbers = vacated.iter().enumerate().map(|(at, (_, node))| (*node, at));
        Pool { counts, shown, vacated: numbers.collect(), unclaimed, moved }
    }

    /// Chooses the unclaimed node that is most like a vacated one.
    pub(super) fn choose(&self, node: NodeId) -> Option<Choice> {
        self.moved.choose(*self.vacated.get(&node)?)
    }

    /// Returns true if there is one vacated node and one unclaimed node.
    pub(super) fn is_single(&self) -> bool {
        self.counts == [1, 1]
    }
}
