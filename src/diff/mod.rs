//! Document × document → patch: the ops that turn the first document into the second.
//! Each op relies on those before it, as they are applied one after another.
//!
//! Both documents are walked together, from the root. Entries are paired by key, items by
//! name or value. Where the ops within a collection would be longer than the collection
//! itself, it is replaced as a whole.

mod comparison;
mod json;
mod unified;

use crate::diagnostic::Result;
use crate::node::Tree;
use crate::patch::Patch;

pub use comparison::{TagRule, diff_at, diff_streams};
pub use json::{check_member_names, check_tags, merge_patch, overlay};
pub use unified::unified;

/// Returns the ops that turn the first document of `old` into the first one of `new`, as
/// go-patch can express them. There are none if both are equal: spelling, comments and
/// the order of keys do not count; tags do.
///
/// # Errors
/// `new` was edited and cannot be printed so that it reads back.
///
/// # Example
/// ```text
/// old: {a: 1, b: 2}   new: {a: 1, b: 3}   ops: [{type: replace, path: /b, value: 3}]
/// ```
pub fn diff(old: &Tree, new: &Tree) -> Result<Patch> {
    diff_at(old, new, 0)
}
