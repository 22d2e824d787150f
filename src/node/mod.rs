//! The one tree that every pass reads: a [`Tree`] is the arena of a text and the
//! edits laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod aliases;
mod entry_comments;
mod journal;
mod key_digests;
mod kind;
mod lookup;
mod member;
mod merge_sources;
mod opened;
mod overridden;
mod owned_comments;
mod path;
mod seat;
mod slots;
mod tree;

pub use aliases::Aliases;
pub use entry_comments::EntryComments;
pub use journal::Effect;
pub(crate) use key_digests::KeyDigests;
pub use kind::Kind;
pub(crate) use opened::{Body, Opened};
pub(crate) use owned_comments::{entry_comments, takes_comments};
pub use path::{Path, Step};
pub(crate) use seat::Seat;
pub use slots::{NodeId, OpId, Slot, SlotId, Slots};
pub use tree::Tree;
