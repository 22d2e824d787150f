//! The progress of reading a tree: the size read so far, which is bounded, and secrets.

use std::cell::Cell;

use super::error::Error;
use crate::node::Tree;
use crate::yaml::Expansion;

/// The state of one deserialization.
pub(super) struct Walk<'t> {
    pub(super) tree: &'t Tree,
    has_secrets: bool,
    limit: Expansion,
    /// Number of nodes. A node counts each time an alias leads to it.
    nodes: Cell<usize>,
    /// Length of the strings.
    bytes: Cell<usize>,
    /// Number of secrets.
    secrets: Cell<usize>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(tree: &'t Tree, limit: Expansion) -> Walk<'t> {
        let [nodes, bytes, secrets] = [0; 3].map(Cell::new);
        Walk { tree, has_secrets: tree.has_secrets(), limit, nodes, bytes, secrets }
    }

    /// Counts the children of a collection that is read, and the collection.
    pub(super) fn count_nodes(&self, children: usize) -> Result<(), Error> {
        self.nodes.set(self.nodes.get() + 1 + children);
        self.check()
    }

    /// Counts the bytes of a string.
    pub(super) fn count_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.bytes.set(self.bytes.get() + bytes);
        self.check()
    }

    fn check(&self) -> Result<(), Error> {
        Ok(self.limit.check(self.bytes.get(), self.nodes.get())?)
    }

    /// Returns true if any value of the tree is secret.
    pub(super) fn has_secrets(&self) -> bool {
        self.has_secrets
    }

    /// Number of secrets that were read.
    pub(super) fn secrets(&self) -> usize {
        self.secrets.get()
    }

    pub(super) fn count_secret(&self) {
        self.secrets.set(self.secrets.get() + 1);
    }
}
