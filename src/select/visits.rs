//! Selected nodes with the steps that lead to them.

use crate::node::{NodeId, Path, Step};

/// Nodes with the visit of the collection around them, by number; the first is the root.
pub(super) struct Visits(Vec<(NodeId, Option<(u32, Step)>)>);

impl Trail for Visits {
    type At = u32;

    fn child(&mut self, at: u32, step: Step, node: NodeId) -> u32 {
        self.0.push((node, Some((at, step))));
        self.0.len() as u32 - 1
    }

    fn node(&self, at: u32) -> NodeId {
        self.0[at as usize].0
    }
}

impl Visits {
    /// Returns the visit of a root, at position 0.
    pub(super) fn from(root: NodeId) -> Visits {
        Visits(vec![(root, None)])
    }

    /// Returns the steps from the root to the node at a position.
    pub(super) fn path(&self, mut at: u32) -> Path {
        let mut path = Path::new();
        while let (_, Some((around, step))) = self.0[at as usize] {
            path.push(step);
            at = around;
        }
        path.reverse();
        path
    }
}

/// Selected nodes, each at a position of its own.
pub(super) trait Trail {
    /// The position of a node.
    type At: Copy;

    /// Returns the position of a child of the node at a position.
    fn child(&mut self, at: Self::At, step: Step, node: NodeId) -> Self::At;

    /// Returns the node at a position.
    fn node(&self, at: Self::At) -> NodeId;
}

/// Nodes without the steps.
pub(super) struct Nodes;

impl Trail for Nodes {
    type At = NodeId;

    fn child(&mut self, _: NodeId, _: Step, node: NodeId) -> NodeId {
        node
    }

    fn node(&self, at: NodeId) -> NodeId {
        at
    }
}
