//! The one tree that every pass reads: a [`Document`] is the arena of a text and the
//! edits laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod document;
mod slots;

pub(crate) use document::{Body, Opened, Seat};
pub use document::{Document, Kind};
pub use slots::{Node, OpId, Slot, SlotId, Slots};
