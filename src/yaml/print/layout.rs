//! How a text is laid out around a node: its lines, the comments that belong to an
//! entry, where an entry begins and ends, how the neighbours are indented.

use super::line;
use crate::arena::{Arena, Index, NONE, Style};
use crate::scalar::Quote;

/// A written text and its nodes, asked about lines.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) arena: &'a Arena,
}

/// An item or an entry as it was written.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The item or the key.
    pub(super) first: Index,
    /// The item or the value.
    pub(super) value: Index,
    /// Offset of its first byte: the indicator, if there is one.
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
        self.arena.nodes()[i as usize].column as usize
    }

    /// Offset of the node's first byte, properties included.
    pub(super) fn start(self, i: Index) -> usize {
        let start = self.arena.outer_start(i) as usize;
        let key = (self.style(i) == Style::FlowPair).then_some(i + 1);
        let question = key.and_then(|key| self.after_indicator(key));
        question.map_or(start, |after| start.min(after - 1))
    }

    /// Offset after the node's last byte.
    pub(super) fn end(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].end as usize
    }

    /// Offset of the content's first byte.
    pub(super) fn content(self, i: Index) -> usize {
        self.arena.nodes()[i as usize].start as usize
    }

    /// Offset after the `-`, `?` or `:` of a node.
    pub(super) fn after_indicator(self, i: Index) -> Option<usize> {
        let indicator = self.arena.nodes()[i as usize].indicator;
        (indicator != NONE).then_some(indicator as usize + 1)
    }

    pub(super) fn is_mapping(self, i: Index) -> bool {
        matches!(
            self.style(i),
            Style::BlockMapping | Style::FlowMapping | Style::FlowPair
        )
    }

    /// The entry that begins with item or key `first` of collection `of`.
    pub(super) fn entry(self, of: Index, first: Index) -> Entry {
        let value = if self.is_mapping(of) { self.arena.next(first) } else { first };
        self.of(first, value)
    }

    /// The entry of that item, or that key and value.
    pub(super) fn of(self, first: Index, value: Index) -> Entry {
        let indicator = self.after_indicator(first);
        let start = indicator.map_or(self.start(first), |after| after - 1);
        let end = self.end(first).max(self.end(value));
        let end = end.max(self.after_indicator(value).unwrap_or(0));
        Entry { first, value, start, end }
    }

    /// The entries of collection `of`.
    pub(super) fn entries(self, of: Index) -> impl Iterator<Item = Entry> + 'a {
        let end = self.arena.next(of);
        let mut at = of + 1;
        std::iter::from_fn(move || {
            let entry = (at < end).then(|| self.entry(of, at))?;
            at = self.arena.next(entry.value);
            Some(entry)
        })
    }

    /// Offset of the first byte of the line that `at` stands on.
    pub(super) fn line(self, at: usize) -> usize {
        line::start(self.bytes(), at)
    }

    /// Offset after the last byte of the line that `at` stands on, without its break.
    pub(super) fn line_end(self, at: usize) -> usize {
        line::end(self.bytes(), at)
    }

    /// Offset of the line after the one that `at` stands on.
    pub(super) fn next_line(self, at: usize) -> usize {
        line::next(self.bytes(), at)
    }

    /// Whether a line break stands before `at`.
    pub(super) fn after_break(self, at: usize) -> bool {
        at > 0 && matches!(self.bytes()[at - 1], b'\n' | b'\r')
    }

    /// Whether a line begins at `at`, a byte order mark aside.
    pub(super) fn opens_line(self, at: usize) -> bool {
        at == self.mark(0) || self.after_break(at)
    }

    /// Offset of the first line that does not belong to what ends at `end`.
    pub(super) fn after_line(self, end: usize) -> usize {
        if self.after_break(end) { end } else { self.next_line(end) }
    }

    /// The spaces at the beginning of the line that `at` stands on.
    pub(super) fn indent(self, at: usize) -> usize {
        let line = &self.bytes()[self.line(at)..];
        line.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Whether nothing stands before `at` on its line.
    pub(super) fn begins_line(self, at: usize) -> bool {
        let before = self.slice(self.line(at), at);
        before.trim_start_matches('\u{feff}').bytes().all(|byte| byte == b' ')
    }

    /// The column of the key or indicator that the value at `at` belongs to.
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

    /// Offset at which an entry with its own comments begins: the comment lines directly
    /// above it in its column are its own, unless they open the document.
    pub(super) fn lead(self, entry: &Entry) -> usize {
        if !self.begins_line(entry.start) {
            return entry.start;
        }
        let floor = self.end_before(entry.first);
        let mut line = self.line(entry.start);
        let column = entry.start - line;
        while line > floor {
            let above = self.line(line - 1);
            let comment = self.slice(above, line);
            let text = comment.trim_start_matches(' ');
            let own = text.starts_with('#') && comment.len() - text.len() == column;
            if above < floor || !own {
                break;
            }
            line = above;
        }
        let line = if self.opens(line) { self.line(entry.start) } else { line };
        line + self.mark(line)
    }

    /// Whether a document opens with the line at `line`.
    fn opens(self, line: usize) -> bool {
        line == 0 || self.slice(self.line(line - 1), line).starts_with("---")
    }

    /// The length of the byte order mark at `at`.
    pub(super) fn mark(self, at: usize) -> usize {
        let mark = at == 0 && self.text().starts_with('\u{feff}');
        if mark { '\u{feff}'.len_utf8() } else { 0 }
    }

    /// Offset after the last node that ends before node `i` begins.
    pub(super) fn end_before(self, i: Index) -> usize {
        let start = self.start(i);
        let before = (0..i).rev().map(|j| self.end(j)).find(|&end| end <= start);
        before.unwrap_or(0)
    }

    /// Offset of the first line that belongs to an entry no longer: what is indented
    /// deeper than the entry is part of it, comments too.
    pub(super) fn stop(self, end: usize, column: usize) -> usize {
        let mut stop = self.after_line(end);
        let mut at = stop;
        while at < self.text().len() {
            let next = self.next_line(at);
            let line = self.slice(at, next);
            let text = line.trim_start_matches(' ');
            if text.starts_with('#') && line.len() - text.len() > column {
                stop = next;
            } else if !text.trim_end().is_empty() {
                break;
            }
            at = next;
        }
        stop
    }

    /// Offset of the first line that does not belong to block collection `i`: comments
    /// in its column do, but for those that lead up to what follows.
    pub(super) fn tail(self, i: Index) -> usize {
        let (end, column, next) = (self.end(i), self.column(i), self.arena.next(i));
        let stop = self.stop(end, column);
        let Some(left) = column.checked_sub(1) else { return stop };
        let tail = self.stop(end, left);
        if next as usize >= self.arena.nodes().len() {
            return tail;
        }
        let start =
            self.after_indicator(next).map_or(self.start(next), |after| after - 1);
        let lead = self.lead(&Entry { first: next, value: next, start, end: start });
        tail.min(lead.max(stop))
    }

    /// Whether `from..to` holds nothing but blanks and line breaks.
    pub(super) fn is_blank(self, from: usize, to: usize) -> bool {
        self.slice(from, to).trim().is_empty()
    }

    /// Offset after the last property of node `i`, if it has any.
    pub(super) fn after_props(self, i: Index) -> Option<usize> {
        let props = self.arena.props(i)?;
        Some(props.anchor.1.max(props.tag.1) as usize)
    }

    /// Offset after the last property of node `i` on the line of `at`, else `at`.
    pub(super) fn after_props_beside(self, i: Index, at: usize) -> usize {
        let ends =
            self.arena.props(i).map_or([0; 2], |props| [props.anchor.1, props.tag.1]);
        let beside = |&end: &usize| end > at && self.line(end) == self.line(at);
        ends.map(|end| end as usize).into_iter().filter(beside).max().unwrap_or(at)
    }

    /// Offset after the header of block scalar `i`: after `|2-`.
    pub(super) fn after_header(self, i: Index) -> usize {
        let start = self.content(i);
        let header = self.slice(start, self.line_end(start));
        start + header.find([' ', '\t', '#']).unwrap_or(header.len())
    }

    /// What block scalar `i` does with the line breaks at its end.
    pub(super) fn chomping(self, i: Index) -> Chomping {
        Chomping::of(self.slice(self.content(i), self.after_header(i)))
    }

    /// Whether `i` is a block scalar that keeps the blank lines after it.
    pub(super) fn keeps(self, i: Index) -> bool {
        self.is_block_scalar(i) && self.chomping(i) == Chomping::Keep
    }

    /// Whether flow collection `i` is JSON: its strings and keys stand in `"`.
    pub(super) fn is_json(self, i: Index) -> bool {
        let word = |i: Index| match self.arena.raw(i) {
            "true" | "false" | "null" => true,
            raw => raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
        };
        let json = |i: Index| match self.style(i) {
            Style::Double | Style::FlowSequence | Style::FlowMapping => true,
            Style::Plain => word(i),
            _ => false,
        };
        let mut nodes = i..self.arena.next(i);
        nodes.clone().all(json) && nodes.any(|i| self.style(i) == Style::Double)
    }

    /// The line break of this text.
    pub(super) fn newline(self) -> &'static str {
        let end = line::end(self.bytes(), 0);
        match &self.bytes()[end..] {
            [b'\r', b'\n', ..] => "\r\n",
            [b'\r', ..] => "\r",
            _ => "\n",
        }
    }
}

/// What a block scalar does with the line breaks at its end.
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

impl Layout<'_> {
    /// The quotes that most of the text takes.
    pub(super) fn quote(self) -> Quote {
        let count =
            |style| self.arena.nodes().iter().filter(|node| node.style == style).count();
        let double = count(Style::Double) > count(Style::Single);
        if double { Quote::Double } else { Quote::Single }
    }
}
