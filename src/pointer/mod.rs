//! Paths that lead to one place: those of bosh's ops-files, and JSON Pointers.

mod argument;
mod bosh;
mod json;

pub use argument::{parse_argument, split_argument, token_ranges};
pub use bosh::{Modifier, Pointer, Token};
pub use json::JsonPointer;
