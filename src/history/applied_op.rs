//! An op that was applied, as people know it.

/// An op that was applied, as people know it.
#[derive(Clone, Debug)]
pub struct AppliedOp {
    /// The kind, such as `replace`.
    pub kind: &'static str,
    /// The path, as it was written.
    pub path: String,
    /// The path from which it copied or moved a value, as it was written.
    pub from: Option<String>,
}
