//! Applies a patch to a document, one op after another. No input or output happens here:
//! a compiled patch holds all it needs.

mod failure;
mod op;
mod resolve;
mod site;
#[cfg(test)]
mod tests;
mod traversal;

pub use op::{apply, find, find_all};
pub(crate) use op::{find_from, reaches, remove, replace};
pub(crate) use resolve::{Located, resolve};
pub(crate) use site::{entry_budget, merge_all};
