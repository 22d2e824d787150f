//! YAML: [`read()`] makes a document of a text, [`print()`] makes a text of a document.
//!
//! [`print()`] is lossless. [`go`] prints values as bosh does, [`json`] as JSON.

pub mod accept;
mod advice;
pub mod bytes;
mod expanded;
pub mod go;
pub mod json;
pub mod json_stream;
pub(crate) mod libyaml;
mod mask;
mod options;
mod parse;
mod print;
mod read;
#[cfg(test)]
mod tests;

pub use expanded::Expansion;
pub use mask::secret_parts;
pub use options::{DecodeTarget, Options};
pub use parse::text as parse_text;
pub use print::{Printed, UnplacedComments, print, print_found, print_raw};
pub use read::{blank, decode, read, version};
pub(crate) use read::{clean, hide, reread};
