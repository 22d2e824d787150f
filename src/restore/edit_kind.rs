//! The origin of an edited expansion: somebody edited its text, or a program printed its
//! values anew.

use hashbrown::HashMap;

use crate::compare::{Numbering, align, unaligned};
use crate::layout::bare_lines;

// By the following three numbers three of 893 edits by hand look like a dump, and none of 93
// dumps looks like an edit by hand.

/// At least one line of this many of an edited text is kept from the expansion.
const KEPT_SHARE: usize = 2;

/// At most one line of this many of an edited text is changed.
const CHANGED_SHARE: usize = 5;

/// Number of changed lines that are few in a text of any length.
// A fifth of a short text is less than one edit.
const MAX_FEW_LINES: usize = 3;

/// The origin of an edited expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditKind {
    /// Somebody edited the printed text: its comments and the order of its keys count.
    Text,
    /// A program printed the values: only these count.
    Dump,
}

impl EditKind {
    /// Compares an edited text with the expansion that it was made of.
    pub(super) fn of(expanded: &str, edited: &str) -> EditKind {
        let (old, new) = (lines(expanded), lines(edited));
        let total = new.len();
        let kept = kept_lines(&old, &new).into_iter().filter(|&kept| kept).count();
        let changed = total - kept;
        let few = CHANGED_SHARE * changed <= total || changed <= MAX_FEW_LINES;
        let is_text = KEPT_SHARE * kept >= total && few;
        if is_text { EditKind::Text } else { EditKind::Dump }
    }
}

/// Returns the lines that are not blank.
fn lines(text: &str) -> Vec<&str> {
    let lines = bare_lines(text).map(str::trim_end);
    lines.filter(|line| !line.trim_start().is_empty()).collect()
}

/// Maximum number of lines that are compared in order.
// The time grows with the number of lines and of differences: measured with a release build,
// two texts of 4,096 lines in random order take up to 40 ms, of 65,536 lines 700 ms.
const MAX_COMPARED_LINES: usize = 1 << 12;

/// Returns for each line of `new` true if `old` has it, in the same order. In texts
/// of more than [`MAX_COMPARED_LINES`] changed lines it may stand anywhere.
fn kept_lines(old: &[&str], new: &[&str]) -> Vec<bool> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&old[head..], &new[head..]);
    let ends = rest.iter().rev().zip(other.iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old, middle) = (&rest[..rest.len() - tail], &other[..other.len() - tail]);
    let mut kept = vec![true; new.len()];
    if old.len().max(middle.len()) > MAX_COMPARED_LINES {
        mark_common(old, middle, &mut kept[head..]);
        return kept;
    }
    let mut numbering = Numbering::default();
    let before = numbering.all(old.iter().copied());
    let after = numbering.all(middle.iter().copied());
    for ranges in unaligned(&align(&before, &after), before.len(), after.len()) {
        kept[head + ranges.new.start..head + ranges.new.end].fill(false);
    }
    kept
}

/// Marks the lines of `new` that stand anywhere in `old`.
fn mark_common(old: &[&str], new: &[&str], kept: &mut [bool]) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    old.iter().for_each(|&line| *left.entry(line).or_default() += 1);
    for (line, kept) in new.iter().zip(kept) {
        let left = left.get_mut(line).filter(|left| **left > 0);
        *kept = left.map(|left| *left -= 1).is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_changed_lines_are_an_edit_of_the_text() {
        let expanded = "a: 1\nb:\n- c\n- d\n";
        let kind = |edited| EditKind::of(expanded, edited);
        assert_eq!(kind(expanded), EditKind::Text);
        assert_eq!(kind("a: 1\n\n# note\nb:\n- c\n- d\n"), EditKind::Text);
        assert_eq!(kind("{\"a\": 1, \"b\": [\"c\", \"d\"]}\n"), EditKind::Dump);
        assert_eq!(kind("a: 1\nb:\n  - c\n  - d\n  - e\n"), EditKind::Dump);
    }

    #[test]
    fn lines_are_kept_in_order() {
        let kept = kept_lines(&["a", "b", "c", "d"], &["a", "x", "c", "b", "d"]);
        assert_eq!(kept, [true, false, true, false, true]);
        assert_eq!(kept_lines(&[], &["a"]), [false]);
    }

    #[test]
    fn long_texts_are_compared_without_order() {
        let old: Vec<String> = (0..10_000).map(|n| n.to_string()).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = old.iter().rev().copied().chain(["other"]).collect();
        let kept = kept_lines(&old, &new);
        assert_eq!(kept.iter().filter(|&&kept| kept).count(), 10_000);
    }
}
