//! The syntax of variables: finds the `((names))` in a string, and replaces them.

use std::ops::Range;

use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;

/// A use of a variable in a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'a> {
    /// The byte range, with the parentheses.
    pub range: Range<usize>,
    /// The name, without spaces and `!`.
    pub name: &'a str,
}

impl Use<'_> {
    /// Returns true if it has spaces in `text`: then it is filled in as a whole text only, as
    /// by bosh.
    pub(super) fn has_spaces(&self, text: &str) -> bool {
        text[self.range.clone()].contains(' ')
    }
}

/// Returns the variable of a full name: its part before the first dot.
pub(super) fn variable(name: &str) -> &str {
    name.split_once('.').map_or(name, |(variable, _)| variable)
}

/// Returns true if a text of YAML may have a use in one of its strings. An escape in quotes
/// may stand for a parenthesis.
pub(super) fn may_have_uses(text: &str) -> bool {
    text.contains("((") || text.contains('\\')
}

/// Returns the uses in `text`, from left to right.
///
/// # Example
/// ```
/// let names = interpolate::unstable::variables::uses("((a)) and ((!b))").map(|found| found.name);
/// assert!(names.eq(["a", "b"]));
/// ```
pub fn uses(text: &str) -> impl Iterator<Item = Use<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text.get(from..)?.find("((")?;
            if let Some(found) = at(text, start) {
                from = found.range.end;
                return Some(found);
            }
            from = start + 1;
        }
    })
}

/// Returns true if `text` is one use of a variable and nothing else.
pub(super) fn is_whole(text: &str) -> bool {
    text.starts_with("((")
        && at(text, 0).is_some_and(|found| found.range.end == text.len())
}

/// Returns the use `((name))` at `start`, with at most one space on either side.
fn at(text: &str, start: usize) -> Option<Use<'_>> {
    let inner = &text[start + 2..];
    let inner = inner.strip_prefix(' ').unwrap_or(inner);
    let inner = inner.strip_prefix('!').unwrap_or(inner);
    let len = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(len);
    let rest = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix("))")?;
    (!name.is_empty()).then(|| Use { range: start..text.len() - rest.len(), name })
}

/// Returns true for ASCII digits, letters of any alphabet, and the signs of a name.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.') || is_letter(c)
}

/// Returns true for Unicode letters.
// Go's `\pL`: `is_alphabetic` has marks and letter numbers too.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphabetic() && !c.is_numeric()
}

/// Returns true if a text uses a variable.
pub(super) fn is_use(document: &Tree, node: NodeId) -> bool {
    first_use(document, node).is_some()
}

/// Returns the name of the first variable in a string, or in binary data that is text.
///
/// # Example
/// ```
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::variables::first_use;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let mut sources = Sources::default();
/// let file = sources.add("base.yml", "((a)) and ((b))");
/// let tree = yaml::read(&sources, file, &Options::default())?;
/// assert_eq!(first_use(&tree, tree.root()).as_deref(), Some("a"));
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
pub fn first_use(document: &Tree, node: NodeId) -> Option<String> {
    if document.kind(node) != Kind::Scalar {
        return None;
    }
    let text = match document.scalar(node) {
        Scalar::String(text) => text,
        Scalar::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        _ => return None,
    };
    uses(&text).next().map(|found| found.name.to_owned())
}

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
        self.filled.extend_from_slice(&self.text.as_bytes()[self.end..found.range.start]);
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
