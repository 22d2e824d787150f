//! The text of new and changed entries, taken from an edited text as it stands there.

use std::collections::HashMap;
use std::ops::Range;

use super::comments::moved;
use super::line_diff::kept_lines;
use super::lines::texts;
use super::matching::{LinedText, MatchedEntry, extent};
use crate::arena::{Arena, Index, Style};

/// The texts between which entries are taken.
pub(super) struct NewText<'a> {
    /// The text of the source as it was given.
    pub source: &'a str,
    pub saved: &'a LinedText<'a>,
    /// The text of the expansion of the source.
    pub expanded: &'a str,
    pub edited: &'a LinedText<'a>,
}

impl NewText<'_> {
    /// Returns the saved document with the entries that a save wrote as the edited text has
    /// them; `None` if they are the same.
    pub(super) fn apply(&self, entries: &[MatchedEntry]) -> Option<String> {
        let text = self.saved.arena.text();
        let written = surely_kept(self.source, text);
        let given = kept(self.expanded, self.edited.arena.text());
        let mut new: Vec<(Range<usize>, Range<usize>)> = entries
            .iter()
            .filter_map(|entry| {
                let saved = entry.saved?;
                let here = lines(self.saved, saved)?;
                let there = lines(self.edited, entry.edited)?;
                // What stands in the source keeps its text; what the edited text has from
                // the expansion is not in the words of a person.
                let is_new = here.clone().all(|line| !written[line])
                    && there.clone().any(|line| !given[line])
                    && is_same(self.saved.arena, saved, self.edited.arena, entry.edited);
                // A flow collection is printed in its own words; unchanged entries on its
                // lines keep theirs.
                let flow = is_flow(self.saved.arena, saved.1);
                let words = || self.saved.is_equal_but_blanks(&here, self.edited, &there);
                (is_new && (!flow || words())).then_some((here, there))
            })
            .collect();
        new.sort_unstable_by_key(|(here, _)| (here.start, usize::MAX - here.end));
        let (mut out, mut at) = (String::new(), 0);
        for (here, there) in new {
            if self.saved.lines.start(here.start) < at {
                continue;
            }
            out.push_str(&text[at..self.saved.lines.start(here.start)]);
            let from = self.edited.lines.indentation(there.start);
            let to = self.saved.lines.indentation(here.start);
            // Whether a comment goes is decided later, with all others.
            let same_lines = here.len() == there.len();
            let mut beside = here.clone().filter(|_| same_lines);
            for line in there {
                let own = self.edited.lines.beside(line);
                let comment = beside.next().map(|line| self.saved.lines.beside(line));
                let text = self.edited.lines.line(line);
                let text = moved(&text[..text.len() - own.len()], from, to);
                let stays = own.trim().is_empty();
                let comment = comment.filter(|_| stays).unwrap_or(own);
                out.push_str(&text);
                out.push_str(comment);
                out.push_str(self.saved.lines.newline());
            }
            at = self.saved.lines.start(here.end);
        }
        out.push_str(&text[at..]);
        (out != text).then_some(out)
    }
}

/// Returns for each line of a new text whether the old one surely has it: of a line that
/// the new text has more often, nothing tells which one is the old one.
fn surely_kept(old: &str, new: &str) -> Vec<bool> {
    let (old_lines, new_lines) = (texts(old), texts(new));
    let mut more: HashMap<&str, isize> = HashMap::new();
    new_lines.iter().for_each(|&line| *more.entry(line).or_default() += 1);
    old_lines.iter().for_each(|&line| *more.entry(line).or_default() -= 1);
    let kept = kept_lines(&old_lines, &new_lines).into_iter();
    kept.zip(&new_lines).map(|(kept, line)| kept && more[line] <= 0).collect()
}

/// Returns for each line of a new text whether the old one has it.
fn kept(old: &str, new: &str) -> Vec<bool> {
    kept_lines(&texts(old), &texts(new))
}

/// Returns the lines of an entry; `None` if something else stands on them.
fn lines(text: &LinedText<'_>, entry: (Index, Index)) -> Option<Range<usize>> {
    let extent = extent(text.arena, entry);
    let first = text.lines.begun_by(extent.start)?;
    let last = text.lines.at(extent.end.saturating_sub(1).max(extent.start));
    let is_alone = text.lines.range_beside(last).start <= extent.end;
    is_alone.then_some(first..last + 1)
}

fn is_flow(arena: &Arena, i: Index) -> bool {
    matches!(arena.style(i), Style::FlowMapping | Style::FlowSequence)
}

/// Returns true if two written entries have the same values, in the same order.
fn is_same(a: &Arena, i: (Index, Index), b: &Arena, j: (Index, Index)) -> bool {
    let kind =
        |style: Style| (style.is_mapping(), style.is_sequence(), style == Style::Alias);
    let nodes = |arena: &Arena, (name, value): (Index, Index)| name..arena.next(value);
    let (i, j) = (nodes(a, i), nodes(b, j));
    i.len() == j.len()
        && i.zip(j).all(|(i, j)| {
            let (x, y) = (kind(a.style(i)), kind(b.style(j)));
            let bare = x == (false, false, false);
            x == y && (!bare || a.scalar(i).identity() == b.scalar(j).identity())
        })
}
