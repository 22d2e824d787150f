//! A change of a text that mends a finding.

use crate::node::Path;
use crate::source::Span;

/// The removal of an entry or item from a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The entry or item in the text.
    pub span: Span,
    /// The document of the stream.
    pub root: usize,
    /// The way to the collection.
    pub path: Path,
    /// The position of the entry or item in it.
    pub position: usize,
}
