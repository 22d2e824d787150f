//! The origin of an edited expansion: somebody edited its text, or a program printed its
//! values anew.

use super::line_diff::kept_lines;
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
}
