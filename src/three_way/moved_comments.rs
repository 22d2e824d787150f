//! Comments that an entry of theirs brought to another place of the merged text.

use hashbrown::{HashMap, HashSet};

use super::piece::Piece;
use crate::layout::{each_line, is_comment};

/// The comments of theirs that the merged text has already, above the entries that theirs added
/// or gave them to.
pub(super) struct MovedComments<'t> {
    lines: HashSet<&'t str>,
}

impl<'t> MovedComments<'t> {
    /// Finds the comments that the merged text has more often than the base, and as often as
    /// theirs.
    pub(super) fn of(merged: &[Piece], base: &str, theirs: &'t str) -> MovedComments<'t> {
        let mut counts = HashMap::new();
        for piece in merged {
            for (line, count) in comment_counts(piece.ours()) {
                *counts.entry(line).or_insert(0) += count;
            }
        }
        let base = comment_counts(base);
        let is_moved = |(line, most): &(&str, usize)| {
            let count = counts.get(line).copied().unwrap_or(0);
            count >= *most && count > base.get(line).copied().unwrap_or(0)
        };
        let lines = comment_counts(theirs).into_iter().filter(is_moved);
        MovedComments { lines: lines.map(|(line, _)| line).collect() }
    }

    /// Returns lines of theirs without the comments that would be there twice: those that are
    /// not among the lines which theirs replace.
    pub(super) fn filter<'l>(
        &self,
        theirs: &[&'l str],
        replaced: &[&str],
    ) -> Vec<&'l str> {
        if self.lines.is_empty() {
            return theirs.to_vec();
        }
        let replaced: HashSet<&str> = replaced.iter().map(|line| line.trim()).collect();
        let is_new = |line: &&str| {
            let line = line.trim();
            !self.lines.contains(line) || replaced.contains(line)
        };
        theirs.iter().copied().filter(is_new).collect()
    }
}

/// Returns the comment lines of a text, each with the number of times that it is there.
pub(super) fn comment_counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in each_line(text).filter(|line| is_comment(line)) {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}
