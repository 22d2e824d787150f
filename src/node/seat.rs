//! The places of a tree that hold nodes.

use super::slots::{NodeId, SlotId};

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
