//! Lines of a text that are comments.

use hashbrown::HashMap;

use crate::diff::lines;

/// Returns the comment lines of a text, each with the number of times that it is there.
pub(super) fn comment_counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in lines(text).into_iter().filter(|line| is_comment(line)) {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}

/// Returns true for a comment.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Returns true for a comment or a blank line.
pub(super) fn is_comment_or_blank(line: &str) -> bool {
    is_comment(line) || line.trim().is_empty()
}
