//! The way in which selected nodes are kept: with or without the steps that lead to them.

use crate::node::{NodeId, Step};

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
