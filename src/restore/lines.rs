//! A text as lines, with the content and the comment of each.

use std::cell::Cell;
use std::ops::Range;

use super::written_comments::written_comments;
use crate::arena::{Arena, Index, Style, flag};

/// One line of a text. Offsets are in bytes.
struct Line {
    start: usize,
    /// Offset after its last byte, without the line break.
    end: usize,
    /// Offset after its content, where the blanks before a comment begin.
    code_end: usize,
    /// True if it is neither blank nor a comment.
    has_content: bool,
}

/// The byte order mark, which may stand before the first line.
const BOM: char = '\u{feff}';

/// Number of lines behind the last one found that are looked at before a search of all.
const NEAR: usize = 8;

/// Number of bytes of a line for which room is made.
// The lines of most manifests are longer, so that the table need not grow.
const SHORT_LINE: usize = 24;

/// The lines of a written text.
pub(super) struct Lines<'a> {
    text: &'a str,
    lines: Vec<Line>,
    newline: &'static str,
    /// The line that was found last: most questions follow the text.
    last: Cell<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(arena: &'a Arena) -> Lines<'a> {
        let text = arena.text();
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines = Lines { text, lines: split(text), newline, last: Cell::new(0) };
        if let (true, Some(first)) = (text.starts_with(BOM), lines.lines.first_mut()) {
            first.begin_at(BOM.len_utf8());
        }
        for i in arena.indices().filter(|&i| arena.has(i, flag::MULTILINE)) {
            lines.cover_scalar(arena, i);
        }
        let mut comments = written_comments(arena).into_iter().peekable();
        for line in &mut lines.lines {
            let comment = comments.next_if(|comment| comment.start < line.end);
            line.end_content(text, comment.map_or(line.end, |comment| comment.start));
        }
        lines
    }

    /// Marks the lines of a scalar: their blanks are content, too.
    fn cover_scalar(&mut self, arena: &Arena, i: Index) {
        let (node, style) = (&arena.nodes()[i as usize], arena.style(i));
        let (start, end) = (node.start as usize, node.end as usize);
        let first = self.at(start);
        if matches!(style, Style::Literal | Style::Folded) {
            let inside = self.lines[first + 1..].iter_mut();
            let inside = inside.take_while(|line| line.start < end);
            inside.for_each(|line| line.cover(line.end));
            return;
        }
        for line in &mut self.lines[first..] {
            if line.start >= end {
                break;
            }
            line.cover(line.end.min(end));
        }
    }

    /// Returns the number of the line that holds an offset.
    pub(super) fn at(&self, offset: usize) -> usize {
        let is_before = |line: &Line| line.start <= offset;
        let last = self.last.get();
        let near = &self.lines[last..self.lines.len().min(last + NEAR)];
        let before = near.iter().take_while(|line| is_before(line)).count();
        let found = match before {
            1..NEAR => last + before - 1,
            _ => self.lines.partition_point(is_before).saturating_sub(1),
        };
        self.last.set(found);
        found
    }

    /// Returns the line break of the text.
    pub(super) fn newline(&self) -> &'static str {
        self.newline
    }

    /// Returns the number of lines.
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the number of the line on which an offset is the first byte that is no
    /// blank; `None` if something stands before it.
    pub(super) fn begun_by(&self, offset: usize) -> Option<usize> {
        let at = self.at(offset);
        let before = self.text.get(self.lines[at].start..offset)?;
        before.bytes().all(|byte| byte == b' ' || byte == b'\t').then_some(at)
    }

    /// Returns the blank lines and comments directly above a line.
    pub(super) fn above(&self, line: usize) -> Range<usize> {
        let before = self.lines[..line].iter().rposition(|line| line.has_content);
        before.map_or(0, |before| before + 1)..line
    }

    /// Returns the text of a line, without its line break.
    pub(super) fn line(&self, line: usize) -> &'a str {
        let Line { start, end, .. } = self.lines[line];
        &self.text[start..end]
    }

    /// Returns the offset of the first byte of a line, or of the end of the text.
    pub(super) fn start(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |line| line.start)
    }

    /// Returns the content of a line, with the blanks before it.
    pub(super) fn content(&self, line: usize) -> &'a str {
        &self.text[self.start(line)..self.range_beside(line).start]
    }

    /// Returns the comment beside the content of a line, with the blanks around it.
    pub(super) fn beside(&self, line: usize) -> &'a str {
        &self.text[self.range_beside(line)]
    }

    /// Returns the offsets of the comment beside the content of a line.
    pub(super) fn range_beside(&self, line: usize) -> Range<usize> {
        let end = self.text.len();
        self.lines.get(line).map_or(end..end, |line| line.code_end..line.end)
    }

    /// Returns the number of blanks before the content of a line.
    pub(super) fn indentation(&self, line: usize) -> usize {
        if line >= self.count() {
            return 0;
        }
        let text = self.line(line);
        text.len() - text.trim_start_matches(' ').len()
    }
}

impl Line {
    fn cover(&mut self, to: usize) {
        self.has_content = true;
        self.code_end = self.code_end.max(to);
    }

    /// Has the line begin at an offset behind what is no part of it.
    fn begin_at(&mut self, offset: usize) {
        (self.start, self.code_end) = (offset, self.code_end.max(offset));
    }

    /// Finds where the content ends: behind it only blanks are left before `end`, where the
    /// comment of the line begins, or the line ends.
    fn end_content(&mut self, text: &str, end: usize) {
        let is_bare = self.code_end == self.start;
        let rest = text.get(self.code_end..end).unwrap_or_default();
        let rest = rest.trim_end_matches([' ', '\t']);
        self.code_end += rest.len();
        self.has_content |= !(is_bare && rest.trim_start_matches(BOM).is_empty());
    }
}

/// Splits a text behind each line break: `\n`, `\r\n` or `\r`.
fn split(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::with_capacity(text.len() / SHORT_LINE + 1);
    let mut start = 0;
    let mut push = |end: usize, next: usize| {
        let begin = std::mem::replace(&mut start, next);
        let end = if bytes[begin..end].ends_with(b"\r") { end - 1 } else { end };
        lines.push(Line { start: begin, end, code_end: begin, has_content: false });
    };
    // A search for one byte is much faster.
    if text.contains('\r') {
        let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes);
        breaks
            .filter(|&at| !(bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n')))
            .for_each(|at| push(at, at + 1));
    } else {
        memchr::memchr_iter(b'\n', bytes).for_each(|at| push(at, at + 1));
    }
    if !text.ends_with(['\n', '\r']) {
        push(text.len(), text.len());
    }
    lines
}

/// Returns the lines of a text, without their line breaks.
pub(super) fn lines_of(text: &str) -> Vec<&str> {
    split(text).into_iter().map(|line| &text[line.start..line.end]).collect()
}
