//! Quoted scalars: to the closing quote, over lines and escapes.

use crate::arena::{Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::Leaf;
use super::scan::{DOUBLE, SINGLE};

impl Parser<'_> {
    /// Goes behind the scalar at the cursor.
    pub(super) fn quoted(&mut self) -> Result<Leaf> {
        let open = self.at;
        let (style, class) = match self.byte(open) {
            b'"' => (Style::Double, DOUBLE),
            _ => (Style::Single, SINGLE),
        };
        let classes = class | self.wide;
        let mut flags = 0;
        self.at += 1;
        loop {
            self.at = self.find(self.at, classes);
            match self.byte(self.at) {
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
                    if self.ends(self.at + 1) {
                        self.at += 1;
                        flags |= flag::MULTILINE;
                        self.quoted_line(open)?;
                    } else {
                        self.escape()?;
                    }
                }
                _ if self.ends(self.at) => {
                    flags |= flag::COOKED | flag::MULTILINE;
                    self.quoted_line(open)?;
                }
                _ => self.at += 1,
            }
        }
    }

    /// From the end of a line to the content of the next one that has any.
    fn quoted_line(&mut self, open: usize) -> Result<()> {
        loop {
            let length = self.line_break(self.at);
            if length == 0 {
                break;
            }
            self.at += length;
            self.indent();
        }
        if self.at >= self.text.len() {
            return self.error("found unexpected end of stream", open, open + 1);
        }
        if self.any_marker() {
            return self.error(
                "found unexpected document indicator",
                self.at,
                self.at + 3,
            );
        }
        self.check_indent()
    }

    /// For the standard the lines of a scalar or flow collection stand deeper than the
    /// block around it.
    pub(super) fn check_indent(&self) -> Result<()> {
        if self.strict && self.column as i64 <= self.top.column {
            self.error_at("found a line that is not indented deeper", self.at)
        } else {
            Ok(())
        }
    }

    /// `\n`, `\x41` …
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
            let end = self.at.min(self.text.len());
            return self.error("did not find expected hexdecimal number", start, end);
        };
        let low = self.byte(self.at) == b'\\' && self.byte(self.at + 1) == b'u';
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
        let digits = self.text.get(start..start + digits)?;
        let digit = |code, &byte: &u8| Some(code << 4 | (byte as char).to_digit(16)?);
        digits.iter().try_fold(0u32, digit)
    }
}
