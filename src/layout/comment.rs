//! The comments and blank lines around a written entry, and which entry they belong to.

use std::ops::Range;

use super::line::{bare_lines, is_comment, is_comment_or_blank};
use super::written::{Layout, WrittenEntry, is_flow};
use crate::arena::{Index, Style};

impl<'a> Layout<'a> {
    /// Returns the offset at which an entry with the comments above it begins.
    pub(crate) fn lead(self, entry: &WrittenEntry) -> usize {
        if !self.begins_line(entry.start) {
            return entry.start;
        }
        let floor = self.end_before(entry);
        let mut line = self.line(entry.start);
        let column = entry.start - line;
        while line > floor {
            let above = self.line(line - 1);
            let comment = self.slice(above, line);
            let comment = &comment[self.bom_len(above)..];
            let text = comment.trim_start_matches(' ');
            // Deeper comments belong to the entry above.
            let own = text.starts_with('#') && comment.len() - text.len() == column;
            if above < floor || !own {
                break;
            }
            line = above;
        }
        // The comment at the top of a file describes the file, not its first entry.
        let line = if self.opens(line) { self.line(entry.start) } else { line };
        line + self.bom_len(line)
    }

    /// Returns true if a document opens with the line at `line`.
    fn opens(self, line: usize) -> bool {
        line == 0 || self.slice(self.line(line - 1), line).starts_with("---")
    }

    /// Returns the offset after the last node that ends before an entry begins.
    fn end_before(self, entry: &WrittenEntry) -> usize {
        // Collections around the entry come before it and end behind its start.
        let before = (0..entry.first).rev().map(|j| self.end(j));
        let before = before.into_iter().find(|&end| end <= entry.start);
        before.unwrap_or(0)
    }

    /// Returns the comment lines of the head of the file directly above an entry.
    pub(crate) fn head_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let (mut line, mut lines) = (self.lead(entry), Vec::new());
        let column = self.indent(entry.start);
        while line > self.bom_len(0) {
            let above = self.line(line - 1);
            let text = self.slice(above, line).trim_start_matches('\u{feff}').trim_end();
            let comment = text.trim_start_matches(' ');
            if !comment.starts_with('#') || text.len() - comment.len() != column {
                break;
            }
            lines.push(comment);
            line = above;
        }
        lines.reverse();
        lines
    }

    /// Returns the loose comment lines above an entry, the lowest first: blank lines or comments
    /// at another column stand between these and the entry.
    pub(crate) fn loose_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let floor = match self.end_before(entry) {
            0 => 0,
            end => self.after_line(end),
        };
        let above = bare_lines(self.slice(floor, self.line(entry.start).max(floor)));
        let above: Vec<&str> = above.map(str::trim).collect();
        // An entry has lines of its own, or those at the head of the file.
        let close = self.lead_lines(entry).len() + self.head_lines(entry).len();
        let lines = above.into_iter().rev();
        let lines = lines.take_while(|line| line.is_empty() || line.starts_with('#'));
        lines.skip(close).filter(|line| !line.is_empty()).collect()
    }

    pub(crate) fn lead_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let lines = self.slice(self.lead(entry), self.line(entry.start));
        bare_lines(lines).map(str::trim).collect()
    }

    /// Returns the comment lines below the last entry of block collection `of`.
    pub(crate) fn tail_lines(self, of: Index) -> Vec<&'a str> {
        let at = self.entry_stop(self.end(of), self.column(of));
        let lines = self.slice(at, self.text().len()).lines().map(str::trim);
        lines.take_while(|line| line.starts_with('#')).collect()
    }

    /// Returns the offset of the first comment line between the key of block collection `i`
    /// and its first entry, if it is at their indentation.
    pub(crate) fn first_comment(self, i: Index) -> Option<usize> {
        let first = self.entries(i).next()?;
        let after = self.after_props_beside(i, self.after_indicator(i)?);
        // Comments before properties on a line of their own are not copied, as those are not.
        let props =
            self.arena.props(i).map_or(0, |props| props.anchor.1.max(props.tag.1));
        let lines = self.next_line(after.max(props as usize))..self.line(first.start);
        let (at, indent) = self.comment_lines(lines).next()?;
        (indent == self.column(i)).then_some(at)
    }

    /// Returns the offset and the number of spaces of each comment line in `lines`.
    pub(crate) fn comment_lines(
        self,
        lines: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let first = (!lines.is_empty()).then_some(lines.start);
        let starts = std::iter::successors(first, move |&at| {
            Some(self.next_line(at)).filter(|&next| next > at && next < lines.end)
        });
        let comment = move |&at: &usize| {
            let line = self.slice(at, self.line_end(at));
            line.trim_start_matches(' ').starts_with('#')
        };
        starts.filter(comment).map(move |at| (at, self.indent(at)))
    }

    /// Returns the offset of the first line behind an entry that ends at `end`.
    pub(crate) fn entry_stop(self, end: usize, column: usize) -> usize {
        let mut stop = self.after_line(end);
        let mut at = stop;
        while at < self.text().len() {
            let next = self.next_line(at);
            let line = self.slice(at, next);
            let text = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - text.len()];
            // A comment that is deeper than the entry belongs to it. One behind a tab could not
            // stay behind an empty block scalar.
            if text.starts_with('#') && (indent.len() > column || indent.contains('\t')) {
                stop = next;
            } else if !text.trim_end().is_empty() {
                break;
            }
            at = next;
        }
        stop
    }

    /// Returns the offset of the first line behind block collection `i`.
    pub(crate) fn collection_stop(self, i: Index) -> usize {
        let (end, column, next) = (self.end(i), self.column(i), self.arena.next(i));
        let stop = self.entry_stop(end, column);
        // Comments in its column belong to it, except those directly above what follows.
        let Some(left) = column.checked_sub(1) else { return stop };
        let tail = self.entry_stop(end, left);
        if next as usize >= self.arena.nodes().len() {
            return tail;
        }
        let start =
            self.after_indicator(next).map_or(self.start(next), |after| after - 1);
        let lead =
            self.lead(&WrittenEntry { first: next, value: next, start, end: start });
        tail.min(lead.max(stop))
    }

    /// Returns the lines that are removed with an entry of `of`: the entry, its comments and
    /// blank lines on one side. `last`: no entry follows. `fresh`: none is left before it.
    pub(crate) fn removed_lines(
        self,
        of: Index,
        entry: &WrittenEntry,
        last: bool,
        fresh: bool,
    ) -> Range<usize> {
        let lead = self.lead(entry);
        let gap = self.gap_above(lead, entry);
        let stop = self.entry_stop(entry.end, self.column(of));
        // Blank lines go on one side only: above the last entry, else below.
        if last {
            return gap..stop;
        }
        let below = gap < lead || fresh && !self.is_below_comment(lead);
        lead..if below { self.gap_below(stop) } else { stop }
    }

    /// Returns the offset of the first blank line above an entry that begins at `lead`.
    fn gap_above(self, lead: usize, entry: &WrittenEntry) -> usize {
        let floor = self.end_before(entry);
        let mut at = lead;
        while at > floor {
            let above = self.line(at - 1);
            if above < floor || !self.is_blank(above, at) {
                break;
            }
            at = above;
        }
        at
    }

    fn gap_below(self, mut at: usize) -> usize {
        while at < self.text().len() && self.is_blank(at, self.next_line(at)) {
            at = self.next_line(at);
        }
        at
    }

    /// Returns true if the line above the one at `line` is a comment.
    fn is_below_comment(self, line: usize) -> bool {
        line > 0 && is_comment(self.slice(self.line(line - 1), line))
    }

    /// Returns true if a blank line separates an entry of `of` from its neighbour.
    pub(crate) fn is_spaced(self, of: Index, entry: &WrittenEntry) -> bool {
        // Another blank line would become part of the value.
        if self.keeps(self.arena.next(entry.value) - 1) {
            return false;
        }
        let lead = self.lead(entry);
        if entry.first > of + 1 {
            return lead > 0 && self.is_blank(self.line(lead - 1), lead);
        }
        let stop = self.entry_stop(entry.end, self.column(of));
        let more = self.arena.next(entry.value) < self.arena.next(of);
        more && stop < self.text().len() && self.is_blank(stop, self.next_line(stop))
    }

    /// Returns the text that stays on the key's line of written value `old`: its comment.
    /// `from`: the offset after its indicator.
    pub(crate) fn line_tail(self, old: Index, from: Option<usize>) -> Range<usize> {
        let rest = |at: usize| {
            let text = self.slice(at, self.line_end(at));
            at..if is_comment_or_blank(text) { at + text.len() } else { at }
        };
        if self.is_block_scalar(old) {
            return rest(self.after_header(old));
        }
        let start = self.first_start(old);
        let below = from.filter(|&after| self.line(after) != self.line(start));
        match below {
            Some(after) if self.style(old) != Style::Empty => {
                let above = rest(self.after_props_beside(old, after));
                let own = !self.is_block(old) && self.is_blank(above.start, above.end);
                if own { rest(self.end(old)) } else { above }
            }
            _ if self.is_block(old) => start..start,
            _ => rest(self.end(old)),
        }
    }

    /// Returns the text behind an entry of `of` on its line, which is a comment or blank;
    /// `None` if anything else stands there.
    pub(crate) fn beside(self, of: Index, entry: &WrittenEntry) -> Option<Range<usize>> {
        let from = if is_flow(self.style(of)) {
            let end = self.flow_end(*entry);
            let rest = self.slice(end, self.text().len());
            let comma = rest.trim_start_matches([' ', '\t']).strip_prefix(',');
            comma.map_or(end, |behind| self.text().len() - behind.len())
        } else {
            let (mut of, mut entry) = (of, *entry);
            while let Some(first) = self.compact_entry(&entry) {
                (of, entry) = (entry.value, first);
            }
            let from = self.after_indicator(entry.value);
            let from =
                from.filter(|_| entry.value != entry.first || !self.is_mapping(of));
            self.line_tail(entry.value, from).start
        };
        // The line can be long, and hold many entries.
        let is_blank = |c: char| c.is_whitespace() && !matches!(c, '\n' | '\r');
        let rest = self.slice(from, self.text().len()).trim_start_matches(is_blank);
        let free = rest.is_empty() || rest.starts_with(['#', '\n', '\r']);
        free.then(|| from..self.line_end(from))
    }
}
