//! JSONPath queries: parsed once, evaluated on any document.

use std::fmt;

use super::error::{PatternWarning, QueryError};
use super::parser::QueryParser;
use super::repair;
use super::syntax::{Segment, Selector};
use crate::pointer::{Pointer, Token};

/// A JSONPath query: `$.jobs[?@.name == 'web'].image`.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// As it was written.
    text: String,
    /// From left to right.
    pub(super) segments: Vec<Segment>,
    warnings: Vec<PatternWarning>,
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
            return Err(QueryError { message, at: Query::LONGEST, hint: None });
        }
        let segments = QueryParser::new(text).query();
        let (segments, warnings) =
            segments.map_err(|error| QueryError { hint: repair::hint(text), ..error })?;
        Ok(Query { text: text.into(), segments, warnings })
    }

    /// The query as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The warnings about its patterns, from left to right.
    pub fn pattern_warnings(&self) -> &[PatternWarning] {
        &self.warnings
    }

    /// Returns true if it selects one node at most: it has names and indices only.
    pub fn is_singular(&self) -> bool {
        self.segments.iter().all(Segment::is_singular)
    }

    /// Returns the query of the mappings around what it selects, and the key that it names
    /// last. `None` if it ends otherwise, or descends to everything: then it asks for the places
    /// that have a key.
    ///
    /// ```
    /// use interpolate::unstable::select::Query;
    ///
    /// let query = Query::parse("$.jobs[*]['a b']").unwrap();
    /// let (around, key) = query.split_key().unwrap();
    /// assert_eq!((around.text(), key), ("$.jobs[*]", "a b"));
    /// assert!(Query::parse("$..labels").unwrap().split_key().is_none());
    /// ```
    pub fn split_key(&self) -> Option<(Query, &str)> {
        let (last, around) = self.segments.split_last()?;
        let [Selector::Name(key)] = &last.selectors[..] else { return None };
        let reaches_all = |segment: &Segment| {
            segment.descends && segment.selectors.contains(&Selector::Wildcard)
        };
        if last.descends || around.iter().any(reaches_all) {
            return None;
        }
        let text = self.text[..last.start].trim_end().to_owned();
        let around = Query { text, segments: around.to_vec(), warnings: Vec::new() };
        Some((around, key))
    }

    /// Returns true if conditions choose what it selects, whatever the keys there are.
    pub(crate) fn ends_with_condition(&self) -> bool {
        let is_condition = |selector: &Selector| matches!(selector, Selector::Filter(_));
        let last = self.segments.last();
        last.is_some_and(|segment| segment.selectors.iter().all(is_condition))
    }

    /// Returns the pointer to the only place that it selects, if it is
    /// [singular](Query::is_singular).
    pub(crate) fn pointer(&self) -> Option<Pointer> {
        let token = |segment: &Segment| match &segment.selectors[..] {
            [Selector::Name(name)] if !segment.descends => Some(Token::Key(name.clone())),
            [Selector::Index(at)] if !segment.descends => {
                Some(Token::Index(*at, Vec::new()))
            }
            _ => None,
        };
        let tokens: Vec<Token> =
            self.segments.iter().map(token).collect::<Option<_>>()?;
        Some(Pointer { required: tokens.len(), tokens })
    }
}

/// Prints the query as it was written.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
