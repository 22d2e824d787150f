//! The verdict of Go's yaml.v2 on a text: the end of its first document, or the message
//! with which it is refused. No tree is built.
//!
//! The scanner makes tokens and guesses which of them begin a key; the grammar takes one
//! token at a time from an explicit stack. Both look ahead as far as yaml.v2, so that of
//! several errors the same one comes first.

mod decode;
mod grammar;
mod reader;
mod refusal;
mod scanner;
mod syntax;

use crate::source::Encoding;

pub use decode::decode;
pub use grammar::{GrammarEvent, observe, refuse};
pub use refusal::Refusal;

/// Returns the offset of the end of the first document, the only one that yaml.v2 reads.
///
/// # Errors
/// The refusal by yaml.v2.
pub fn accept(text: &str) -> std::result::Result<usize, Refusal> {
    observe(text, Encoding::Utf8, |_| {})
}
