//! Comments and blank lines of an edited text, taken into the saved document.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::matches::MatchedLine;
use crate::layout::{LinedText, is_comment};
use crate::source::replace_ranges;

/// The texts between which comments are compared. `expanded` is the expansion of `saved`:
/// where `edited` differs from it, somebody edited a comment.
pub(super) struct CommentEdit<'a> {
    pub saved: &'a LinedText<'a>,
    pub expanded: &'a LinedText<'a>,
    pub edited: &'a LinedText<'a>,
    /// True if a comment that `edited` does not have stays.
    pub keeps_missing: bool,
    /// The comments that the source had and `saved` lacks: their entries went.
    pub orphans: &'a HashSet<&'a str>,
}

/// The offsets of a part of the saved document, and the text that replaces it.
type Replacement = (Range<usize>, String);

/// A comment whose entry is inherited now.
struct Orphan {
    text: String,
    /// The number of blanks before the entry.
    column: usize,
}

/// A document with the comments of an edited text.
pub(super) struct Commented {
    pub text: String,
    /// The number of comments that the edited text lacks although their entries stay.
    pub missing: usize,
}

impl CommentEdit<'_> {
    /// Returns the saved document with the comments and blank lines of the edited text.
    pub(super) fn apply(&self, lines: &[MatchedLine]) -> Commented {
        let mut edits = Vec::new();
        let missing = self.count_missing(lines);
        let mut sorted = lines.to_vec();
        sorted.sort_by_key(|line| line.edited);
        let mut orphans: Vec<Orphan> = Vec::new();
        for line in &sorted {
            let Some(saved) = line.saved else {
                orphans.extend(self.orphans_above(line));
                continue;
            };
            // A comment of an entry that went stays above the next one beside it.
            let column = self.edited.lines.indentation(line.edited);
            orphans.retain(|it| it.column <= column);
            let carried = orphans.extract_if(.., |it| it.column == column).collect();
            edits.extend(self.line_edits(saved, line, carried));
        }
        edits.sort_by_key(|(range, _): &Replacement| (range.start, range.end));
        let text = replace_ranges(self.saved.arena.text(), edits);
        Commented { text, missing }
    }

    /// Returns the changes above and beside a line of the saved document.
    fn line_edits(
        &self,
        saved: usize,
        line: &MatchedLine,
        carried: Vec<Orphan>,
    ) -> impl Iterator<Item = Replacement> {
        let above = self.above(saved, line, carried);
        above.into_iter().chain(self.beside(saved, line))
    }

    /// Returns the comments above an inherited line that the source had above an entry.
    fn orphans_above(&self, line: &MatchedLine) -> Vec<Orphan> {
        let lines = self.edited.lines.above(line.edited);
        let lines = lines.map(|line| self.edited.lines.line(line));
        let column = self.edited.lines.indentation(line.edited);
        let lines = lines.filter(|text| self.orphans.contains(text.trim()));
        let orphan = |text: &str| Orphan { text: text.to_owned(), column };
        lines.map(orphan).collect()
    }

    /// Returns the changes beside a line of the saved document.
    fn beside(&self, saved: usize, line: &MatchedLine) -> Vec<Replacement> {
        let was = self.expanded.lines.beside(line.expanded);
        let is = self.edited.lines.beside(line.edited);
        let missing = is.trim().is_empty() && !was.trim().is_empty();
        if self.keeps_missing && missing {
            return Vec::new();
        }
        // A comment that stays also goes to the end of a line that is joined.
        let (mut edits, last) = self.joined(saved, line);
        let stays = was == is || is == self.saved.lines.beside(saved);
        if stays && last == saved {
            return Vec::new();
        }
        let marks = self.edited.lines.content(line.edited).trim_start();
        let content = self.saved.lines.content(last).trim_start();
        // What stands behind the marks in the saved document has a line of its own, and a
        // comment of its own, in the edited text.
        let is_split = marks.ends_with('-') && content.len() > marks.len();
        if !is_split && self.saved.lines.beside(last) != is {
            edits.push((self.saved.lines.range_beside(last), is.to_owned()));
        }
        edits
    }

    /// Returns the changes that begin the block below a `-` beside it, where the edited line
    /// does so and the expansion does not, and the line that has the content then. Such a
    /// block stands below only because of a comment beside the `-`.
    fn joined(&self, saved: usize, line: &MatchedLine) -> (Vec<Replacement>, usize) {
        let was = self.expanded.lines.content(line.expanded).trim_start();
        let mut rest = self.edited.lines.content(line.edited).trim_start();
        // The expansion may write on one line what the saved document has on several.
        if was == rest {
            return (Vec::new(), saved);
        }
        let lines = &self.saved.lines;
        let (mut edits, mut last) = (Vec::new(), saved);
        loop {
            let marks = lines.content(last);
            let next = lines.indentation(last + 1);
            let is_block = !lines.content(last + 1).trim().is_empty();
            match rest
                .strip_prefix(marks.trim_start())
                .and_then(|it| it.strip_prefix(' '))
            {
                Some(inner)
                    if marks.ends_with('-') && next == marks.len() + 1 && is_block =>
                {
                    let block = lines.start(last + 1) + next;
                    edits.push((lines.range_beside(last).start..block, " ".to_owned()));
                    (rest, last) = (inner, last + 1);
                }
                _ => return (edits, last),
            }
        }
    }

    /// Returns the new lines above a line of the saved document, if they change.
    fn above(
        &self,
        saved: usize,
        line: &MatchedLine,
        carried: Vec<Orphan>,
    ) -> Option<Replacement> {
        let (before, given) = (
            self.expanded.lines.above(line.expanded),
            self.edited.lines.above(line.edited),
        );
        if before.is_empty() && given.is_empty() && carried.is_empty() {
            return None;
        }
        let texts = |text: &LinedText<'_>, lines: Range<usize>| -> Vec<String> {
            lines.map(|line| text.lines.line(line).trim_end().to_owned()).collect()
        };
        let was = texts(self.expanded, before);
        let is: Vec<String> = carried
            .iter()
            .map(|it| it.text.trim_end().to_owned())
            .chain(texts(self.edited, given.clone()))
            .collect();
        let known: HashSet<&String> = was.iter().collect();
        let adds = |line: &String| is_comment(line) && !known.contains(line);
        let count = |lines: &[String]| lines.iter().filter(|it| is_comment(it)).count();
        // A comment in the place of another one is a changed comment.
        let keeps_missing = self.keeps_missing && count(&is) < count(&was);
        if was == is || keeps_missing && !is.iter().any(adds) {
            return None;
        }
        let here = self.saved.lines.above(saved);
        let from = self.edited.lines.indentation(line.edited);
        let to = self.saved.lines.indentation(saved);
        let given = given.map(|line| self.edited.lines.line(line));
        let given = carried.iter().map(|it| &*it.text).chain(given);
        let given = given.map(|line| moved(line, from, to));
        let own: Vec<&str> =
            here.clone().map(|line| self.saved.lines.line(line)).collect();
        let new = merge(&own, &was, given.collect(), keeps_missing);
        let newline = self.saved.lines.newline();
        let mut lines: String =
            new.into_iter().flat_map(|line| [line, newline.to_owned()]).collect();
        let range = self.saved.lines.start(here.start)..self.saved.lines.start(here.end);
        let text = self.saved.arena.text();
        // The last line of a text may have no line break.
        if !lines.is_empty() && here.start > 0 && !text[..range.start].ends_with('\n') {
            lines.insert_str(0, newline);
        }
        (text[range.clone()] != lines).then_some((range, lines))
    }

    /// Counts the comments that the edited text has neither at their entries nor elsewhere.
    /// A comment in the place of another one is a changed comment.
    fn count_missing(&self, lines: &[MatchedLine]) -> usize {
        let own = || lines.iter().filter(|line| line.saved.is_some());
        let mut found: HashMap<&str, usize> = HashMap::new();
        for line in own() {
            for comment in comments(self.edited, line.edited) {
                *found.entry(comment).or_default() += 1;
            }
        }
        let mut missing = 0;
        for line in own() {
            let was = comments(self.expanded, line.expanded).count();
            let mut removed = was;
            for comment in comments(self.expanded, line.expanded) {
                if let Some(left @ 1..) = found.get_mut(comment) {
                    (*left, removed) = (*left - 1, removed - 1);
                }
            }
            if removed > 0 {
                let is = comments(self.edited, line.edited).count();
                missing += removed.min(was.saturating_sub(is));
            }
        }
        missing
    }
}

/// Returns the comments above and beside a line.
fn comments<'a>(text: &LinedText<'a>, line: usize) -> impl Iterator<Item = &'a str> {
    let above = text.lines.above(line).map(|line| text.lines.line(line));
    let all = above.chain([text.lines.beside(line)]).map(str::trim);
    all.filter(|comment| !comment.is_empty())
}

/// Returns a line whose entry moves from one column to another.
fn moved(line: &str, from: usize, to: usize) -> String {
    let text = line.trim_start_matches(' ');
    let blanks = line.len() - text.len();
    if text.is_empty() || from == to {
        return line.to_owned();
    }
    format!("{}{text}", " ".repeat((blanks + to).saturating_sub(from)))
}

/// Puts the edit `was` → `is` of some lines into `own`, which may have lines that `was`
/// lacks.
fn merge(
    own: &[&str],
    was: &[String],
    is: Vec<String>,
    keeps_missing: bool,
) -> Vec<String> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    was.iter().for_each(|line| *left.entry(line.trim()).or_default() += 1);
    let given: HashSet<&str> = is.iter().map(|line| line.trim()).collect();
    let stays = |line: &&&str| -> bool {
        let text = line.trim();
        match left.get_mut(text).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                keeps_missing && !text.is_empty() && !given.contains(text)
            }
            None => true,
        }
    };
    let mut lines: Vec<String> =
        own.iter().filter(stays).map(|&line| line.to_owned()).collect();
    drop(given);
    lines.extend(is);
    lines
}
