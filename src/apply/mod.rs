//! Applies a patch to a document, one op after another. No input or output happens here:
//! a compiled patch holds all it needs.

mod failure;
mod op;
mod site;
#[cfg(test)]
mod tests;
mod traversal;

pub use op::{apply, find};
pub(crate) use op::{find_from, remove};
pub(crate) use site::{entry_budget, merge_all};
