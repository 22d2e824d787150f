//! The error of a text that is no query.

/// A mistake in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong, e.g. "expected a name after '.'".
    pub message: String,
    /// Offset in bytes at which it was found.
    pub at: usize,
}

impl QueryError {
    /// Returns the message with the position in the query.
    pub fn within(&self, query: &str) -> String {
        let before = query.get(..self.at).unwrap_or(query).chars().count();
        let place = match query.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("at '{c}', character {}", before + 1),
            None => "at the end".into(),
        };
        format!("{} {place}", self.message)
    }
}
