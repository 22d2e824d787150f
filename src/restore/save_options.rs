//! The options of a save.

use super::comments::Comments;
use crate::yaml::Options;

/// The options of a save.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaveOptions {
    /// The options with which the saved document is read again.
    pub reading: Options,
    /// The text whose comments are saved.
    pub comments: Comments,
    /// True to change also the values that inherit an edited value, where the edited text
    /// still has the old one.
    pub follow_sources: bool,
}
