//! The rules of one attempt to write an edit.

/// The way in which an edit is written into a document.
#[derive(Clone, Copy, Debug)]
pub(in crate::restore) struct PutMode {
    /// True if keys such as `+/a` are directives.
    pub expands_directives: bool,
    /// True if sites with indirect imports are left alone, until the edit is in their
    /// sources.
    pub defers_indirect: bool,
    /// True if a new list may name the inherited items that it keeps.
    pub names_items: bool,
    /// True if the source as it was given has directives, even if none are left.
    pub had_directives: bool,
}
