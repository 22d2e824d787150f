//! The way from the root of a tree to one of its nodes.

use super::slots::{NodeId, SlotId};

/// The steps from the root to a node.
pub type Path = Vec<Step>;

/// A step from a collection to one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The value of the entry with this key.
    Key(NodeId),
    /// The item of this number.
    Index(u32),
}

impl Step {
    /// Returns a number by which siblings are ordered; that of an item is its position.
    pub(crate) fn rank(&self) -> (u32, u32) {
        match self {
            Step::Index(index) => (0, *index),
            Step::Key(NodeId::Clean(file, i)) => (1 + file.0, *i),
            Step::Key(NodeId::Opened(id)) => (u32::MAX, *id),
        }
    }

    /// Returns the same step in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(self, by: u32) -> Step {
        match self {
            Step::Key(key) => Step::Key(key.shifted(by)),
            Step::Index(_) => self,
        }
    }
}

/// The place that holds a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Seat {
    /// The root of a document of the stream.
    Root(usize),
    /// A slot of an opened collection.
    Slot(u32, SlotId),
    /// No place: a node that is only read.
    Detached(NodeId),
}
