//! A path as it was typed in an argument of the command line.

use std::ops::Range;

/// A path as it was typed in an argument of the command line: `jobs[name=web].port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedPath {
    /// The path.
    pub text: String,
    /// The parts of it that are its tokens.
    pub tokens: Vec<Range<usize>>,
}

impl TypedPath {
    /// Returns the path as far as a number of tokens.
    pub(crate) fn prefix(&self, count: usize) -> &str {
        let Some(last) = count.checked_sub(1) else { return "" };
        let end = self.tokens.get(last).map_or(self.text.len(), |token| token.end);
        &self.text[..end]
    }
}
