//! Base × ours × theirs → the text of ours with the changes of theirs laid over it, and the
//! paths that both sides changed differently.
//!
//! Both sides are compared with the base, node by node, and the changes of theirs become
//! edits of the tree of ours. What both sides changed is merged within: mappings by key,
//! lists by the names or values of their items, texts by lines. A value that both changed
//! differently is a conflict, and ours stays there.
//!
//! Comments and blank lines are merged in the same walk, between the entries that all versions
//! have, and become edits, too.
//!
//! If the lines of both sides merge into a text with the merged data, that text is the
//! result, so that comments and spelling are as `git` leaves them. Elsewhere the tree of
//! ours is printed with its edits.

mod arrange;
mod between;
mod collection_merge;
mod document;
mod entries;
mod merged;
mod sequence;
mod stream;
mod versions;
mod walk;

pub use merged::{Conflict, MARKER_SIZE, MarkedBase, Markers, Merged, merge_lines};
pub use stream::merge;
