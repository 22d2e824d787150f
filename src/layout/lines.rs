//! A text as lines, with the content and the comment of each.

use std::cell::Cell;
use std::ops::Range;

use super::line::{bare, bare_lines, each_line};
use crate::arena::{Arena, Index, Style, flag};

/// One line of a text. Offsets are in bytes.
struct TextLine {
    start: usize,
    /// Offset after its last byte, without the line break.
    end: usize,
    /// Offset after its content, where the blanks before a comment begin.
    code_end: usize,
    /// True if it is neither blank nor a comment.
    has_content: bool,
    /// True if it begins inside of a scalar.
    is_inside: bool,
}

/// The byte order mark, which may stand before the first line.
const BOM: char = '\u{feff}';

/// Number of lines behind the last one found that are looked at before a search of all.
const NEAR: usize = 8;

/// Number of bytes of a line for which room is made.
// The lines of most manifests are longer, so that the table need not grow.
const SHORT_LINE: usize = 24;

/// The lines of a written text.
pub(crate) struct TextLines<'a> {
    text: &'a str,
    lines: Vec<TextLine>,
    /// The line that was found last: most questions follow the text.
    last: Cell<usize>,
}

impl<'a> TextLines<'a> {
    pub(crate) fn new(arena: &'a Arena) -> TextLines<'a> {
        let text = arena.text();
        let mut lines = TextLines { text, lines: split(text), last: Cell::new(0) };
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
        let node = &arena.nodes()[i as usize];
        let start = node.start as usize;
        let end = node.end as usize;
        let first = self.at(start);
        if matches!(node.style, Style::Literal | Style::Folded) {
            let inside = self.lines[first + 1..].iter_mut();
            let inside = inside.take_while(|line| line.start < end);
            inside.for_each(|line| {
                line.cover(line.end);
                line.is_inside = true;
            });
            return;
        }
        for line in &mut self.lines[first..] {
            if line.start >= end {
                break;
            }
            line.cover(line.end.min(end));
            line.is_inside = line.start > start;
        }
    }

    /// Returns the number of the line that holds an offset.
    pub(crate) fn at(&self, offset: usize) -> usize {
        let last = self.last.get();
        let near = &self.lines[last..self.lines.len().min(last + NEAR)];
        let before = near.iter().take_while(|line| line.start <= offset).count();
        let found = match before {
            1..NEAR => last + before - 1,
            _ => {
                let before = self.lines.partition_point(|line| line.start <= offset);
                before.saturating_sub(1)
            }
        };
        self.last.set(found);
        found
    }

    /// Returns true if a line is neither blank nor a comment.
    pub(crate) fn has_content(&self, line: usize) -> bool {
        self.lines[line].has_content
    }

    /// Returns true if the content of a line begins on it.
    pub(crate) fn begins_entry(&self, line: usize) -> bool {
        self.lines[line].has_content && !self.lines[line].is_inside
    }

    /// Returns the number of lines.
    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the text of a line, without its line break.
    pub(crate) fn line(&self, line: usize) -> &'a str {
        let TextLine { start, end, .. } = self.lines[line];
        &self.text[start..end]
    }

    /// Returns the offset of the first byte of a line, or of the end of the text.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |line| line.start)
    }

    /// Returns the offsets of the comment beside the content of a line.
    pub(crate) fn range_beside(&self, line: usize) -> Range<usize> {
        let end = self.text.len();
        self.lines.get(line).map_or(end..end, |line| line.code_end..line.end)
    }

    /// Returns the number of blanks before the content of a line.
    pub(crate) fn indentation(&self, line: usize) -> usize {
        if line >= self.count() {
            return 0;
        }
        let text = self.line(line);
        text.len() - text.trim_start_matches(' ').len()
    }
}

impl TextLine {
    fn new(start: usize, end: usize) -> TextLine {
        TextLine { start, end, code_end: start, has_content: false, is_inside: false }
    }

    fn cover(&mut self, to: usize) {
        self.has_content = true;
        self.code_end = self.code_end.max(to);
    }

    /// Has the line begin at an offset behind what is no part of it.
    fn begin_at(&mut self, offset: usize) {
        self.start = offset;
        self.code_end = self.code_end.max(offset);
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

/// Returns the lines of a text, at least one.
fn split(text: &str) -> Vec<TextLine> {
    let mut split = Vec::with_capacity(text.len() / SHORT_LINE + 1);
    let mut start = 0;
    for line in each_line(text) {
        let end = start + bare(line).len();
        split.push(TextLine::new(start, end));
        start += line.len();
    }
    if split.is_empty() {
        split.push(TextLine::new(0, 0));
    }
    split
}

/// Returns the offsets of the comments of a text in their order, each from its `#` to the end
/// of its line.
pub(crate) fn written_comments(arena: &Arena) -> Vec<Range<usize>> {
    let bytes = arena.text().as_bytes();
    let mut comments = Vec::new();
    let mut end = 0;
    let mut next = 0;
    for at in memchr::memchr_iter(b'#', bytes) {
        if at < end || !(at == 0 || is_blank(&bytes[..at])) {
            continue;
        }
        let nodes = arena.nodes()[next..].iter();
        next += nodes.take_while(|node| node.start as usize <= at).count();
        if next > 0 && is_in_scalar(arena, next - 1, at) {
            continue;
        }
        let rest = &bytes[at..];
        end = at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        comments.push(at..end);
    }
    comments
}

/// Returns the blanks and tabs before all comments behind an entry; `None` if they differ, as
/// they do if the comments stand in one column, or if there are none.
pub(crate) fn blanks_before_comments(arena: &Arena) -> Option<&str> {
    let text = arena.text();
    let mut gaps = written_comments(arena).into_iter().filter_map(|comment| {
        let line = text[..comment.start].rsplit(['\n', '\r']).next().unwrap_or_default();
        let entry = line.trim_end_matches([' ', '\t']);
        (!entry.is_empty()).then(|| &line[entry.len()..])
    });
    let gap = gaps.next()?;
    (!gap.is_empty() && gaps.all(|other| other == gap)).then_some(gap)
}

/// Returns lines of comments, the least deep ones indented by a number of spaces.
pub(crate) fn reindented(lines: &str, column: usize) -> String {
    let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let texts = bare_lines(lines).filter(|line| !line.trim().is_empty());
    let least = texts.map(depth).min().unwrap_or_default();
    let lines = bare_lines(lines).map(|line| {
        let spaces = column + depth(line).saturating_sub(least);
        let text = line.trim();
        let indent = " ".repeat(if text.is_empty() { 0 } else { spaces });
        format!("{indent}{text}\n")
    });
    lines.collect()
}

/// Returns true if a text ends with a blank, a line break or a byte order mark.
fn is_blank(text: &[u8]) -> bool {
    text.ends_with("\u{feff}".as_bytes())
        || matches!(text, [.., b' ' | b'\t' | b'\n' | b'\r'])
}

/// Returns true if a `#` behind a blank is a part of a scalar: of `last`, the last node that
/// begins before it.
fn is_in_scalar(arena: &Arena, last: usize, at: usize) -> bool {
    let node = &arena.nodes()[last];
    let style = node.style;
    if style.is_mapping() || style.is_sequence() || at >= node.end as usize {
        return false;
    }
    // A comment may stand behind the header of a block scalar.
    let is_block = matches!(style, Style::Literal | Style::Folded);
    !is_block || arena.text()[node.start as usize..at].contains(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dialect;
    use crate::source::Source;
    use crate::yaml;

    #[test]
    fn comments_are_found_outside_of_scalars() {
        let text = "# a\nb: c#d # e # f\nt: |2 # g\n  # h\n  i\n# j\nq: 'k # l' # m\n\
                    f: [n, # o\n  p] # q\ns: &a#b r\n  # s\n#t";
        let tree = yaml::reread(Source::unnamed(text.to_owned()), Dialect::Core);
        let tree = tree.expect("it can be read");
        let found = written_comments(tree.base());
        let found: Vec<&str> = found.into_iter().map(|comment| &text[comment]).collect();
        let expected = ["# a", "# e # f", "# g", "# j", "# m", "# o", "# q", "# s", "#t"];
        assert_eq!(found, expected);
    }
}
