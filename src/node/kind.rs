//! The kind of a node.

/// The kind of a node, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `text`
    Scalar,
    /// `[a]`
    Sequence,
    /// `{a: b}`
    Mapping,
}
