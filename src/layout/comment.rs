//! The comments and blank lines around a written entry, and which entry they belong to.

use std::ops::Range;

use super::line::{
    bare_lines, begins_with_comment, is_comment, is_comment_or_blank, is_marker,
};
use super::written::{Layout, WrittenEntry, is_flow};
use crate::arena::{Index, NONE, Section, Style};

/// The places of the comments and blank lines of a written entry. A range without lines is empty,
/// and tells where they would be.
pub(crate) struct EntryParts {
    /// The lines between what stands before the entry and its leading comments.
    pub(crate) gap: Range<usize>,
    /// The comment lines directly above the entry, at its indentation.
    pub(crate) leading: Range<usize>,
    /// The text behind the entry on its line, which is a comment or blank; `None` if anything
    /// else stands there.
    pub(crate) trailing: Option<Range<usize>>,
    /// The deeper comment lines below it, behind what its last child owns.
    pub(crate) dangling: Range<usize>,
}

impl<'a> Layout<'a> {
    /// Returns where the comments and blank lines of an entry of `of` are.
    pub(crate) fn parts(self, of: Index, entry: &WrittenEntry) -> EntryParts {
        // A comment on the line of a `-` is a part of the value.
        let own = !self.is_compact(entry);
        EntryParts {
            gap: self.gap(of, entry),
            leading: self.leading(entry),
            trailing: self.beside(of, entry).filter(|_| own),
            dangling: self.dangling(of, entry),
        }
    }

    /// Returns the comment lines directly above an entry that it owns.
    pub(crate) fn leading(self, entry: &WrittenEntry) -> Range<usize> {
        let lead = self.lead(entry);
        let is_above = self.begins_line(entry.start);
        lead..if is_above { self.line(entry.start).max(lead) } else { lead }
    }

    /// Returns the comments and blank lines above an entry of `of` that it does not own, nor
    /// an entry above.
    pub(crate) fn gap(self, of: Index, entry: &WrittenEntry) -> Range<usize> {
        let lead = self.lead(entry);
        if !self.begins_line(entry.start) {
            return lead..lead;
        }
        let before = self.end_before(entry);
        let floor = if before > 0 { self.after_line(before) } else { 0 };
        let mut start = lead;
        for above in self.lines_above(lead, floor) {
            let bom = self.bom_len(above.start);
            let line = self.slice(above.start + bom, above.end);
            if !is_comment_or_blank(line) {
                break;
            }
            start = above.start + bom;
            if bom > 0 {
                break;
            }
        }
        if entry.first > of + 1 && !is_flow(self.style(of)) {
            start = start.max(self.entry_stop(before, self.column(of)));
        }
        start.min(lead)..lead
    }

    /// Returns the deeper comment lines below an entry of block collection `of`.
    fn dangling(self, of: Index, entry: &WrittenEntry) -> Range<usize> {
        if is_flow(self.style(of)) {
            return entry.end..entry.end;
        }
        self.below(entry.value, entry.end, self.column(of))
    }

    /// Returns the comments and blank lines behind the last entry of a document.
    pub(crate) fn document_dangling(self, section: &Section) -> Range<usize> {
        let end = if section.suffix == NONE { section.end } else { section.suffix };
        let root = section.root;
        let start = self.below(root, self.end(root), usize::MAX).start;
        start.min(end as usize)..end as usize
    }

    /// Returns the comments and blank lines behind the last entry of a block collection that
    /// belong to it.
    pub(crate) fn tail(self, of: Index) -> Range<usize> {
        let Some(indicator) = self.arena.indicator(of).map(|at| at as usize) else {
            let sections = self.arena.sections();
            let at = sections.partition_point(|section| section.root <= of);
            return match at.checked_sub(1) {
                Some(at) => self.document_dangling(&sections[at]),
                None => self.end(of)..self.end(of),
            };
        };
        let column = if self.slice(indicator, indicator + 1) == ":" {
            self.entry_column(indicator)
        } else {
            indicator - self.line(indicator)
        };
        self.below(of, self.end(of), column)
    }

    /// Returns the lines from the gap of the first entry of a block collection to the entry, and
    /// from its end to the end of its tail.
    pub(crate) fn around(self, of: Index) -> Option<[&'a str; 2]> {
        let first = self.entries(of).next()?;
        let above = self.gap(of, &first).start..first.start;
        let below = self.end(of)..self.tail(of).end;
        Some([above, below].map(|range| self.slice(range.start, range.end)))
    }

    /// Returns the lines below a value that are deeper than `column` and not its own.
    fn below(self, value: Index, end: usize, column: usize) -> Range<usize> {
        let is_block = self.style(value).is_block_collection();
        let start = if is_block {
            self.entry_stop(end, self.column(value))
        } else {
            self.after_line(end)
        };
        start..self.entry_stop(end, column).max(start)
    }

    /// Returns the offset at which an entry with the comments above it begins.
    pub(crate) fn lead(self, entry: &WrittenEntry) -> usize {
        if !self.begins_line(entry.start) {
            return entry.start;
        }
        let own_line = self.line(entry.start);
        // Deeper comments belong to the entry above.
        let above = self.lines_above(own_line, self.end_before(entry));
        let above = above.map_while(|line| self.comment_at(line, entry.start - own_line));
        let line = above.last().map_or(own_line, |(start, _)| start);
        // The comment at the top of a file describes the file, not its first entry.
        let line = if self.opens(line) { own_line } else { line };
        line + self.bom_len(line)
    }

    /// Returns the lines above an offset where one begins, from the nearest one on, that begin
    /// at `floor` or behind it.
    fn lines_above(
        self,
        line: usize,
        floor: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let mut end = line;
        std::iter::from_fn(move || {
            let start = (end > floor).then(|| self.line(end - 1))?;
            let line = start..std::mem::replace(&mut end, start);
            (start >= floor).then_some(line)
        })
    }

    /// Returns the offset of a line and its text, if it is a comment at that indentation.
    fn comment_at(self, line: Range<usize>, column: usize) -> Option<(usize, &'a str)> {
        let bom = self.bom_len(line.start);
        let text = self.slice(line.start + bom, line.end);
        let comment = text.trim_start_matches(' ');
        let is_own = comment.starts_with('#') && text.len() - comment.len() == column;
        is_own.then_some((line.start, comment))
    }

    /// Returns true if a document opens with the line at `line`.
    fn opens(self, line: usize) -> bool {
        let above = self.slice(self.line(line.saturating_sub(1)), line);
        line == 0 || is_marker(above.trim_start_matches('\u{feff}'), "---")
    }

    /// Returns the offset after the last node that ends before an entry begins.
    fn end_before(self, entry: &WrittenEntry) -> usize {
        // Collections around the entry come before it and end behind its start.
        let mut before = (0..entry.first).rev().map(|j| self.end(j));
        before.find(|&end| end <= entry.start).unwrap_or(0)
    }

    /// Returns the comment lines of the head of the file directly above an entry.
    pub(crate) fn head_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let lead = self.lead(entry);
        let column = self.indent(entry.start);
        let floor = if lead > self.bom_len(0) { 0 } else { lead };
        let above = self.lines_above(lead, floor);
        let above = above.map_while(|line| self.comment_at(line, column));
        let mut lines: Vec<&str> = above.map(|(_, comment)| comment.trim_end()).collect();
        lines.reverse();
        lines
    }

    pub(crate) fn lead_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let lines = self.slice(self.lead(entry), self.line(entry.start));
        bare_lines(lines).map(str::trim).collect()
    }

    /// Returns the comment lines directly behind the deeper lines of block collection `of`,
    /// whoever owns them.
    pub(crate) fn comments_behind(self, of: Index) -> Vec<&'a str> {
        let at = self.entry_stop(self.end(of), self.column(of));
        let lines = bare_lines(self.slice(at, self.text().len())).map(str::trim);
        lines.take_while(|line| is_comment(line)).collect()
    }

    /// Returns the offset of the first comment line between the key of block collection `i`
    /// and its first entry, if it is at their indentation.
    pub(crate) fn first_comment(self, i: Index) -> Option<usize> {
        let first = self.entries(i).next()?;
        let after = self.after_indicator(i)?;
        // Comments before properties on a line of their own are not copied, as those are not.
        let after = self.after_props(i).map_or(after, |end| end.max(after));
        let lines = self.next_line(after)..self.line(first.start);
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
        let comments = starts.filter(move |&at| {
            let rest = self.slice(at, self.text().len());
            begins_with_comment(rest.trim_start_matches(' '))
        });
        comments.map(move |at| (at, self.indent(at)))
    }

    /// Returns the offset of the comma between two entries of a flow collection.
    pub(crate) fn comma(self, between: Range<usize>) -> Option<usize> {
        let mut at = between.start;
        while at < between.end {
            match self.text().as_bytes()[at] {
                b'#' => at = self.line_end(at),
                b',' => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
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
        let end = self.end(i);
        let column = self.column(i);
        let next = self.arena.next(i);
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

    /// Returns true if only blank lines would be left between two entries of block collection
    /// `of` without those between them.
    pub(crate) fn only_blanks(
        self,
        of: Index,
        first: &WrittenEntry,
        next: &WrittenEntry,
    ) -> bool {
        let column = self.column(of);
        let mut from = self.entry_stop(first.end, column);
        let mut at = self.arena.next(first.value);
        while at < next.first {
            let entry = self.entry(of, at);
            if !self.is_blank(from, self.lead(&entry)) {
                return false;
            }
            from = self.entry_stop(entry.end, column);
            at = self.arena.next(entry.value);
        }
        self.is_blank(from, next.start)
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
        let above = self.lines_above(lead, self.end_before(entry));
        let blank = above.take_while(|line| self.is_blank(line.start, line.end));
        blank.last().map_or(lead, |line| line.start)
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
        if self.is_block_scalar(old) {
            return self.rest(self.after_header(old));
        }
        let start = self.first_start(old);
        let below = from.filter(|&after| self.line(after) != self.line(start));
        match below {
            Some(after) if self.style(old) != Style::Empty => {
                let above = self.rest(self.after_props_beside(old, after));
                let own = !self.is_block(old) && self.is_blank(above.start, above.end);
                if own { self.rest(self.end(old)) } else { above }
            }
            _ if self.is_block(old) => start..start,
            _ => self.rest(self.end(old)),
        }
    }

    /// Returns the rest of the line at `at` if it is a comment or blank, else an empty range.
    fn rest(self, at: usize) -> Range<usize> {
        let text = self.slice(at, self.line_end(at));
        at..if is_comment_or_blank(text) { at + text.len() } else { at }
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
            let mut of = of;
            let mut entry = *entry;
            while let Some(first) = self.compact_entry(&entry) {
                (of, entry) = (entry.value, first);
            }
            let from = self.after_indicator(entry.value);
            let from =
                from.filter(|_| entry.value != entry.first || !self.is_mapping(of));
            self.line_tail(entry.value, from).start
        };
        // The line can be long, and hold many entries.
        let rest = self.slice(from, self.text().len());
        let rest = rest.trim_start_matches(is_blank_within);
        let free = rest.is_empty() || rest.starts_with(['#', '\n', '\r']);
        free.then(|| from..self.line_end(from))
    }
}

/// Returns true for a blank that ends no line.
fn is_blank_within(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{EntryComments, NodeId, Seat, Tree};
    use crate::scalar::Dialect;
    use crate::source::Source;
    use crate::yaml;

    const TEXT: &str = "\
# head

# of a
a: 1 # beside
  # below a

# loose

# of b
b:
  # header

  # of c
  c: 1
    # below c
  # tail of b
d:
- x

# loose item
# of y
- y
- - z
  # tail
e: [
  # of f
  f,

  g ]
# end

# last
";

    fn read(text: &str) -> Tree {
        let source = Source::unnamed(text.to_owned());
        yaml::reread(source, Dialect::Core).expect("it can be read")
    }

    /// Returns the collections of a text with their entries.
    fn entries(layout: Layout<'_>) -> Vec<(Index, WrittenEntry)> {
        let collections = layout.arena.indices();
        let is_collection =
            |i: &Index| layout.style(*i).is_mapping() || layout.style(*i).is_sequence();
        let entries = |of| layout.entries(of).map(move |entry| (of, entry));
        collections.filter(is_collection).flat_map(entries).collect()
    }

    #[test]
    fn every_comment_and_blank_line_has_one_place() {
        let tree = read(TEXT);
        let layout = Layout { arena: tree.base() };
        let mut covered = vec![0; TEXT.len()];
        let mut cover = |range: Range<usize>| {
            covered[range].iter_mut().for_each(|count| *count += 1);
        };
        for (of, entry) in entries(layout) {
            let parts = layout.parts(of, &entry);
            [parts.gap, parts.leading, parts.dangling].into_iter().for_each(&mut cover);
        }
        cover(layout.document_dangling(&tree.base().sections()[0]));
        let mut at = 0;
        for line in TEXT.split_inclusive('\n') {
            let expected = i32::from(is_comment_or_blank(line));
            assert_eq!(
                covered[at..at + line.len()],
                vec![expected; line.len()],
                "{line}"
            );
            at += line.len();
        }
    }

    /// Gives each entry comments and blank lines, and prints the text.
    fn printed(given: impl Fn(&EntryParts) -> EntryComments) -> String {
        let tree = read(TEXT);
        let layout = Layout { arena: tree.base() };
        let mut edited = tree.clone();
        let mut todo = vec![Seat::Root(0)];
        while let Some(seat) = todo.pop() {
            let node = edited.node_at(seat);
            let NodeId::Clean(_, of) = node else { continue };
            if layout.arena.next(of) == of + 1 {
                continue;
            }
            let Some(id) = edited.open(seat, true) else { continue };
            let ids: Vec<_> = edited.children(id).ids().collect();
            for at in ids {
                let was = edited.children(id).get(at).was;
                let parts =
                    layout.parts(of, &layout.entry(of, was.expect("it is written")));
                edited.give_comments(Seat::Slot(id, at), given(&parts));
                todo.push(Seat::Slot(id, at));
            }
        }
        edited.to_string()
    }

    #[test]
    fn the_same_comments_print_the_same_text() {
        let text = |range: &Range<usize>| Some(TEXT[range.clone()].into());
        let printed = printed(|parts| EntryComments {
            gap: text(&parts.gap),
            dangling: text(&parts.dangling),
            ..EntryComments::default()
        });
        assert_eq!(printed, TEXT);
    }

    #[test]
    fn lines_of_an_edit_take_the_place_of_all_written_ones() {
        let none = Some("".into());
        let printed = printed(|_| EntryComments {
            gap: none.clone(),
            leading: none.clone(),
            dangling: none.clone(),
            trailing: none.clone(),
        });
        let expected = "a: 1\nb:\n  c: 1\nd:\n- x\n- y\n- - z\ne: [\n  f,\n  g ]\n# end\n\n\
                        # last\n";
        assert_eq!(printed, expected);
    }
}
