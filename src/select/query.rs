//! JSONPath queries: parsed once, evaluated on any document.

use std::fmt;

use super::error::QueryError;
use super::parser::Parser;
use super::syntax::Segment;

/// A JSONPath query: `$.jobs[?@.name == 'web'].image`.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// As it was written.
    text: String,
    /// From left to right.
    pub(super) segments: Vec<Segment>,
}

impl Query {
    /// Maximum length of a query in bytes: far more than a person writes.
    pub const LONGEST: usize = 1 << 16;

    /// Parses a query.
    ///
    /// # Errors
    /// The first mistake. A query whose functions have wrong arguments is a mistake, too.
    ///
    /// ```
    /// use interpolate::unstable::select::Query;
    /// assert!(Query::parse("$.jobs[?@.name == 'web']").is_ok());
    /// assert_eq!(Query::parse("$.jobs[").unwrap_err().at, 7);
    /// ```
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        if text.len() > Query::LONGEST {
            let message = format!("a query has at most {} bytes", Query::LONGEST);
            return Err(QueryError { message, at: Query::LONGEST });
        }
        let segments = Parser::new(text).query()?;
        Ok(Query { text: text.into(), segments })
    }

    /// The query as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if it selects one node at most: it has names and indices only.
    pub fn is_singular(&self) -> bool {
        self.segments.iter().all(Segment::is_singular)
    }
}

/// Prints the query as it was written.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
