//! The cursor: bytes, blanks, line breaks, the next line, and errors at a place.

use memchr::memchr2;

use crate::arena::Range;
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::Dialect;
use crate::source::{FileId, Span};
use crate::yaml::options::Options;

/// A text and a place in it.
pub(super) struct TextCursor<'a> {
    file: FileId,
    pub(super) bytes: &'a [u8],
    pub(super) strict: bool,
    /// True if the grammar is that of libyaml, as yaml.v2 uses it.
    pub(super) go: bool,
    /// True if YAML 1.1's breaks are breaks, and a block scalar never stands at column 0.
    pub(super) yaml11: bool,
    /// The byte class WIDE if its bytes matter, else 0.
    wide_class: u8,
    /// Offset of the next byte.
    pub(super) at: usize,
    /// Offset of the first byte of the line.
    pub(super) line_start: usize,
    /// Number of spaces at the beginning of the line.
    pub(super) column: usize,
    /// True if a tab stands in front of the content of the line.
    pub(super) tab: bool,
}

impl<'a> TextCursor<'a> {
    pub(super) fn new(file: FileId, text: &'a str, options: &Options) -> TextCursor<'a> {
        let yaml11 = options.dialect != Dialect::Core;
        TextCursor {
            file,
            bytes: text.as_bytes(),
            strict: options.strict,
            go: options.dialect == Dialect::Go,
            yaml11,
            wide_class: if yaml11 { WIDE } else { 0 },
            at: 0,
            line_start: 0,
            column: 0,
            tab: false,
        }
    }

    #[inline(always)]
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Returns the byte at `at`, or 0 after the end.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        match self.bytes.get(at) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    /// Returns the byte at the cursor, or 0 at the end.
    #[inline(always)]
    pub(super) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    /// Returns true if a blank or the end of the line follows the byte at the cursor.
    #[inline(always)]
    pub(super) fn stands_alone(&self) -> bool {
        self.is_blank_or_end(self.at + 1)
    }

    /// Returns the offset of the first byte of `classes` from `from` on, or of the end.
    #[inline(always)]
    pub(super) fn find(&self, from: usize, classes: u8) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let classes = classes | self.wide_class;
        let mut found = rest.iter().map(|&byte| CLASS[byte as usize] & classes);
        from + found.position(|class| class != 0).unwrap_or(rest.len())
    }

    /// Returns the offset of the end of the line that `from` stands on.
    #[inline]
    pub(super) fn end_of_line(&self, from: usize) -> usize {
        if self.yaml11 {
            return self.end_of_wide_line(from);
        }
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    fn end_of_wide_line(&self, from: usize) -> usize {
        let mut at = self.find(from, BREAK);
        while at < self.bytes.len() && self.line_break(at) == 0 {
            at = self.find(at + 1, BREAK);
        }
        at
    }

    /// Returns the length of the line break at `at`, or 0.
    #[inline(always)]
    pub(super) fn line_break(&self, at: usize) -> usize {
        match self.byte(at) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.byte(at + 1) == b'\n'),
            0xC2 | 0xE2 if self.yaml11 => wide_break(&self.bytes[at..]),
            _ => 0,
        }
    }

    #[inline(always)]
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        at >= self.bytes.len() || self.line_break(at) > 0
    }

    /// Returns true if a blank or the end of the line is at `at`.
    #[inline(always)]
    pub(super) fn is_blank_or_end(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t') || self.is_line_end(at)
    }

    #[inline(always)]
    pub(super) fn is_flow_indicator(&self, at: usize) -> bool {
        matches!(self.byte(at), b',' | b'[' | b']' | b'{' | b'}')
    }

    /// Returns true if the byte before `at` is a blank or belongs to another line.
    pub(super) fn after_blank(&self, at: usize) -> bool {
        at == self.line_start || matches!(self.byte(at - 1), b' ' | b'\t')
    }

    pub(super) fn comment_may_start(&self) -> bool {
        !self.strict || self.after_blank(self.at)
    }

    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) {
        let mut at = self.at;
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.at = at;
    }

    /// Skips spaces. Returns true if a tab follows.
    #[inline(always)]
    pub(super) fn skip_spaces(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
        self.at += spaces;
        rest.get(spaces) == Some(&b'\t')
    }

    /// Returns true if `---` (`of` is `-`) or `...` stands at the beginning of this line.
    pub(super) fn is_marker(&self, of: u8) -> bool {
        self.at == self.line_start
            && self.peek() == of
            && self.byte(self.at + 1) == of
            && self.byte(self.at + 2) == of
            && self.is_blank_or_end(self.at + 3)
    }

    #[inline(always)]
    pub(super) fn is_any_marker(&self) -> bool {
        self.at == self.line_start && (self.is_marker(b'-') || self.is_marker(b'.'))
    }

    /// Returns true if this line no longer belongs to the document.
    #[inline(always)]
    pub(super) fn document_ends(&self) -> bool {
        self.is_any_marker() || self.is_byte_order_mark() && !self.go
    }

    /// Returns true if a byte order mark stands at the beginning of this line.
    #[inline(always)]
    pub(super) fn is_byte_order_mark(&self) -> bool {
        self.peek() == BOM[0]
            && self.at == self.line_start
            && self.bytes[self.at..].starts_with(BOM)
    }

    /// Returns true at a directive, which ends a document for yaml.v2.
    pub(super) fn go_directive(&self) -> bool {
        self.go && self.at == self.line_start && self.peek() == b'%'
    }

    /// Goes to the next line with content. Returns true if it skipped a comment.
    #[inline]
    pub(super) fn next_line(&mut self) -> bool {
        let mut comment = false;
        loop {
            if self.peek() == b'#' {
                comment = true;
                self.at = self.end_of_line(self.at);
            }
            let length = self.line_break(self.at);
            if length == 0 {
                return comment;
            }
            self.at += length;
            self.indent();
        }
    }

    /// Skips the blanks at the beginning of a line.
    #[inline(always)]
    pub(super) fn indent(&mut self) {
        self.indent_from(self.at);
    }

    /// Skips blanks on the line whose first column is at `line_start`.
    #[inline(always)]
    pub(super) fn indent_from(&mut self, line_start: usize) {
        self.line_start = line_start;
        self.tab = self.skip_spaces();
        self.column = self.at - self.line_start;
        if self.tab {
            self.skip_blanks();
        }
    }

    pub(super) fn name(&self, range: Range) -> &'a [u8] {
        &self.bytes[range.0 as usize..range.1 as usize]
    }

    #[cold]
    pub(super) fn error<T>(&self, message: &str, start: usize, end: usize) -> Result<T> {
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        Err(Diagnostic::error(message).at(span))
    }

    #[cold]
    pub(super) fn error_in<T>(&self, message: &str, range: Range) -> Result<T> {
        self.error(message, range.0 as usize, range.1 as usize)
    }

    /// Returns an error at the character that begins at `at`.
    #[cold]
    pub(super) fn error_at<T>(&self, message: &str, at: usize) -> Result<T> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let rest = rest.iter().skip(1);
        let more = rest.take_while(|byte| (0x80..0xC0).contains(*byte)).count();
        self.error(message, at, (at + 1 + more).min(self.bytes.len()))
    }
}

/// Ends or may end a plain scalar on its line.
pub(super) const PLAIN: u8 = 1;
/// Ends or may end a plain scalar inside brackets.
pub(super) const FLOW: u8 = 2;
/// Matters inside `"`.
pub(super) const DOUBLE: u8 = 4;
/// Matters inside `'`.
pub(super) const SINGLE: u8 = 8;
/// May begin a line break that only YAML 1.1 has.
const WIDE: u8 = 16;
const BREAK: u8 = 32;
/// Ends a plain scalar inside brackets for yaml.v2.
pub(super) const QUESTION: u8 = 64;

pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [0; 256];
    class[b'\n' as usize] = PLAIN | FLOW | DOUBLE | SINGLE | BREAK;
    class[b'\r' as usize] = PLAIN | FLOW | DOUBLE | SINGLE | BREAK;
    class[b':' as usize] = PLAIN | FLOW;
    class[b'#' as usize] = PLAIN | FLOW;
    class[b',' as usize] = FLOW;
    class[b'[' as usize] = FLOW;
    class[b']' as usize] = FLOW;
    class[b'{' as usize] = FLOW;
    class[b'}' as usize] = FLOW;
    class[b'?' as usize] = QUESTION;
    class[b'"' as usize] = DOUBLE;
    class[b'\\' as usize] = DOUBLE;
    class[b'\'' as usize] = SINGLE;
    class[0xC2] = WIDE;
    class[0xE2] = WIDE;
    class
}

/// Returns the length of the wide line break at the beginning of `text`, or 0.
fn wide_break(text: &[u8]) -> usize {
    match text {
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}
