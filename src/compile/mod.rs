//! Compiles documents to patches: an ops-file, a JSON Patch, a Merge Patch, an Overlay, or
//! the merge directives of a document with everything they import.

mod argument;
mod directive;
mod file;
mod index;
mod json_patch;
mod language;
mod link;
mod link_error;
mod merge_patch;
mod op_fields;
mod ops;
mod overlay;
mod places;
mod unmarshal;

pub use argument::{Verb, argument};
pub use directive::Rules;
pub(crate) use directive::is_directive_key;
pub use language::{is_ops_file, patch};
pub use link::directives;
pub use merge_patch::{is_patch, merge_patch};
pub use ops::{FIELDS, field_names, ops};
#[cfg(feature = "generate")]
pub(crate) use unmarshal::mismatch;
pub(crate) use unmarshal::{
    TypeMismatch, check_static_variables, mismatch_message, text, unmarshal_list,
    variable_name,
};
