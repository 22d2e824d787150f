//! The differences between Ansible's rules and those before Ansible 2.19, which Unfurl's
//! templates follow (`--python-literals`).

use super::syntax::{Syntax, is_marked};
use crate::eval::python::{Result, Str, regex};

/// Filters whose results stay texts although they look like Python literals.
const TEXTS: [&str; 7] =
    ["json", "ppretty", "string", "to_json", "to_nice_json", "to_nice_yaml", "to_yaml"];

/// Returns the number of line breaks at the end of a text.
pub(super) fn line_breaks(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    older: bool,
}

impl Rules {
    /// Returns Unfurl's rules if results are read as Python literals, else Ansible's.
    pub(super) fn new(python_literals: bool) -> Rules {
        Rules { older: python_literals }
    }

    /// Returns true if a text of a document is a template; in older rules Unfurl says so.
    pub(super) fn speaks(self, text: &Str) -> bool {
        !self.older && !text.is_quoted() && is_marked(text)
    }

    /// Returns true if a text that is rendered is a template.
    pub(super) fn is_template(self, text: &Str) -> bool {
        self.older || self.speaks(text)
    }

    /// Returns true if backslashes in the strings of a template are no escapes.
    pub(super) fn is_raw(self) -> bool {
        !self.older
    }

    /// Returns the part of a text that is the template.
    pub(super) fn source(self, text: &str) -> &str {
        if self.older { text.trim() } else { text }
    }

    pub(super) fn trims_blocks(self) -> bool {
        !self.older
    }

    /// Returns the number of line breaks that a result lacks to end as its source.
    pub(super) fn missing_breaks(self, result: &str, source_breaks: usize) -> usize {
        if self.older { 0 } else { source_breaks.saturating_sub(line_breaks(result)) }
    }

    /// Returns true if a result that looks like a Python literal is read as one.
    pub(super) fn rereads(self) -> bool {
        self.older
    }

    /// Returns true if the result of a filter stays a text.
    pub(super) fn keeps_text_of(self, filter: &str) -> bool {
        self.older && TEXTS.contains(&filter)
    }

    /// Checks delimiters. Ansible before 2.19 makes a regular expression of them, without
    /// escapes: with `<?` every template is an error.
    pub(super) fn check_delimiters(self, syntax: &Syntax) -> Result<()> {
        if !self.older || *syntax == (Syntax { trim: syntax.trim, ..Syntax::default() }) {
            return Ok(());
        }
        let Syntax { variable, block, .. } = syntax;
        let pattern =
            format!("(?:{}|{}|{}|{})", variable.0, block.0, block.1, variable.1);
        regex::compile(&pattern, regex::Flags::default()).map(drop)
    }

    /// Returns true if filters of other languages hide those of Jinja.
    pub(super) fn prefers_foreign(self) -> bool {
        self.older
    }
}
