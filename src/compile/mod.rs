//! Compiles documents to patches: an ops-file, or the merge directives of a document with
//! everything they import.

mod directive;
mod file;
mod index;
mod link;
mod ops;
mod unmarshal;

pub use directive::Rules;
pub(crate) use directive::is_directive_key;
pub use link::directives;
pub use ops::{FIELDS, ops};
pub(crate) use unmarshal::{
    TypeMismatch, check_static_variables, mismatch, mismatch_message, text, variable_name,
};
