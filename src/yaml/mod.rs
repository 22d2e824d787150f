//! YAML: [`read()`] makes a document of a text, [`print()`] makes a text of a document.
//!
//! [`print()`] is lossless. [`go`] prints values as bosh does, [`json`] as JSON, and
//! [`print_ops`] prints a patch as an ops-file, [`print_patch`] in the language of its ops.

pub mod accept;
mod advice;
pub mod bytes;
mod expanded;
pub mod go;
pub mod json;
pub(crate) mod libyaml;
mod mask;
mod op_fields;
mod ops;
mod options;
mod parse;
mod patch_language;
mod print;
mod read;
#[cfg(test)]
mod tests;

pub use expanded::Expansion;
pub use mask::secret_parts;
pub use ops::{json_patch, print_each, print_ops};
pub use options::{DecodeTarget, Options};
pub use patch_language::print_patch;
pub use print::{Printed, print, print_found};
pub use read::{blank, decode, read, version};
pub(crate) use read::{clean, hide, reread};
