//! The verdict of Go's yaml.v2 on a text: where its first document ends, or the message
//! with which it is refused. The tree itself is not built here.
//!
//! Bytes go through a [`cursor`], a [`scan`]ner makes tokens of them (guessing which
//! ones begin a key), and a [`grammar`] with an explicit stack asks for one token at a
//! time, so that errors come up in the order in which yaml.v2 meets them.

mod decode;
mod grammar;
mod reader;
mod refusal;
mod scanner;
mod syntax;

use crate::source::Encoding;

pub use decode::decode;
pub use grammar::{Event, observe, refuse};
pub use refusal::Refusal;

/// Finds the end of the first document, the only one that yaml.v2 reads, or says why it
/// is refused.
pub fn accept(text: &str) -> std::result::Result<usize, Refusal> {
    observe(text, Encoding::Utf8, |_| {})
}
