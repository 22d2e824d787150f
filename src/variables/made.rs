//! A generated value with what it was made from.

use super::secret::Secret;

/// A generated value with what it was made from: the same request has it again.
pub(super) struct Made {
    pub kind: String,
    /// The options, filled in.
    pub options: String,
    /// The variable that signed it, with its printed value.
    pub authority: Option<(String, String)>,
    pub secret: Secret,
}
