//! Scalars: quoted ones, plain ones and block scalars.

use super::Leaf;
use super::cursor::{DOUBLE, FLOW, QUESTION, SINGLE, TextCursor};
use crate::arena::{Style, flag};
use crate::diagnostic::Result;

// `column` is that of the entries of the block around a scalar.
impl TextCursor<'_> {
    pub(super) fn quoted(&mut self, column: i64) -> Result<Leaf> {
        let open = self.at;
        let (style, class) = match self.byte(open) {
            b'"' => (Style::Double, DOUBLE),
            _ => (Style::Single, SINGLE),
        };
        let mut flags = 0;
        self.at += 1;
        loop {
            self.at = self.find(self.at, class);
            match self.peek() {
                b'\'' if self.byte(self.at + 1) == b'\'' => {
                    flags |= flag::COOKED;
                    self.at += 2;
                }
                b'"' | b'\'' => {
                    self.at += 1;
                    return Ok(Leaf::new(style, flags, open, self.at));
                }
                b'\\' => {
                    flags |= flag::COOKED;
                    if self.is_line_end(self.at + 1) {
                        self.at += 1;
                        flags |= flag::MULTILINE;
                        self.quoted_line(open, column)?;
                    } else {
                        self.escape()?;
                    }
                }
                _ if self.is_line_end(self.at) => {
                    flags |= flag::COOKED | flag::MULTILINE;
                    self.quoted_line(open, column)?;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Goes from the end of a line to the content of the next line that has any.
    fn quoted_line(&mut self, open: usize, column: i64) -> Result<()> {
        loop {
            let length = self.line_break(self.at);
            if length == 0 {
                break;
            }
            self.at += length;
            self.indent();
        }
        if self.is_at_end() {
            return self.error("found unexpected end of stream", open, open + 1);
        }
        self.check_line(column)
    }

    /// Checks in strict mode that a line is deeper than the block around it.
    fn check_indent(&self, column: i64) -> Result<()> {
        if self.strict && self.column as i64 <= column {
            self.error_at("found a line that is not indented deeper", self.at)
        } else {
            Ok(())
        }
    }

    /// Checks a line inside brackets: no marker and, in strict mode, deep enough.
    pub(super) fn check_line(&self, column: i64) -> Result<()> {
        if self.is_any_marker() {
            return self.error(
                "found unexpected document indicator",
                self.at,
                self.at + 3,
            );
        }
        if !self.is_at_end() { self.check_indent(column) } else { Ok(()) }
    }

    /// Skips an escape: `\n`, `\x41`.
    fn escape(&mut self) -> Result<()> {
        let digits = match self.byte(self.at + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e'
            | b' ' | b'"' | b'/' | b'\\' | b'N' | b'_' | b'L' | b'P' => 0,
            b'\'' if self.go => 0,
            _ => {
                return self.error(
                    "found unknown escape character",
                    self.at,
                    self.at + 2,
                );
            }
        };
        let start = self.at;
        self.at += 2 + digits;
        if digits == 0 {
            return Ok(());
        }
        let Some(code) = self.hex(start + 2, digits) else {
            let end = self.at.min(self.bytes.len());
            // The spelling is libyaml's.
            return self.error("did not find expected hexdecimal number", start, end);
        };
        // JSON writes characters beyond U+FFFF as a pair of surrogates.
        let low = self.peek() == b'\\' && self.byte(self.at + 1) == b'u';
        if (0xD800..0xDC00).contains(&code) && low && digits == 4 {
            let second = self.hex(self.at + 2, 4);
            if second.is_some_and(|second| (0xDC00..0xE000).contains(&second)) {
                self.at += 6;
                return Ok(());
            }
        }
        match char::from_u32(code) {
            Some(_) => Ok(()),
            None => {
                let message = "found invalid Unicode character escape code";
                self.error(message, start, self.at)
            }
        }
    }

    fn hex(&self, start: usize, digits: usize) -> Option<u32> {
        let digits = self.bytes.get(start..start + digits)?;
        digits
            .iter()
            .try_fold(0u32, |code, &byte| Some(code << 4 | (byte as char).to_digit(16)?))
    }

    /// Returns the offset at which plain text that begins at `from` stops: at `: `, ` #`,
    /// the end of the line or, with class FLOW, a flow indicator.
    #[inline(always)]
    pub(super) fn plain_line(&self, from: usize, classes: u8) -> usize {
        let mut at = from;
        loop {
            at = self.find(at, classes);
            match self.byte(at) {
                b':' if self.is_blank_or_end(at + 1) => return at,
                b':' if classes & FLOW != 0
                    && !self.go
                    && self.is_flow_indicator(at + 1) =>
                {
                    return at;
                }
                b'#' if at > from && matches!(self.byte(at - 1), b' ' | b'\t') => {
                    return at;
                }
                b':' | b'#' => {}
                0xC2 | 0xE2 if self.line_break(at) == 0 => {}
                _ => return at,
            }
            at += 1;
        }
    }

    /// Returns the end of `start..stop` without the blanks before it.
    #[inline(always)]
    pub(super) fn trim(&self, start: usize, mut stop: usize) -> usize {
        while stop > start && matches!(self.byte(stop - 1), b' ' | b'\t') {
            stop -= 1;
        }
        stop
    }

    /// Reads a plain scalar with its continuation lines.
    pub(super) fn flow_plain(&mut self, column: i64) -> Result<Leaf> {
        let start = self.at;
        let classes = if self.go { FLOW | QUESTION } else { FLOW };
        let stop = self.plain_line(start, classes);
        let mut end = self.trim(start, stop);
        let mut flags = 0;
        self.at = stop;
        while self.line_break(self.at) > 0 {
            let comment = self.next_line();
            self.check_line(column)?;
            if comment || self.ends_flow_plain() {
                break;
            }
            flags = flag::MULTILINE | flag::COOKED;
            let from = self.at;
            self.at = self.plain_line(from, classes);
            end = self.trim(from, self.at);
        }
        Ok(Leaf::new(Style::Plain, flags, start, end))
    }

    /// Returns true if a plain scalar does not continue on the line at the cursor.
    fn ends_flow_plain(&self) -> bool {
        match self.peek() {
            b':' => {
                self.is_blank_or_end(self.at + 1)
                    || !self.go && self.is_flow_indicator(self.at + 1)
            }
            b'?' => self.go,
            _ => self.is_at_end() || self.is_flow_indicator(self.at),
        }
    }

    /// Reads `|` or `>`, its header and its lines.
    pub(super) fn block_scalar(&mut self, column: i64) -> Result<Leaf> {
        let start = self.at;
        let style = if self.byte(start) == b'|' { Style::Literal } else { Style::Folded };
        let (indent, keep) = self.header()?;
        let indent = match indent {
            0 => self.block_indent(column)?,
            _ => column.max(0) as usize + indent,
        };
        let end = self.content(indent, keep);
        let leaf = Leaf::new(style, flag::MULTILINE | flag::COOKED, start, end);
        Ok(Leaf { column: indent as u32, ..leaf })
    }

    /// Reads the header. Returns its indentation indicator or 0, and true for `+`.
    fn header(&mut self) -> Result<(usize, bool)> {
        let start = self.at;
        let mut indent = 0;
        let mut chomp = 0;
        self.at += 1;
        loop {
            match self.peek() {
                byte @ b'1'..=b'9' if indent == 0 => indent = usize::from(byte - b'0'),
                byte @ (b'+' | b'-') if chomp == 0 => chomp = byte,
                b'0' => {
                    let message = "found an indentation indicator equal to 0";
                    return self.error(message, start, self.at + 1);
                }
                _ => break,
            }
            self.at += 1;
        }
        self.skip_blanks();
        let comment = self.peek() == b'#' && self.comment_may_start();
        if comment {
            self.at = self.end_of_line(self.at);
        }
        if !self.is_line_end(self.at) {
            return self.error_at("did not find expected comment or line break", self.at);
        }
        self.at += self.line_break(self.at);
        Ok((indent, chomp == b'+'))
    }

    /// Returns the indentation of a block scalar from its first line with content.
    fn block_indent(&self, column: i64) -> Result<usize> {
        let least = (column + 1) as usize;
        let mut line = self.at;
        let mut widest = 0;
        let (text, width) = loop {
            let text = self.spaces_end(line, usize::MAX);
            let length = self.line_break(text);
            if length == 0 {
                break (text, text - line);
            }
            widest = widest.max(text - line);
            line = text + length;
        };
        let ended = text >= self.bytes.len();
        let shallow = width < least;
        let indent = if ended || self.go {
            widest.max(width).max(least)
        } else if shallow && self.byte(text) == b'\t' && !self.is_empty_line(text) {
            let message = "found a tab character where an indentation space is expected";
            return self.error_at(message, text);
        } else if shallow {
            widest.max(least)
        } else if widest > width {
            let message = "found a line with less spaces than an empty line before it";
            return self.error(message, line, text);
        } else {
            width
        };
        // libyaml takes no block scalar at column 0, not even for a root.
        Ok(if self.yaml11 { indent.max(1) } else { indent })
    }

    fn is_empty_line(&self, mut at: usize) -> bool {
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.is_line_end(at)
    }

    /// Skips the lines of a block scalar. Returns the end of its content.
    fn content(&mut self, indent: usize, keep: bool) -> usize {
        let mut end = self.at;
        loop {
            let text = self.spaces_end(self.at, indent);
            let length = self.line_break(text);
            if length > 0 {
                self.at = text + length;
                if keep {
                    end = self.at;
                }
                continue;
            }
            if text >= self.bytes.len() {
                self.at = text;
                // Blanks without a line break are a line in YAML 1.2 only.
                return if keep && !self.yaml11 { text } else { end };
            }
            self.line_start = self.at;
            if text - self.at < indent || indent == 0 && self.document_ends() {
                return end;
            }
            let stop = self.end_of_line(text);
            self.at = stop + self.line_break(stop);
            end = self.at;
        }
    }

    /// Returns the end of at most `most` spaces at `at`.
    #[inline(always)]
    fn spaces_end(&self, at: usize, most: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().take(most).take_while(|&&byte| byte == b' ').count()
    }

    /// Goes to the line behind a block scalar.
    pub(super) fn after_content(&mut self) -> Result<bool> {
        self.indent();
        // In YAML 1.2 a line of tabs may follow a block scalar only at the end of a
        // document.
        let tab = self.tab.then_some(self.at - 1);
        if !self.is_line_end(self.at) && self.peek() != b'#' {
            return Ok(false);
        }
        self.next_line();
        match tab {
            Some(tab) if self.strict && !self.is_at_end() && !self.document_ends() => {
                let message =
                    "found a tab character where an indentation space is expected";
                self.error_at(message, tab)
            }
            _ => Ok(false),
        }
    }
}
