//! Three versions of a document → its merged data.

use super::merged_trees::MergedTrees;
use super::versions::Versions;
use super::visit::Visit;
use super::walk::Walk;
use crate::compare::Values;
use crate::node::{NodeId, Seat, Tree};

/// Three versions of a document.
pub(super) struct Merger {
    /// The tree of ours, and the nodes of the others.
    joined: Tree,
    base: Option<NodeId>,
    theirs: NodeId,
}

impl Merger {
    pub(super) fn new(base: Option<&Tree>, ours: &Tree, theirs: &Tree) -> Merger {
        let mut joined = ours.clone();
        for arena in base.into_iter().chain([theirs]).flat_map(Tree::arenas) {
            joined.add_arena(arena);
        }
        Merger { joined, base: base.map(Tree::root), theirs: theirs.root() }
    }

    pub(super) fn run(self) -> MergedTrees {
        let trees = self.walk(false).run();
        if self.joined.base().aliases().is_empty() {
            return trees;
        }
        // Aliases that both sides have need no edits of their own.
        let followed = self.walk(true).run();
        let same = match (&trees.theirs, &followed.theirs) {
            (Some(a), Some(b)) => is_equal(a, b) && is_equal(&trees.ours, &followed.ours),
            (None, None) => is_equal(&trees.ours, &followed.ours),
            _ => false,
        };
        if same { followed.with_conflicts(trees.conflicts) } else { trees }
    }

    fn walk(&self, follows: bool) -> Walk<'_> {
        let tree = &self.joined;
        let (seat, base, theirs) = (Seat::Root(0), self.base, self.theirs);
        let visit = Visit { seat, base, ours: tree.root(), theirs, path: None };
        Walk::new(Versions::new(tree, follows), visit)
    }
}

fn is_equal(a: &Tree, b: &Tree) -> bool {
    Values::new([a, b]).with_tags(true).equal(a.root(), b.root())
}
