//! Bytes: which ones a scan must stop at, blanks, line breaks, the way to the next line.

use memchr::memchr2;

use super::Parser;

/// Ends or may end a plain scalar on its line.
pub(super) const PLAIN: u8 = 1;
/// The same inside brackets.
pub(super) const FLOW: u8 = 2;
/// Matters inside `"`.
pub(super) const DOUBLE: u8 = 4;
/// Matters inside `'`.
pub(super) const SINGLE: u8 = 8;
/// May begin a line break that only YAML 1.1 knows.
pub(super) const WIDE: u8 = 16;
/// A line break.
pub(super) const BREAK: u8 = 32;
/// Ends a plain scalar inside brackets for Go's reader.
pub(super) const QUESTION: u8 = 64;

/// The byte order mark.
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

impl Parser<'_> {
    /// The byte at `at`, 0 after the end (no text holds a 0).
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        match self.text.get(at) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    /// Offset of the first byte of one of the classes from `from` on, or of the end.
    #[inline(always)]
    pub(super) fn find(&self, from: usize, classes: u8) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let stops = |&byte: &u8| CLASS[byte as usize] & classes != 0;
        from + rest.iter().position(stops).unwrap_or(rest.len())
    }

    /// Offset of the end of the line that `from` stands in.
    #[inline]
    pub(super) fn end_of_line(&self, from: usize) -> usize {
        if self.yaml11 {
            return self.end_of_wide_line(from);
        }
        let rest = self.text.get(from..).unwrap_or_default();
        from + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    fn end_of_wide_line(&self, from: usize) -> usize {
        let mut at = self.find(from, BREAK | WIDE);
        while at < self.text.len() && self.line_break(at) == 0 {
            at = self.find(at + 1, BREAK | WIDE);
        }
        at
    }

    /// The length of the line break at `at`, 0 if there is none.
    #[inline(always)]
    pub(super) fn line_break(&self, at: usize) -> usize {
        match self.byte(at) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.byte(at + 1) == b'\n'),
            0xC2 | 0xE2 if self.yaml11 => wide_break(&self.text[at..]),
            _ => 0,
        }
    }

    /// Whether a line ends at `at`.
    #[inline(always)]
    pub(super) fn ends(&self, at: usize) -> bool {
        at >= self.text.len() || self.line_break(at) > 0
    }

    /// Whether a blank or the end of the line is at `at`.
    #[inline(always)]
    pub(super) fn spaced(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t') || self.ends(at)
    }

    /// Whether `,` or a bracket is at `at`.
    #[inline(always)]
    pub(super) fn flow_indicator(&self, at: usize) -> bool {
        matches!(self.byte(at), b',' | b'[' | b']' | b'{' | b'}')
    }

    /// Whether the byte before `at` is a blank or another line's.
    pub(super) fn after_blank(&self, at: usize) -> bool {
        at == self.line || matches!(self.byte(at - 1), b' ' | b'\t')
    }

    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) {
        let mut at = self.at;
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.at = at;
    }

    /// Passes spaces; whether the next byte is a tab.
    #[inline(always)]
    pub(super) fn skip_spaces(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
        self.at += spaces;
        rest.get(spaces) == Some(&b'\t')
    }

    /// Whether `---` (of `-`) or `...` (of `.`) stands at the beginning of this line.
    pub(super) fn marker(&self, of: u8) -> bool {
        self.at == self.line
            && self.byte(self.at) == of
            && self.byte(self.at + 1) == of
            && self.byte(self.at + 2) == of
            && self.spaced(self.at + 3)
    }

    #[inline(always)]
    pub(super) fn any_marker(&self) -> bool {
        self.at == self.line && (self.marker(b'-') || self.marker(b'.'))
    }

    /// Whether this line no longer belongs to the document.
    #[inline(always)]
    pub(super) fn document_ends(&self) -> bool {
        self.any_marker() || self.byte_order_mark() && !self.go
    }

    /// Whether a byte order mark stands at the beginning of this line.
    #[inline(always)]
    pub(super) fn byte_order_mark(&self) -> bool {
        self.byte(self.at) == BOM[0]
            && self.at == self.line
            && self.text[self.at..].starts_with(BOM)
    }

    /// From a comment or the end of a line to the first byte of the next line's content;
    /// whether a comment was passed.
    #[inline]
    pub(super) fn next_line(&mut self) -> bool {
        let mut comment = false;
        loop {
            if self.byte(self.at) == b'#' {
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

    /// Passes the blanks at the beginning of a line.
    #[inline(always)]
    pub(super) fn indent(&mut self) {
        self.line = self.at;
        self.tab = self.skip_spaces();
        self.column = self.at - self.line;
        if self.tab {
            self.skip_blanks();
        }
    }
}

/// The length of the next line, line separator or paragraph separator that `text`
/// begins with.
fn wide_break(text: &[u8]) -> usize {
    match text {
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}
