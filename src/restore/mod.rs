//! A document with directives and its expansion as somebody edited it → the document with
//! the edit in it and the directives kept.
//!
//! This is the `put` of a lens whose `get` is an [`Expander`]: compile, apply, fill in
//! variables. The result is read and expanded again before it goes out. If it expands to
//! something else, the save is tried again, and directives that conflict with the edit are
//! replaced by the values they gave.

mod align;
mod compare;
mod conflict;
mod expander;
mod explain;
mod put;
mod save;
mod site;
mod writing;
mod written;

pub use expander::{DirectiveExpander, Expander};
pub use explain::Saved;
pub use save::save;
