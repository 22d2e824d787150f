//! Uses in a text, replaced from the left to the right: a text may have thousands.

use super::syntax::{Use, uses};

/// A text whose uses stand apart: no value can form another use with what is around it.
// bosh replaces each name in the whole text, one name after another. Where uses stand apart,
// the result is the same.
pub(super) struct SinglePass<'t> {
    text: &'t str,
    filled: Vec<u8>,
    /// The end of the last use that was replaced.
    end: usize,
    /// The names that were replaced, with their values.
    pub(super) parts: Vec<(&'t str, Vec<u8>)>,
}

impl<'t> SinglePass<'t> {
    /// Begins with a text; `None` if it has parentheses outside of uses.
    pub(super) fn new(text: &'t str) -> Option<SinglePass<'t>> {
        let mut end = 0;
        for found in uses(text) {
            if has_parentheses(&text.as_bytes()[end..found.range.start]) {
                return None;
            }
            end = found.range.end;
        }
        let is_apart = !has_parentheses(&text.as_bytes()[end..]);
        let filled = Vec::with_capacity(text.len());
        is_apart.then(|| SinglePass { text, filled, end: 0, parts: Vec::new() })
    }

    /// Returns the size of the text with the next use replaced.
    pub(super) fn size_with(&self, part: &[u8]) -> usize {
        self.filled.len() + self.text.len() - self.end + part.len()
    }

    /// Replaces the next use; returns false if its value might form another use.
    pub(super) fn replace(&mut self, found: &Use<'t>, part: &[u8]) -> bool {
        // Without a text around it, the next use could become the whole text.
        if part.is_empty() || found.has_spaces(self.text) || has_parentheses(part) {
            return false;
        }
        let text = self.text.as_bytes();
        self.filled.extend_from_slice(&text[self.end..found.range.start]);
        self.filled.extend_from_slice(part);
        self.end = found.range.end;
        self.parts.push((found.name, part.to_vec()));
        true
    }

    /// Returns the text with its uses replaced.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.filled.extend_from_slice(&self.text.as_bytes()[self.end..]);
        self.filled
    }
}

fn has_parentheses(text: &[u8]) -> bool {
    memchr::memchr2(b'(', b')', text).is_some()
}
