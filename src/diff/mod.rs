//! Document × document → patch: the ops that turn the first document into the second.
//! Each op relies on those before it, as they are applied one after another.
//!
//! Both documents are walked together, from the root. Entries are paired by key, items by
//! name or value. Where the ops within a collection would be longer than the collection
//! itself, it is replaced as a whole.

mod class;
mod comparison;
mod name;

use crate::node::Tree;
use crate::patch::Patch;

pub use comparison::diff_at;
pub(crate) use comparison::{Paired, pair, pair_strictly};

/// Returns the ops that turn the first document of `old` into the first one of `new`, as
/// go-patch can express them. There are none if both are equal: spelling, comments and
/// the order of keys do not count.
///
/// # Example
/// ```text
/// old: {a: 1, b: 2}   new: {a: 1, b: 3}   ops: [{type: replace, path: /b, value: 3}]
/// ```
pub fn diff(old: &Tree, new: &Tree) -> Patch {
    diff_at(old, new, 0)
}
