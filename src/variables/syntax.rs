//! The syntax of a variable's use: a string comes in, the `((names))` in it go out.

use std::ops::Range;

/// One use of a variable in a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'a> {
    /// Where it stands, parentheses included.
    pub range: Range<usize>,
    /// What is between the parentheses, without spaces and `!`.
    pub name: &'a str,
}

/// The uses in `text`, from left to right.
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

/// Whether `text` is one use of a variable and nothing else.
pub(super) fn is_whole(text: &str) -> bool {
    text.starts_with("((")
        && at(text, 0).is_some_and(|found| found.range.end == text.len())
}

/// The use whose parentheses open at `start`: at most one space on either side, and a
/// name of letters, digits and `_ - / .`
fn at(text: &str, start: usize) -> Option<Use<'_>> {
    let inner = &text[start + 2..];
    let inner = inner.strip_prefix(' ').unwrap_or(inner);
    let inner = inner.strip_prefix('!').unwrap_or(inner);
    let len = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(len);
    let rest = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix("))")?;
    (!name.is_empty()).then(|| Use { range: start..text.len() - rest.len(), name })
}

/// Digits are ASCII ones, letters are of any alphabet.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.') || is_letter(c)
}

/// Unicode's letters, without the marks and letter numbers that `is_alphabetic` adds.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphabetic() && !c.is_numeric()
}
