//! The options of a save.

use crate::yaml::Options;

/// The options of a save.
#[derive(Clone, Debug, Default)]
pub struct SaveOptions {
    /// The options with which the saved document is read again.
    pub reading: Options,
    /// The text whose comments are saved.
    pub comments: Comments,
    /// True to change also the values that inherit an edited value, where the edited text
    /// still has the old one.
    pub follow_sources: bool,
    /// The numbers of the documents that EDITED lacks. They were filled in from the expansion,
    /// and do not count where the edited text is told from a dump.
    pub missing: Vec<usize>,
    /// True if EDITED has tags. `None` if the edited document is the text of EDITED, in which
    /// no variables and templates were put back: these may bring tags.
    pub has_tags: Option<bool>,
    /// The text of EDITED, if it is not that of the edited document: lines in which variables
    /// were put back are not those of the expansion.
    pub edited_text: Option<String>,
}

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
