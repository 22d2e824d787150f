//! The one tree that every pass reads: a [`Tree`] is the arena of a text and the
//! edits laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod aliases;
mod entry_comments;
mod journal;
mod member;
mod path;
mod seat;
mod slots;
mod tree;

pub use aliases::Aliases;
pub use entry_comments::EntryComments;
pub use journal::Effect;
pub use path::{Path, Step};
pub(crate) use seat::Seat;
pub use slots::{NodeId, OpId, Slot, SlotId, Slots};
pub(crate) use tree::{Body, KeyDigests, Opened};
pub use tree::{Kind, Tree};
