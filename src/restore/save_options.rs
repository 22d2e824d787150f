//! The options of a save.

use super::comments::Comments;
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
    /// The numbers of the documents that the edited text was given without: they are those of
    /// the expansion, and tell nothing about who made the text.
    pub missing: Vec<usize>,
    /// True if the edited text has tags, as it was given: values put back may bring some.
    /// `None` if it is as it was given.
    pub has_tags: Option<bool>,
}
