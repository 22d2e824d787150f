//! A place in the text: looks at bytes, counts lines and characters. Beyond the end it
//! sees NUL bytes, which no accepted text holds.

use super::reader::Flaw;
use super::refusal::{Refusal, Result};
use super::token::{Token, TokenKind};

/// What a byte may mean to the one who skips over it.
pub(super) mod class {
    /// A line break, or the first byte of one.
    pub(in crate::yaml) const BREAK: u8 = 1;
    pub(in crate::yaml) const BLANK: u8 = 2;
    pub(in crate::yaml) const COLON: u8 = 4;
    /// Ends a plain scalar in a flow collection.
    pub(in crate::yaml) const FLOW: u8 = 8;
    /// `'`
    pub(in crate::yaml) const SINGLE: u8 = 16;
    /// `"` and `\`
    pub(in crate::yaml) const DOUBLE: u8 = 32;
    /// A byte of a character after its first one.
    pub(super) const INNER: u8 = 64;
}

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' | 0xc2 | 0xe2 => class::BREAK,
            b' ' | b'\t' => class::BLANK,
            b':' => class::COLON,
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => class::FLOW,
            b'\'' => class::SINGLE,
            b'"' | b'\\' => class::DOUBLE,
            0x80..=0xbf => class::INNER,
            _ => 0,
        };
        byte += 1;
    }
    table
};

const BOM: &[u8] = "\u{feff}".as_bytes();

/// A place in the text.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    /// What can be read before the flaw is met.
    bytes: &'a [u8],
    flaw: Option<Flaw>,
    /// Byte offset.
    pub(super) pos: usize,
    /// Line, from 0.
    pub(super) line: usize,
    /// [`Cursor::index`] of the line's first character.
    line_index: usize,
    /// Inner bytes of characters before `pos`.
    inner: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, flaw: Option<Flaw>) -> Cursor<'a> {
        let readable = flaw.as_ref().map_or(text.len(), |flaw| flaw.piece);
        let bytes = &text.as_bytes()[..readable];
        let mut at =
            Cursor { text, bytes, flaw, pos: 0, line: 0, line_index: 0, inner: 0 };
        if bytes.starts_with(BOM) {
            at.skip();
            at.line_index = at.index();
            // One mark tells the encoding; a second one is skipped as a character.
            if bytes[BOM.len()..].starts_with(BOM) {
                at.skip();
            }
        }
        at
    }

    /// The number of this character, from 0.
    #[inline]
    pub(super) fn index(&self) -> usize {
        self.pos - self.inner
    }

    /// The number of this character in its line, from 0.
    #[inline]
    pub(super) fn column(&self) -> usize {
        self.index() - self.line_index
    }

    /// Fails if one of the next `count` characters can not be read. Must be asked
    /// wherever yaml.v2 fills its buffer: whoever looks further meets the flaw sooner.
    #[inline]
    pub(super) fn need(&self, count: usize) -> Result<()> {
        match &self.flaw {
            Some(flaw) if self.left(count) < count => Err(Box::new(flaw.refusal.clone())),
            _ => Ok(()),
        }
    }

    /// The number of characters left, as far as it matters.
    fn left(&self, most: usize) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        rest.iter()
            .filter(|&&byte| CLASS[byte as usize] & class::INNER == 0)
            .take(most)
            .count()
    }

    /// A token that begins and ends here.
    pub(super) fn token(&self, kind: TokenKind) -> Token {
        let (line, here) = (self.line as u32, self.pos as u32);
        Token { kind, line, start: here, end: here, key: None }
    }

    /// A scanner's refusal, here.
    pub(super) fn refusal(&self, message: &str) -> Box<Refusal> {
        Refusal::in_line(self.line, self.line + 1, message, self.pos)
    }

    /// The byte here.
    #[inline]
    pub(super) fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    /// The byte some bytes ahead.
    #[inline]
    pub(super) fn byte_at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn ended(&self) -> bool {
        self.byte() == 0
    }

    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.byte(), b' ' | b'\t')
    }

    /// Whether a line break stands here.
    pub(super) fn is_break(&self) -> bool {
        self.break_width(0) > 0
    }

    /// Whether a line ends here.
    pub(super) fn is_line_end(&self) -> bool {
        self.is_break() || self.ended()
    }

    /// Whether a word ends some bytes ahead.
    #[inline]
    pub(super) fn is_word_end(&self, ahead: usize) -> bool {
        matches!(self.byte_at(ahead), b' ' | b'\t' | 0) || self.break_width(ahead) > 0
    }

    /// Bytes of the line break some bytes ahead, or 0.
    pub(super) fn break_width(&self, ahead: usize) -> usize {
        match (self.byte_at(ahead), self.byte_at(ahead + 1)) {
            (b'\r', b'\n') | (0xc2, 0x85) => 2,
            (b'\r' | b'\n', _) => 1,
            (0xe2, 0x80) if matches!(self.byte_at(ahead + 2), 0xa8 | 0xa9) => 3,
            _ => 0,
        }
    }

    /// Whether `---` or `...` stands alone at the beginning of a line.
    #[inline]
    pub(super) fn is_document_marker(&self) -> bool {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        (rest.starts_with(b"---") || rest.starts_with(b"..."))
            && self.column() == 0
            && self.is_word_end(3)
    }

    /// Skips a character that is no line break.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.pos += 1;
        while CLASS[self.byte() as usize] & class::INNER != 0 {
            self.pos += 1;
            self.inner += 1;
        }
    }

    /// Skips a line break, if one stands here.
    pub(super) fn skip_break(&mut self) {
        let width = self.break_width(0);
        if width == 0 {
            return;
        }
        self.inner += if self.byte() == b'\r' { 0 } else { width - 1 };
        self.pos += width;
        self.end_line();
    }

    /// Makes this the beginning of a line.
    pub(super) fn end_line(&mut self) {
        self.line += 1;
        self.line_index = self.index();
    }

    /// Skips spaces and tabs.
    pub(super) fn skip_blanks(&mut self) -> Result<()> {
        while self.is_blank() {
            self.skip();
        }
        self.need(1)
    }

    /// Skips blanks and a comment up to the end of the line, and the line break: true if
    /// nothing else was there.
    pub(super) fn skip_rest_of_line(&mut self) -> Result<bool> {
        self.skip_blanks()?;
        self.skip_comment()?;
        let ended = self.is_line_end();
        if self.is_break() {
            self.need(2)?;
            self.skip_break();
        }
        Ok(ended)
    }

    /// Skips `# text`, if it stands here.
    pub(super) fn skip_comment(&mut self) -> Result<()> {
        if self.byte() == b'#' {
            self.run(class::BREAK);
            self.need(1)?;
        }
        Ok(())
    }

    /// Skips to the next byte of these classes, or to the end.
    pub(super) fn run(&mut self, stop: u8) {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match CLASS[byte as usize] & (stop | class::INNER) {
                0 => self.pos += 1,
                class::INNER => {
                    self.pos += 1;
                    self.inner += 1;
                }
                class::BREAK if !self.is_break() => self.skip(),
                _ => return,
            }
        }
    }
}
