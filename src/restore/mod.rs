//! A document with directives and its expansion as somebody edited it → the document with
//! the edit in it and the directives kept.
//!
//! This is the `put` of a lens whose `get` is an [`Expander`]: compile, apply, fill in
//! variables. The result is read and expanded again before it goes out. If it expands to
//! something else, the save is tried again, and directives that conflict with the edit are
//! replaced by the values they gave.

mod arrange;
mod compare;
mod conflict;
mod expander;
mod explain;
mod follow;
mod layout_edit;
mod put;
mod save;
mod site;
mod text_edit;

pub use arrange::{Arranged, arrange};
pub use expander::Expander;
pub use explain::Saved;
pub use save::{save, wrong_document_count};
pub use text_edit::{Comments, RestoreOptions, has_tags};
