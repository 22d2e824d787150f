//! Targets: the places that an op or an option addresses, in one of two languages.

use std::fmt;

use crate::pointer::Pointer;
use crate::select::Query;

/// The places in a document that a path names.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One place: `/jobs/name=web`.
    Pointer(Pointer),
    /// Any number of nodes: `$.jobs[*].name`.
    Query(Box<Query>),
}

impl Target {
    /// Parses a path: a JSONPath query if it begins with `$`, else a pointer of bosh.
    ///
    /// # Errors
    /// The mistake, with its position in a query.
    pub fn parse(text: &str) -> Result<Target, String> {
        if text.starts_with('$') {
            let query = Query::parse(text).map_err(|error| error.within(text))?;
            return Ok(Target::Query(Box::new(query)));
        }
        Pointer::parse(text).map(Target::Pointer)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Pointer(pointer) => pointer.fmt(f),
            Target::Query(query) => f.write_str(query.text()),
        }
    }
}
