//! The choice of the comments that are saved.

/// The parts of an edited expansion that are saved beside its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// Those of the edited text if somebody edited it, those of the source if a program
    /// printed it anew.
    #[default]
    Auto,
    /// The comments, blank lines and order of keys of the edited text.
    Edited,
    /// Those of the source.
    Source,
}
