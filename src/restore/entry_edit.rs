//! The text of new and changed entries, taken from an edited text as it stands there.

use std::ops::Range;

use hashbrown::HashMap;

use super::comment_edit::moved;
use super::line_diff::kept_lines;
use super::matches::MatchedEntry;
use crate::arena::{Arena, Index, Style};
use crate::layout::{LinedText, bare_lines};
use crate::source::replace_ranges;

/// The texts between which entries are taken.
pub(super) struct EntryEdit<'a> {
    /// The text of the source as it was given.
    pub source: &'a str,
    pub saved: &'a LinedText<'a>,
    /// The text of the expansion of the source.
    pub expanded: &'a str,
    pub edited: &'a LinedText<'a>,
}

impl EntryEdit<'_> {
    /// Returns the saved document with the entries that a save wrote as the edited text has
    /// them; `None` if they are the same.
    pub(super) fn apply(&self, entries: &[MatchedEntry]) -> Option<String> {
        let text = self.saved.arena.text();
        let mut new = self.new_entries(entries);
        new.sort_unstable_by_key(|(here, _)| (here.start, usize::MAX - here.end));
        let edits = new.into_iter().map(|(here, there)| {
            let start = |line: usize| self.saved.lines.start(line);
            (start(here.start)..start(here.end), self.edited_lines(here, there))
        });
        let out = replace_ranges(text, edits);
        (out != text).then_some(out)
    }

    /// Returns the lines of the entries that a save wrote, in the saved document and in the
    /// edited text.
    fn new_entries(&self, entries: &[MatchedEntry]) -> Vec<(Range<usize>, Range<usize>)> {
        let written = surely_kept(self.source, self.saved.arena.text());
        let unedited = kept(self.expanded, self.edited.arena.text());
        let new = entries.iter().filter_map(|entry| {
            let saved = entry.saved?;
            let here = lines(self.saved, saved)?;
            let there = lines(self.edited, entry.edited)?;
            // An entry of the source keeps its text; lines that the edited text has from
            // the expansion were spelled by the printer.
            let is_new = here.clone().all(|line| !written[line])
                && there.clone().any(|line| !unedited[line])
                && is_same(self.saved.arena, saved, self.edited.arena, entry.edited);
            // A flow collection is printed anew; unchanged entries on its lines keep their
            // spelling.
            let flow = self.saved.arena.style(saved.1).is_flow();
            let blanks = || self.saved.is_equal_but_blanks(&here, self.edited, &there);
            (is_new && (!flow || blanks())).then_some((here, there))
        });
        new.collect()
    }

    /// Returns the edited lines `there` with the indentation of the lines `here`.
    fn edited_lines(&self, here: Range<usize>, there: Range<usize>) -> String {
        let from = self.edited.lines.indentation(there.start);
        let to = self.saved.lines.indentation(here.start);
        let own = lines_with_content(self.saved, here);
        let given = lines_with_content(self.edited, there.clone());
        let partner: HashMap<usize, usize> = if own.len() == given.len() {
            given.into_iter().zip(own).collect()
        } else {
            HashMap::new()
        };
        let mut out = String::new();
        for line in there {
            let mut beside = self.edited.lines.beside(line);
            let text = self.edited.lines.line(line);
            out.push_str(&moved(&text[..text.len() - beside.len()], from, to));
            // The removal of comments is decided later, with all others.
            if let Some(&own) = partner.get(&line)
                && beside.trim().is_empty()
            {
                beside = self.saved.lines.beside(own);
            }
            out.push_str(beside);
            out.push_str(self.saved.lines.newline());
        }
        out
    }
}

/// Returns for each line of a new text true if the old one surely has it: of a line that
/// the new text has more often, nothing tells which one is the old one.
fn surely_kept(old: &str, new: &str) -> Vec<bool> {
    let (old_lines, new_lines) =
        (bare_lines(old).collect::<Vec<_>>(), bare_lines(new).collect::<Vec<_>>());
    let mut more: HashMap<&str, isize> = HashMap::new();
    new_lines.iter().for_each(|&line| *more.entry(line).or_default() += 1);
    old_lines.iter().for_each(|&line| *more.entry(line).or_default() -= 1);
    let kept = kept_lines(&old_lines, &new_lines).into_iter();
    kept.zip(&new_lines).map(|(kept, line)| kept && more[line] <= 0).collect()
}

/// Returns for each line of a new text true if the old one has it.
fn kept(old: &str, new: &str) -> Vec<bool> {
    kept_lines(&bare_lines(old).collect::<Vec<_>>(), &bare_lines(new).collect::<Vec<_>>())
}

/// Returns the lines of an entry; `None` if something else stands on them.
fn lines(text: &LinedText<'_>, entry: (Index, Index)) -> Option<Range<usize>> {
    let extent = text.extent(entry);
    let first = text.lines.begun_by(extent.start)?;
    let last = text.lines.at(extent.end.saturating_sub(1).max(extent.start));
    let is_alone = text.lines.range_beside(last).start <= extent.end;
    is_alone.then_some(first..last + 1)
}

/// Returns those of some lines that hold more than a comment.
fn lines_with_content(text: &LinedText<'_>, lines: Range<usize>) -> Vec<usize> {
    lines.filter(|&line| !text.lines.content(line).trim().is_empty()).collect()
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
