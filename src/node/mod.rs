//! The one tree that every pass reads: a [`Tree`] is the arena of a text and the
//! edits laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod alias_edits;
mod aliases;
mod edit;
mod hints;
mod homes;
mod index;
mod journal;
mod lookup;
mod merge_keys;
mod merge_sources;
mod opened;
mod overridden;
mod owned_comments;
mod path;
mod printed_size;
mod slots;
mod snapshot;
mod tree;

pub use aliases::Aliases;
pub use hints::EntryComments;
pub(crate) use index::KeyDigests;
pub use journal::Effect;
pub use opened::Kind;
pub(crate) use opened::{Body, Opened};
pub(crate) use owned_comments::{entry_comments, takes_comments};
pub(crate) use path::Seat;
pub use path::{Path, Step};
pub(crate) use printed_size::PrintedSize;
pub use slots::{NodeId, OpId, Slot, SlotId, Slots};
pub(crate) use snapshot::snapshot;
pub use tree::Tree;
