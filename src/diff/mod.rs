//! Document × document → patch: the ops that turn what the one means into what the other
//! means. Each op counts on those before it, as they are applied one after another.
//!
//! Both are walked together, from the root. Entries go together by their key, items by
//! their name or by what they mean. Where the ops within a collection would say more than the collection
//! itself, it is replaced as a whole.

mod class;
mod comparison;
mod name;

use crate::node::Document;
use crate::patch::Patch;

pub use comparison::diff_at;
pub(crate) use comparison::{Paired, pair, pair_strictly};

/// The ops that turn the first document of `old` into the first one of `new`, as go-patch
/// can say them. None if they mean the same: spelling, comments and the order of keys do
/// not count.
pub fn diff(old: &Document, new: &Document) -> Patch {
    diff_at(old, new, 0)
}
