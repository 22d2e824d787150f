//! Replacement of parts of a text.

use std::ops::Range;

/// Returns a text with the given ranges of bytes replaced. They are sorted by their starts;
/// a range that begins inside an earlier one is left as it is.
pub(crate) fn replace_ranges<T: AsRef<str>>(
    text: &str,
    edits: impl IntoIterator<Item = (Range<usize>, T)>,
) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(new.as_ref());
            at = range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_ranges_are_left() {
        let edits = [(0..3, "x"), (1..2, "y"), (3..3, "z"), (4..5, "")];
        assert_eq!(replace_ranges("abcdef", edits), "xzdf");
    }
}
