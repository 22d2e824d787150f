//! A directive that could not be kept.

/// A directive that a save wrote out.
#[derive(Debug)]
pub(super) struct DroppedDirective {
    /// The number of its document in the stream.
    pub document: usize,
    /// The JSON pointer to the mapping that lost it.
    pub holder: String,
    /// What became of it, and why.
    pub why: String,
}
