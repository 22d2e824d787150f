//! Ansible's rules and those it had before, which Unfurl's templates follow
//! (`--python-literals`): a run comes in; what it does in which way goes out.

use super::syntax::is_marked;
use crate::eval::python::Str;

/// Filters whose results are texts, whatever they look like.
const TEXTS: [&str; 7] =
    ["json", "ppretty", "string", "to_json", "to_nice_json", "to_nice_yaml", "to_yaml"];

/// Returns the number of line breaks at the end of a text.
pub(super) fn line_breaks(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}

/// Which rules a run follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    older: bool,
}

impl Rules {
    /// Returns Unfurl's rules if results are read as Python literals, else Ansible's.
    pub(super) fn new(python_literals: bool) -> Rules {
        Rules { older: python_literals }
    }

    /// Whether a text of a document is a template. By the older rules Unfurl says that.
    pub(super) fn speaks(self, text: &Str) -> bool {
        !self.older && !text.is_quoted() && is_marked(text)
    }

    /// Whether a text that is to be a template is one.
    pub(super) fn is_template(self, text: &Str) -> bool {
        self.older || self.speaks(text)
    }

    /// Whether backslashes in the expressions of a template are doubled.
    pub(super) fn is_raw(self) -> bool {
        !self.older
    }

    /// What of a text is the template.
    pub(super) fn source(self, text: &str) -> &str {
        if self.older { text.trim() } else { text }
    }

    /// Whether the line break behind a block is no part of the text.
    pub(super) fn trims_blocks(self) -> bool {
        !self.older
    }

    /// How many line breaks a result lacks to end as its source does.
    pub(super) fn missing_breaks(self, result: &str, source_breaks: usize) -> usize {
        if self.older { 0 } else { source_breaks.saturating_sub(line_breaks(result)) }
    }

    /// Whether a result that looks like a Python literal is read as one.
    pub(super) fn rereads(self) -> bool {
        self.older
    }

    /// Whether what a filter makes stays a text.
    pub(super) fn keeps_text_of(self, filter: &str) -> bool {
        self.older && TEXTS.contains(&filter)
    }

    /// Whether the filters of other languages stand before the own ones.
    pub(super) fn prefers_foreign(self) -> bool {
        self.older
    }
}
