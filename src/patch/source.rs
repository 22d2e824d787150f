//! The target of a merge directive.

use crate::source::FileId;

/// The target of a directive: `+?include*anchor../a/b`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// `?`: it may be missing.
    pub optional: bool,
    /// `raw`: its own directives are not expanded.
    pub raw: bool,
    /// The node at which the pointer starts.
    pub base: Base,
    /// The keys and indices from there, unescaped (RFC 6901).
    pub pointer: Vec<String>,
}

/// The node at which the pointer of a directive starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Base {
    /// The root of the document.
    #[default]
    Root,
    /// `.` is the mapping that holds the directive, `..` the collection around it.
    Parent(u32),
    /// The node with an anchor, or with a name by `+&`.
    Anchor(String),
    /// The root, or an anchor, of an included file; no file if its condition is not met.
    File(Option<FileId>, Option<String>),
}
