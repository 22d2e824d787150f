//! The one tree that every pass reads: a [`Tree`] is the arena of a text and the
//! edits laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod member;
mod path;
mod slots;
mod tree;

pub use path::{Path, Step};
pub use slots::{NodeId, OpId, Slot, SlotId, Slots};
pub(crate) use tree::{Body, KeyDigests, Opened, Seat};
pub use tree::{Kind, Tree};
