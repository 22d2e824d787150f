//! A place that both sides changed differently.

use std::fmt;

/// A place that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// In a stream of documents: which of them, as `where` of an op selects it, or
    /// `document=2` if they have no names.
    pub document: Option<String>,
    /// The path in the document: `/a/name=x/b`; empty for all of it.
    pub path: String,
}

/// Prints the path, behind the document if there are several. An empty path, which nobody
/// would see, prints as `/ (the document)`; `/` alone is the entry with an empty key.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(document) = &self.document {
            write!(f, "{document} ")?;
        }
        f.write_str(if self.path.is_empty() { "/ (the document)" } else { &self.path })
    }
}
