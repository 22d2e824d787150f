//! A document with directives and its expansion as somebody edited it → the document with
//! the edit in it and the directives kept.
//!
//! This is the `put` of a lens whose `get` is an [`Expander`]: compile, apply, fill in
//! variables. The result is read and expanded again before it goes out. If it expands to
//! something else, the save is tried again, and directives that conflict with the edit are
//! replaced by the values they gave.

mod ancestor;
mod arrange;
mod change;
mod compare;
mod conflict;
mod correspondence;
mod document_edit;
mod dropped_directive;
mod edit_kind;
mod expander;
mod explain;
mod follow;
mod inherited_entry;
mod layered_entries;
mod layers;
mod layout_edit;
mod put;
mod save;
mod save_options;
mod site;
mod text_edit;
mod writing;
mod written;

pub use arrange::{Arranged, arrange};
pub use expander::{DirectiveExpander, Expander};
pub use explain::Saved;
pub use save::{save, wrong_document_count};
pub use save_options::{Comments, SaveOptions};
pub use writing::has_tags;
