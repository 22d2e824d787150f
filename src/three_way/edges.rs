//! The comments and blank lines at the edges of lines that both sides changed.

use crate::layout::is_comment_or_blank;

/// Lines, and the comments and blank lines at their edges.
pub(super) struct Edges<'l, 't> {
    above: &'l [&'t str],
    lines: &'l [&'t str],
    below: &'l [&'t str],
}

impl<'l, 't> Edges<'l, 't> {
    /// Splits lines. Comments without other lines are above.
    pub(super) fn of(lines: &'l [&'t str]) -> Edges<'l, 't> {
        let above = lines.iter().take_while(|line| is_comment_or_blank(line)).count();
        let (above, lines) = lines.split_at(above);
        let below =
            lines.iter().rev().take_while(|line| is_comment_or_blank(line)).count();
        let (lines, below) = lines.split_at(lines.len() - below);
        Edges { above, lines, below }
    }

    /// Returns the lines above and below.
    pub(super) fn comments(&self) -> Vec<&'t str> {
        [self.above, self.below].concat()
    }

    /// Returns true if the base has only comments here, and these stand below what a side
    /// inserts: `# c`, where ours has `z: 0` and `# c`. New comments of theirs do, where ours
    /// has `z: 0`, too, if the merged text has them there already, or has others above: `# d`,
    /// where ours has `# c` and `z: 0`.
    fn follows_insertion(&self, merged: &Self, theirs: &Self) -> bool {
        if !self.lines.is_empty() {
            return false;
        }
        if self.above.is_empty() {
            let is_known = is_same_comments(merged.below, theirs.above);
            return theirs.lines.is_empty() && (is_known || !merged.above.is_empty());
        }
        merged.below.ends_with(self.above) || theirs.below.ends_with(self.above)
    }

    /// Returns true if only the comments below lines of the base are there: a side removed the
    /// lines. `# c` is, where the base has `a: 1` and `# c`.
    fn remains_below(&self, base: &Self) -> bool {
        let is_removed = self.lines.is_empty() && !base.lines.is_empty();
        is_removed && self.above == base.below
    }

    /// Takes comments without other lines for those below.
    fn move_below(&mut self) {
        if self.lines.is_empty() {
            (self.above, self.below) = (&[], self.above);
        }
    }
}

/// Returns lines of a merged text that both sides changed. The comments above them and below
/// them are those of theirs, if only theirs changed these.
pub(super) fn merge_edges<'t>(
    base: &[&'t str],
    merged: &[&'t str],
    theirs: &[&'t str],
) -> Vec<&'t str> {
    let [mut base, mut merged, mut theirs] = [base, merged, theirs].map(Edges::of);
    if base.follows_insertion(&merged, &theirs) {
        for side in [&mut base, &mut merged, &mut theirs] {
            side.move_below();
        }
    } else if merged.remains_below(&base) {
        merged.move_below();
    }
    let first = merge_lines(base.above, merged.above, theirs.above);
    let last = merge_lines(base.below, merged.below, theirs.below);
    [first, merged.lines, last].concat()
}

/// Returns the comments and blank lines of theirs, if only theirs changed them. Where the
/// merged text has the comments of theirs already, the blank lines may be missing.
fn merge_lines<'l, 't>(
    base: &[&str],
    merged: &'l [&'t str],
    theirs: &'l [&'t str],
) -> &'l [&'t str] {
    let has_comments = base != theirs && is_same_comments(merged, theirs);
    if base == merged || has_comments { theirs } else { merged }
}

/// Returns true if two parts of texts have the same comments, whatever blank lines they have.
fn is_same_comments(a: &[&str], b: &[&str]) -> bool {
    let comments = |line: &&&str| !line.trim().is_empty();
    a.iter().filter(comments).eq(b.iter().filter(comments))
}
