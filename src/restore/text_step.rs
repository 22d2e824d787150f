//! The steps that take an edit of the text into a saved document.

/// Maximum number of passes that put keys in the edited order.
// A pass moves the keys of the outermost mappings, so that each level of nested mappings with
// moved keys takes one. Keys that somebody moves at more than eight levels at once stay as
// they were.
const MAX_REORDERINGS: usize = 8;

/// A step that takes what an edit of the text says beside the values.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextStep {
    /// The order of keys, in a number of passes at most.
    Order { passes: usize },
    /// Comments and blank lines.
    Comments,
}

impl TextStep {
    pub(super) const FIRST: TextStep = TextStep::Order { passes: MAX_REORDERINGS };

    /// Returns the step behind one that changed the document, or did not.
    pub(super) fn next(self, changed: bool) -> Option<TextStep> {
        match self {
            TextStep::Order { passes: passes @ 2.. } if changed => {
                Some(TextStep::Order { passes: passes - 1 })
            }
            TextStep::Order { .. } => Some(TextStep::Comments),
            TextStep::Comments => None,
        }
    }
}
