//! The error of a text that is no query.

use super::mistake::Mistake;

/// A mistake in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The fault, e.g. "expected a name after '.'".
    pub message: String,
    /// Offset in bytes at which it was found.
    pub at: usize,
    /// A suggestion: "did you mean '$.a'?"
    pub hint: Option<String>,
}

impl QueryError {
    /// Returns the message with the position in the query.
    pub fn within(&self, query: &str) -> String {
        let before = query.get(..self.at).unwrap_or(query).chars().count();
        let place = match query.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!(" at '{c}', character {}", before + 1),
            None => format!(", but found the end, character {}", before + 1),
        };
        format!("{}{place}", self.message)
    }

    /// Returns the mistake with its position in the text.
    pub fn told(self, text: &str) -> Mistake {
        Mistake { message: self.within(text), hint: self.hint }
    }
}
