//! A written text around a node: offsets, lines and entries.

use super::line::{line_end, line_start, next_line};
use crate::arena::{Arena, Index, Style};

/// A written text, which tells where its entries, lines and comments begin and end.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    pub(crate) arena: &'a Arena,
}

/// An item, or a key with its value, as it was written.
#[derive(Clone, Copy)]
pub(crate) struct WrittenEntry {
    /// The item or the key.
    pub(crate) first: Index,
    /// The item or the value.
    pub(crate) value: Index,
    /// Offset of its first byte, which is the indicator if there is one.
    pub(crate) start: usize,
    /// Offset after its last byte.
    pub(crate) end: usize,
}

/// The treatment of line breaks at the end of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chomping {
    /// `|-`
    Strip,
    /// `|`
    Clip,
    /// `|+`
    Keep,
}

impl Chomping {
    pub(crate) fn of(header: &str) -> Chomping {
        match header.find(['-', '+']).map(|at| header.as_bytes()[at]) {
            Some(b'-') => Chomping::Strip,
            Some(_) => Chomping::Keep,
            None => Chomping::Clip,
        }
    }
}

impl<'a> Layout<'a> {
    pub(crate) fn text(self) -> &'a str {
        self.arena.text()
    }

    pub(crate) fn slice(self, from: usize, to: usize) -> &'a str {
        self.text().get(from..to).unwrap_or_default()
    }

    fn bytes(self) -> &'a [u8] {
        self.arena.text().as_bytes()
    }

    pub(crate) fn style(self, i: Index) -> Style {
        self.arena.style(i)
    }

    pub(crate) fn column(self, i: Index) -> usize {
        self.arena.column(i) as usize
    }

    /// Returns the offset of the node's first byte, properties included.
    pub(crate) fn start(self, i: Index) -> usize {
        let start = self.arena.outer_start(i) as usize;
        let key = (self.style(i) == Style::FlowPair).then_some(i + 1);
        let question = key.and_then(|key| self.after_indicator(key));
        question.map_or(start, |after| start.min(after - 1))
    }

    /// Returns the offset after the node's last byte.
    pub(crate) fn end(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].end as usize
    }

    /// Returns the offset of the content's first byte.
    pub(crate) fn content(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].start as usize
    }

    /// Returns the offset after the `-`, `?` or `:` of a node.
    pub(crate) fn after_indicator(self, i: Index) -> Option<usize> {
        self.arena.indicator(i).map(|indicator| indicator as usize + 1)
    }

    /// Returns the number of columns by which block value `i` stands deeper than its key.
    pub(crate) fn depth(self, i: Index) -> Option<usize> {
        let colon = self.after_indicator(i)? - 1;
        let is_value = self.slice(colon, colon + 1) == ":";
        is_value.then(|| self.column(i).checked_sub(self.entry_column(colon))).flatten()
    }

    pub(crate) fn is_mapping(self, i: Index) -> bool {
        matches!(
            self.style(i),
            Style::BlockMapping | Style::FlowMapping | Style::FlowPair
        )
    }

    /// Returns the entry of collection `of` that begins with item or key `first`.
    pub(crate) fn entry(self, of: Index, first: Index) -> WrittenEntry {
        let value = if self.is_mapping(of) { self.arena.next(first) } else { first };
        self.entry_of(first, value)
    }

    /// Returns the entry of an item (`first` is `value`), or of a key and its value.
    pub(crate) fn entry_of(self, first: Index, value: Index) -> WrittenEntry {
        let indicator = self.after_indicator(first);
        let start = indicator.map_or(self.start(first), |after| after - 1);
        let end = self.end(first).max(self.end(value));
        let end = end.max(self.after_indicator(value).unwrap_or(0));
        WrittenEntry { first, value, start, end }
    }

    /// Returns true if the `:` at the beginning of an entry would end the key of another one:
    /// that is a `?` without a `:`.
    pub(crate) fn may_take_colon(
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

    pub(crate) fn entries(self, of: Index) -> impl Iterator<Item = WrittenEntry> + 'a {
        let end = self.arena.next(of);
        let mut at = of + 1;
        std::iter::from_fn(move || {
            let entry = (at < end).then(|| self.entry(of, at))?;
            at = self.arena.next(entry.value);
            Some(entry)
        })
    }

    /// Returns the offset of the first byte of the line that `at` stands on.
    pub(crate) fn line(self, at: usize) -> usize {
        line_start(self.bytes(), at)
    }

    /// Returns the offset of the end of the line that `at` stands on, without its break.
    pub(crate) fn line_end(self, at: usize) -> usize {
        line_end(self.bytes(), at)
    }

    /// Returns the offset of the line after the one that `at` stands on.
    pub(crate) fn next_line(self, at: usize) -> usize {
        next_line(self.bytes(), at)
    }

    /// Returns true if a line break stands before `at`.
    pub(crate) fn after_break(self, at: usize) -> bool {
        at > 0 && matches!(self.bytes()[at - 1], b'\n' | b'\r')
    }

    /// Returns true if a line begins at `at`, not counting a byte order mark.
    pub(crate) fn opens_line(self, at: usize) -> bool {
        at == self.bom_len(0) || self.after_break(at)
    }

    /// Returns the offset of the first line behind a node that ends at `end`.
    pub(crate) fn after_line(self, end: usize) -> usize {
        if self.after_break(end) { end } else { self.next_line(end) }
    }

    /// Returns the number of spaces at the beginning of the line that `at` stands on.
    pub(crate) fn indent(self, at: usize) -> usize {
        let line = &self.bytes()[self.line(at)..];
        line.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Returns true if only spaces stand before `at` on its line.
    pub(crate) fn begins_line(self, at: usize) -> bool {
        // The line itself can be long, and hold many entries.
        let before = self.slice(0, at).trim_end_matches(' ').trim_end_matches('\u{feff}');
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    /// Returns the column of the key or indicator that the value at `at` belongs to.
    pub(crate) fn entry_column(self, at: usize) -> usize {
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

    /// Returns the length of the byte order mark that a line begins with, or 0. It may stand
    /// behind blank lines and comments, too.
    pub(crate) fn bom_len(self, line: usize) -> usize {
        let mark = '\u{feff}';
        if self.text()[line..].starts_with(mark) { mark.len_utf8() } else { 0 }
    }

    /// Returns true if `from..to` has only blanks and line breaks.
    pub(crate) fn is_blank(self, from: usize, to: usize) -> bool {
        self.slice(from, to).trim().is_empty()
    }

    /// Returns the offset after the last property of node `i`, if it has any.
    pub(crate) fn after_props(self, i: Index) -> Option<usize> {
        let props = self.arena.props(i)?;
        Some(props.anchor.1.max(props.tag.1) as usize)
    }

    /// Returns the offset after the last property of `i` on the line of `at`, else `at`.
    pub(crate) fn after_props_beside(self, i: Index, at: usize) -> usize {
        let props = self.arena.props(i);
        let ends = props.map_or([0; 2], |props| [props.anchor.1, props.tag.1]);
        let ends = ends.into_iter().map(|end| end as usize);
        let beside = ends.filter(|&end| end > at && self.line(end) == self.line(at));
        beside.max().unwrap_or(at)
    }

    /// Returns the offset after the header of block scalar `i`, after `|2-`.
    pub(crate) fn after_header(self, i: Index) -> usize {
        let start = self.content(i);
        let header = self.bytes()[start..].iter();
        let header = header
            .take_while(|byte| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9'));
        start + header.count()
    }

    /// Returns the header of block scalar `i`.
    pub(crate) fn header(self, i: Index) -> &'a str {
        self.slice(self.content(i), self.after_header(i))
    }

    /// Returns the lines of block scalar `i`. They begin below its header, which may have a
    /// comment.
    pub(crate) fn scalar_lines(self, i: Index) -> &'a str {
        self.slice(self.next_line(self.after_header(i)), self.end(i))
    }

    pub(crate) fn chomping(self, i: Index) -> Chomping {
        Chomping::of(self.header(i))
    }

    /// Returns true if `i` is a block scalar that keeps the blank lines after it.
    pub(crate) fn keeps(self, i: Index) -> bool {
        self.is_block_scalar(i) && self.chomping(i) == Chomping::Keep
    }

    pub(crate) fn newline(self) -> &'static str {
        let end = line_end(self.bytes(), 0);
        match &self.bytes()[end..] {
            [b'\r', b'\n', ..] => "\r\n",
            [b'\r', ..] => "\r",
            _ => "\n",
        }
    }

    pub(crate) fn parent(self, i: Index) -> Option<Index> {
        (0..i).rev().find(|&of| self.arena.next(of) > i)
    }

    /// Returns the offset after an entry, with the blank behind a colon without value.
    pub(crate) fn flow_end(self, entry: WrittenEntry) -> usize {
        let after = self.slice(entry.end.saturating_sub(1), entry.end + 1);
        let blank = self.is_empty_value(entry) && after == ": ";
        entry.end + usize::from(blank)
    }

    fn is_empty_value(self, entry: WrittenEntry) -> bool {
        entry.value != entry.first && self.style(entry.value) == Style::Empty
    }

    /// Returns true if a comma right behind an entry would be read as a part of its key.
    pub(crate) fn ends_in_colon(self, entry: WrittenEntry) -> bool {
        let end = self.flow_end(entry);
        self.is_empty_value(entry) && self.slice(end - 1, end) == ":"
    }

    /// Returns true if the last text of a flow entry is a plain `-` or `?`.
    pub(crate) fn ends_in_indicator(self, entry: WrittenEntry) -> bool {
        let text = self.slice(entry.start, self.flow_end(entry));
        let rest = text.strip_suffix(['-', '?']);
        rest.is_some_and(|rest| {
            let is_end = rest.ends_with(['[', '{', ',', ':']);
            rest.is_empty() || is_end || rest.ends_with(char::is_whitespace)
        })
    }

    /// Returns the offset of a value without properties on the line of its key.
    pub(crate) fn first_start(self, i: Index) -> usize {
        match self.style(i) {
            Style::BlockSequence | Style::BlockMapping => {
                self.entries(i).next().map_or(self.start(i), |first| first.start)
            }
            _ => self.start(i),
        }
    }

    pub(crate) fn is_block_scalar(self, i: Index) -> bool {
        matches!(self.style(i), Style::Literal | Style::Folded)
    }

    /// Returns the block scalar that ends where the nodes before `next` end. It may be a key
    /// whose value was left out.
    pub(crate) fn last_block_scalar(self, next: Index) -> Option<Index> {
        let last = next.checked_sub(1)?;
        let left_out = self.arena.is_bare(last) && self.after_indicator(last).is_none();
        let last = if left_out { last.checked_sub(1)? } else { last };
        self.is_block_scalar(last).then_some(last)
    }

    /// Returns true if `i` takes whole lines.
    pub(crate) fn is_block(self, i: Index) -> bool {
        let scalar = matches!(
            self.style(i),
            Style::Empty | Style::Plain | Style::Single | Style::Double | Style::Alias
        );
        !scalar && !is_flow(self.style(i))
    }

    /// Returns true if the value of an entry is a block collection that begins on the same
    /// line: `- a: 1`.
    pub(crate) fn is_compact(self, entry: &WrittenEntry) -> bool {
        self.compact_entry(entry).is_some()
    }

    pub(super) fn compact_entry(self, entry: &WrittenEntry) -> Option<WrittenEntry> {
        let block = self.style(entry.value).is_block_collection();
        let first = self.entries(entry.value).next().filter(|_| block)?;
        (self.line(first.start) == self.line(entry.start)).then_some(first)
    }
}

/// Returns true for the style of a collection in brackets.
pub(crate) fn is_flow(style: Style) -> bool {
    matches!(style, Style::FlowSequence | Style::FlowMapping | Style::FlowPair)
}
