//! The syntax of variables: finds the `((names))` in a string.

use std::ops::Range;

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
