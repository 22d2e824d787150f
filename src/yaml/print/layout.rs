//! The layout of a written text around a node: lines, comments, entries, indentation.

use std::ops::Range;

use crate::arena::{Arena, Index, Style, flag};
use crate::scalar::Quote;

#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) arena: &'a Arena,
}

/// An item, or a key with its value, as it was written.
#[derive(Clone, Copy)]
pub(super) struct WrittenEntry {
    /// The item or the key.
    pub(super) first: Index,
    /// The item or the value.
    pub(super) value: Index,
    /// Offset of its first byte, which is the indicator if there is one.
    pub(super) start: usize,
    /// Offset after its last byte.
    pub(super) end: usize,
}

impl<'a> Layout<'a> {
    pub(super) fn text(self) -> &'a str {
        self.arena.text()
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a str {
        self.text().get(from..to).unwrap_or_default()
    }

    fn bytes(self) -> &'a [u8] {
        self.arena.text().as_bytes()
    }

    pub(super) fn style(self, i: Index) -> Style {
        self.arena.style(i)
    }

    pub(super) fn column(self, i: Index) -> usize {
        self.arena.column(i) as usize
    }

    /// Returns the offset of the node's first byte, properties included.
    pub(super) fn start(self, i: Index) -> usize {
        let start = self.arena.outer_start(i) as usize;
        let key = (self.style(i) == Style::FlowPair).then_some(i + 1);
        let question = key.and_then(|key| self.after_indicator(key));
        question.map_or(start, |after| start.min(after - 1))
    }

    /// Returns the offset after the node's last byte.
    pub(super) fn end(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].end as usize
    }

    /// Returns the offset of the content's first byte.
    pub(super) fn content(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].start as usize
    }

    /// Returns the offset after the `-`, `?` or `:` of a node.
    pub(super) fn after_indicator(self, i: Index) -> Option<usize> {
        self.arena.indicator(i).map(|indicator| indicator as usize + 1)
    }

    pub(super) fn is_mapping(self, i: Index) -> bool {
        matches!(
            self.style(i),
            Style::BlockMapping | Style::FlowMapping | Style::FlowPair
        )
    }

    /// Returns the entry of collection `of` that begins with item or key `first`.
    pub(super) fn entry(self, of: Index, first: Index) -> WrittenEntry {
        let value = if self.is_mapping(of) { self.arena.next(first) } else { first };
        self.entry_of(first, value)
    }

    /// Returns the entry of an item (`first` is `value`), or of a key and its value.
    pub(super) fn entry_of(self, first: Index, value: Index) -> WrittenEntry {
        let indicator = self.after_indicator(first);
        let start = indicator.map_or(self.start(first), |after| after - 1);
        let end = self.end(first).max(self.end(value));
        let end = end.max(self.after_indicator(value).unwrap_or(0));
        WrittenEntry { first, value, start, end }
    }

    /// Returns true if the `:` at the beginning of an entry would end the key of another one:
    /// that is a `?` without a `:`.
    pub(super) fn may_take_colon(
        self,
        before: &WrittenEntry,
        entry: &WrittenEntry,
    ) -> bool {
        let is_open = self.after_indicator(before.first).is_some()
            && self.after_indicator(before.value).is_none();
        let has_no_key = self.arena.is_bare(entry.first)
            && self.after_indicator(entry.first).is_none();
        before.first != before.value && is_open && has_no_key
    }

    pub(super) fn entries(self, of: Index) -> impl Iterator<Item = WrittenEntry> + 'a {
        let end = self.arena.next(of);
        let mut at = of + 1;
        std::iter::from_fn(move || {
            let entry = (at < end).then(|| self.entry(of, at))?;
            at = self.arena.next(entry.value);
            Some(entry)
        })
    }

    /// Returns the offset of the first byte of the line that `at` stands on.
    pub(super) fn line(self, at: usize) -> usize {
        line_start(self.bytes(), at)
    }

    /// Returns the offset of the end of the line that `at` stands on, without its break.
    pub(super) fn line_end(self, at: usize) -> usize {
        line_end(self.bytes(), at)
    }

    /// Returns the offset of the line after the one that `at` stands on.
    pub(super) fn next_line(self, at: usize) -> usize {
        next_line(self.bytes(), at)
    }

    /// Returns true if a line break stands before `at`.
    pub(super) fn after_break(self, at: usize) -> bool {
        at > 0 && matches!(self.bytes()[at - 1], b'\n' | b'\r')
    }

    /// Returns true if a line begins at `at`, not counting a byte order mark.
    pub(super) fn opens_line(self, at: usize) -> bool {
        at == self.bom_len(0) || self.after_break(at)
    }

    /// Returns the offset of the first line behind a node that ends at `end`.
    pub(super) fn after_line(self, end: usize) -> usize {
        if self.after_break(end) { end } else { self.next_line(end) }
    }

    /// Returns the number of spaces at the beginning of the line that `at` stands on.
    pub(super) fn indent(self, at: usize) -> usize {
        let line = &self.bytes()[self.line(at)..];
        line.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Returns true if only spaces stand before `at` on its line.
    pub(super) fn begins_line(self, at: usize) -> bool {
        // The line itself can be long, and hold many entries.
        let before = self.slice(0, at).trim_end_matches(' ').trim_end_matches('\u{feff}');
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    /// Returns the column of the key or indicator that the value at `at` belongs to.
    pub(super) fn entry_column(self, at: usize) -> usize {
        let line = self.line(at);
        let before = self.slice(line, at).as_bytes();
        let mut column = before.iter().take_while(|&&byte| byte == b' ').count();
        while let [b'-' | b'?' | b':', b' ', ..] = &before[column..] {
            let blanks = &before[column + 1..];
            let blanks = blanks.iter().take_while(|&&byte| byte == b' ').count();
            if column + 1 + blanks >= before.len() {
                break;
            }
            column += 1 + blanks;
        }
        column
    }

    /// Returns the offset at which an entry with the comments above it begins.
    pub(super) fn lead(self, entry: &WrittenEntry) -> usize {
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

    /// Returns the length of the byte order mark that a line begins with, or 0. It may stand
    /// behind blank lines and comments, too.
    pub(super) fn bom_len(self, line: usize) -> usize {
        let mark = '\u{feff}';
        if self.text()[line..].starts_with(mark) { mark.len_utf8() } else { 0 }
    }

    /// Returns the offset after the last node that ends before an entry begins.
    fn end_before(self, entry: &WrittenEntry) -> usize {
        // Collections around the entry come before it and end behind its start.
        let before = (0..entry.first).rev().map(|j| self.end(j));
        let before = before.into_iter().find(|&end| end <= entry.start);
        before.unwrap_or(0)
    }

    /// Returns the comment lines of the head of the file directly above an entry.
    pub(super) fn head_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
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
    pub(super) fn loose_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let floor = match self.end_before(entry) {
            0 => 0,
            end => self.after_line(end),
        };
        let above = split_lines(self.slice(floor, self.line(entry.start).max(floor)));
        let above: Vec<&str> = above.map(|(line, _)| line.trim()).collect();
        // An entry has lines of its own, or those at the head of the file.
        let close = self.lead_lines(entry).len() + self.head_lines(entry).len();
        let lines = above.into_iter().rev();
        let lines = lines.take_while(|line| line.is_empty() || line.starts_with('#'));
        lines.skip(close).filter(|line| !line.is_empty()).collect()
    }

    /// Returns the offset of the first comment line between the key of block collection `i`
    /// and its first entry, if it is at their indentation.
    pub(super) fn first_comment(self, i: Index) -> Option<usize> {
        let first = self.entries(i).next()?;
        let after = self.after_props_beside(i, self.after_indicator(i)?);
        // Comments before properties on a line of their own are not copied, as those are not.
        let props =
            self.arena.props(i).map_or(0, |props| props.anchor.1.max(props.tag.1));
        let lines = self.next_line(after.max(props as usize))..self.line(first.start);
        let (at, indent) = self.comment_lines(lines).next()?;
        (indent == self.column(i)).then_some(at)
    }

    /// Returns the offset of the first line behind an entry that ends at `end`.
    pub(super) fn entry_stop(self, end: usize, column: usize) -> usize {
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
    pub(super) fn collection_stop(self, i: Index) -> usize {
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

    /// Returns true if `from..to` has only blanks and line breaks.
    pub(super) fn is_blank(self, from: usize, to: usize) -> bool {
        self.slice(from, to).trim().is_empty()
    }

    /// Returns the offset after the last property of node `i`, if it has any.
    pub(super) fn after_props(self, i: Index) -> Option<usize> {
        let props = self.arena.props(i)?;
        Some(props.anchor.1.max(props.tag.1) as usize)
    }

    /// Returns the offset after the last property of `i` on the line of `at`, else `at`.
    pub(super) fn after_props_beside(self, i: Index, at: usize) -> usize {
        let ends =
            self.arena.props(i).map_or([0; 2], |props| [props.anchor.1, props.tag.1]);
        let beside = |&end: &usize| end > at && self.line(end) == self.line(at);
        ends.map(|end| end as usize).into_iter().filter(beside).max().unwrap_or(at)
    }

    /// Returns the offset after the header of block scalar `i`, after `|2-`.
    pub(super) fn after_header(self, i: Index) -> usize {
        let start = self.content(i);
        let is_header =
            |byte: &&u8| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9');
        start + self.bytes()[start..].iter().take_while(is_header).count()
    }

    /// Returns the lines of block scalar `i`. They begin below its header, which may have a
    /// comment.
    pub(super) fn scalar_lines(self, i: Index) -> &'a str {
        self.slice(self.next_line(self.after_header(i)), self.end(i))
    }

    pub(super) fn chomping(self, i: Index) -> Chomping {
        Chomping::of(self.slice(self.content(i), self.after_header(i)))
    }

    /// Returns the offset and the number of spaces of each comment line in `lines`.
    pub(super) fn comment_lines(
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

    /// Returns true if `i` is a block scalar that keeps the blank lines after it.
    pub(super) fn keeps(self, i: Index) -> bool {
        self.is_block_scalar(i) && self.chomping(i) == Chomping::Keep
    }

    /// Returns true if the whole text is JSON.
    pub(super) fn is_json(self) -> bool {
        let (mut at, mut between) = (self.bom_len(0), String::new());
        for i in self.arena.indices() {
            let json = match self.style(i) {
                Style::FlowSequence | Style::FlowMapping => continue,
                Style::Double => !self.arena.has(i, flag::MULTILINE),
                Style::Plain => is_json_word(self.arena.raw(i)),
                _ => false,
            };
            if !json {
                return false;
            }
            between.extend(self.slice(at, self.content(i)).split_ascii_whitespace());
            between.push('0');
            at = self.end(i);
        }
        between.extend(self.slice(at, self.text().len()).split_ascii_whitespace());
        between.chars().all(|c| "0[]{},:".contains(c))
            && !between.contains(",]")
            && !between.contains(",}")
    }

    pub(super) fn newline(self) -> &'static str {
        let end = line_end(self.bytes(), 0);
        match &self.bytes()[end..] {
            [b'\r', b'\n', ..] => "\r\n",
            [b'\r', ..] => "\r",
            _ => "\n",
        }
    }

    /// Returns the lines that are removed with an entry of `of`: the entry, its comments and
    /// blank lines on one side. `last`: no entry follows. `fresh`: none is left before it.
    pub(super) fn removed_lines(
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
        line > 0 && self.slice(self.line(line - 1), line).trim_start().starts_with('#')
    }

    /// Returns true if a blank line separates an entry of `of` from its neighbour.
    pub(super) fn is_spaced(self, of: Index, entry: &WrittenEntry) -> bool {
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

    pub(super) fn lead_lines(self, entry: &WrittenEntry) -> Vec<&'a str> {
        if !self.begins_line(entry.start) {
            return Vec::new();
        }
        let lines = self.slice(self.lead(entry), self.line(entry.start));
        split_lines(lines).map(|(line, _)| line.trim()).collect()
    }

    /// Returns the comment lines below the last entry of block collection `of`.
    pub(super) fn tail_lines(self, of: Index) -> Vec<&'a str> {
        let at = self.entry_stop(self.end(of), self.column(of));
        let lines = self.slice(at, self.text().len()).lines().map(str::trim);
        lines.take_while(|line| line.starts_with('#')).collect()
    }

    pub(super) fn parent(self, i: Index) -> Option<Index> {
        (0..i).rev().find(|&of| self.arena.next(of) > i)
    }

    /// Returns the offset after an entry, with the blank behind a colon without value.
    pub(super) fn flow_end(self, entry: WrittenEntry) -> usize {
        let after = self.slice(entry.end.saturating_sub(1), entry.end + 1);
        let blank = self.is_empty_value(entry) && after == ": ";
        entry.end + usize::from(blank)
    }

    fn is_empty_value(self, entry: WrittenEntry) -> bool {
        entry.value != entry.first && self.style(entry.value) == Style::Empty
    }

    /// Returns true if a comma right behind an entry would be read as a part of its key.
    pub(super) fn ends_in_colon(self, entry: WrittenEntry) -> bool {
        let end = self.flow_end(entry);
        self.is_empty_value(entry) && self.slice(end - 1, end) == ":"
    }

    /// Returns true if the last text of a flow entry is a plain `-` or `?`.
    pub(super) fn ends_in_indicator(self, entry: WrittenEntry) -> bool {
        let text = self.slice(entry.start, self.flow_end(entry));
        let rest = text.strip_suffix(['-', '?']);
        let ends = |before: char| before.is_whitespace() || "[{,:".contains(before);
        rest.is_some_and(|rest| rest.chars().next_back().is_none_or(ends))
    }

    /// Returns the offset of a value without properties on the line of its key.
    pub(super) fn first_start(self, i: Index) -> usize {
        match self.style(i) {
            Style::BlockSequence | Style::BlockMapping => {
                self.entries(i).next().map_or(self.start(i), |first| first.start)
            }
            _ => self.start(i),
        }
    }

    pub(super) fn is_block_scalar(self, i: Index) -> bool {
        matches!(self.style(i), Style::Literal | Style::Folded)
    }

    /// Returns the block scalar that ends where the nodes before `next` end. It may be a key
    /// whose value was left out.
    pub(super) fn last_block_scalar(self, next: Index) -> Option<Index> {
        let last = next.checked_sub(1)?;
        let left_out = self.arena.is_bare(last) && self.after_indicator(last).is_none();
        let last = if left_out { last.checked_sub(1)? } else { last };
        self.is_block_scalar(last).then_some(last)
    }

    /// Returns true if `i` takes whole lines.
    pub(super) fn is_block(self, i: Index) -> bool {
        let scalar = matches!(
            self.style(i),
            Style::Empty | Style::Plain | Style::Single | Style::Double | Style::Alias
        );
        !scalar && !is_flow(self.style(i))
    }

    /// Returns the text that stays on the key's line of written value `old`: its comment.
    /// `from`: the offset after its indicator.
    pub(super) fn line_tail(self, old: Index, from: Option<usize>) -> Range<usize> {
        let rest = |at: usize| {
            let text = self.slice(at, self.line_end(at));
            let comment = text.trim_start().starts_with('#') || text.trim().is_empty();
            at..if comment { at + text.len() } else { at }
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

    /// Returns true if the value of an entry is a block collection that begins on the same
    /// line: `- a: 1`.
    pub(super) fn is_compact(self, entry: &WrittenEntry) -> bool {
        self.compact_entry(entry).is_some()
    }

    fn compact_entry(self, entry: &WrittenEntry) -> Option<WrittenEntry> {
        let block = self.style(entry.value).is_block_collection();
        let first = self.entries(entry.value).next().filter(|_| block)?;
        (self.line(first.start) == self.line(entry.start)).then_some(first)
    }

    /// Returns the text behind an entry of `of` on its line, which is a comment or blank;
    /// `None` if anything else stands there.
    pub(super) fn beside(self, of: Index, entry: &WrittenEntry) -> Option<Range<usize>> {
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

    /// Returns the indentation of the values of block mapping `of`.
    pub(super) fn hints(self, of: Index) -> IndentHints {
        let mut hints = IndentHints::default();
        if self.style(of) != Style::BlockMapping {
            return hints;
        }
        let (column, mut text) = (self.column(of), None);
        for WrittenEntry { value, .. } in self.entries(of).take(NEIGHBOURS) {
            hints.note(self, value, column);
            if self.is_block_scalar(value) {
                let deeper = self.column(value).checked_sub(column);
                text = text.or(deeper.filter(|deeper| (1..10).contains(deeper)));
            }
        }
        IndentHints { step: hints.step.or(text), ..hints }
    }

    /// Returns the most frequent indentation and quotes of the text.
    pub(super) fn majority(self) -> (IndentHints, Quote) {
        let (mut steps, mut sequences) = ([0u32; 10], [0u32; 10]);
        for of in self.arena.indices() {
            if self.style(of) != Style::BlockMapping {
                continue;
            }
            for entry in self.entries(of) {
                let mut hints = IndentHints::default();
                hints.note(self, entry.value, self.column(of));
                hints.step.into_iter().for_each(|step| steps[step] += 1);
                let sequence = hints.sequence.filter(|&deeper| deeper < 10);
                sequence.into_iter().for_each(|deeper| sequences[deeper] += 1);
            }
        }
        let count =
            |style| self.arena.nodes().iter().filter(|node| node.style == style).count();
        let double = count(Style::Double) > count(Style::Single);
        let quote = if double { Quote::Double } else { Quote::Single };
        (IndentHints { step: most(&steps), sequence: most(&sequences) }, quote)
    }
}

/// Number of columns by which values are indented, as far as neighbours show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IndentHints {
    /// For a mapping, a block scalar or a continuation line below its key.
    pub(super) step: Option<usize>,
    /// For a sequence below its key.
    pub(super) sequence: Option<usize>,
}

impl IndentHints {
    /// Returns these hints with missing ones taken from `other`.
    pub(super) fn or(self, other: impl FnOnce() -> IndentHints) -> IndentHints {
        if self.step.is_some() && self.sequence.is_some() {
            return self;
        }
        let other = other();
        IndentHints {
            step: self.step.or(other.step),
            sequence: self.sequence.or(other.sequence),
        }
    }

    pub(super) fn step(self) -> usize {
        self.step.unwrap_or(2)
    }

    pub(super) fn sequence(self) -> usize {
        self.sequence.unwrap_or(0)
    }

    fn note(&mut self, layout: Layout<'_>, value: Index, column: usize) {
        let Some(deeper) = layout.column(value).checked_sub(column) else { return };
        match layout.style(value) {
            Style::BlockSequence => self.sequence = self.sequence.or(Some(deeper)),
            // The hint serves block scalars too, whose header has one digit for it.
            Style::BlockMapping if (1..10).contains(&deeper) => {
                self.step = self.step.or(Some(deeper));
            }
            _ => {}
        }
    }
}

/// Maximum number of entries that are asked for hints.
// Every mapping with a new entry asks: it must not take time proportional to its length.
const NEIGHBOURS: usize = 30;

/// Returns the index of the greatest count, if anything was counted.
fn most(counts: &[u32]) -> Option<usize> {
    // `max_by_key` takes the last of equal counts; reversed, that is the smallest.
    let (at, &count) = counts.iter().enumerate().rev().max_by_key(|&(_, count)| count)?;
    (count > 0).then_some(at)
}

/// The treatment of line breaks at the end of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chomping {
    /// `|-`
    Strip,
    /// `|`
    Clip,
    /// `|+`
    Keep,
}

impl Chomping {
    pub(super) fn of(header: &str) -> Chomping {
        match header.find(['-', '+']).map(|at| header.as_bytes()[at]) {
            Some(b'-') => Chomping::Strip,
            Some(_) => Chomping::Keep,
            None => Chomping::Clip,
        }
    }
}

/// Returns true if plain scalar `raw` is a word or a number of JSON.
fn is_json_word(raw: &str) -> bool {
    let digits =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (base, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (whole, fraction) = base.split_once('.').unwrap_or((base, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let number = digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && digits(fraction)
        && digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    number || matches!(raw, "true" | "false" | "null")
}

/// Returns the offset of the first byte of the line that `at` stands on.
fn line_start(text: &[u8], at: usize) -> usize {
    // Between `\r` and `\n` the line has not ended.
    let crossing = at > 0 && text[..at].ends_with(b"\r") && text[at..].starts_with(b"\n");
    let before = if crossing { &text[..at - 1] } else { &text[..at] };
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
}

/// Returns the offset of the break that ends the line that `at` stands on.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end)
}

/// Returns the offset of the line after the one that `at` stands on.
fn next_line(text: &[u8], at: usize) -> usize {
    let end = line_end(text, at);
    end + break_length(&text[end..])
}

/// Returns the length of the line break at the beginning of `text`, or 0.
fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the lines of a text, each with true if it ends in a break.
pub(super) fn split_lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = line_end(rest.as_bytes(), 0);
        let next = next_line(rest.as_bytes(), 0);
        let line = (!rest.is_empty()).then(|| (&rest[..end], next > end));
        rest = &rest[next..];
        line
    })
}

/// Returns true for the style of a collection in brackets.
pub(super) fn is_flow(style: Style) -> bool {
    matches!(style, Style::FlowSequence | Style::FlowMapping | Style::FlowPair)
}
