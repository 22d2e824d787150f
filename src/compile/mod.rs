//! Compiles the merge directives of a document to a patch, with everything they import.

mod directive;
mod file;
mod index;
mod link;
mod link_error;
mod places;

pub use directive::Rules;
pub(crate) use directive::is_directive_key;
pub use link::directives;
