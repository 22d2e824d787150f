//! Scalars: plain, quoted and block.

use super::Result;
use super::cursor::class;
use super::scan::Scanner;
use super::token::Kind;

impl Scanner<'_> {
    pub(super) fn plain(&mut self) -> Result<()> {
        let token = self.candidate(Kind::Scalar)?;
        let mut end = self.at.pos;
        let mut new_line = false;
        loop {
            self.at.need(4)?;
            if self.at.is_document_marker() || self.at.byte() == b'#' {
                break;
            }
            if self.plain_word()? {
                end = self.at.pos;
                new_line = false;
            }
            if !self.at.is_word_end(0) || self.at.ended() {
                break;
            }
            new_line = self.plain_gap()?;
            if !self.in_flow() && (self.at.column() as isize) <= self.indent {
                break;
            }
        }
        self.push_until(token, end);
        self.key_allowed = new_line;
        Ok(())
    }

    /// Skips a word, or several with one space between them, up to a blank, a line break
    /// or an indicator: true if anything was skipped.
    fn plain_word(&mut self) -> Result<bool> {
        let from = self.at.pos;
        let flow = if self.in_flow() { class::FLOW } else { 0 };
        loop {
            self.at.run(class::BREAK | class::BLANK | class::COLON | flow);
            match (self.at.byte(), self.at.byte_at(1)) {
                (b':', _) if !self.at.is_word_end(1) => self.at.skip(),
                (b' ', next) if next.is_ascii_alphanumeric() => self.at.skip(),
                _ => break,
            }
        }
        let any = self.at.pos > from;
        if any {
            self.at.need(2)?;
        }
        Ok(any)
    }

    /// Skips blanks and line breaks: true if there was a line break.
    fn plain_gap(&mut self) -> Result<bool> {
        let mut new_line = false;
        loop {
            if self.at.is_blank() {
                let outside = (self.at.column() as isize) <= self.indent;
                if new_line && outside && self.at.byte() == b'\t' {
                    let message = "found a tab character that violates indentation";
                    return Err(self.at.refusal(message));
                }
                self.at.skip();
            } else if self.at.is_break() {
                self.at.need(2)?;
                self.at.skip_break();
                new_line = true;
            } else {
                return Ok(new_line);
            }
            self.at.need(1)?;
        }
    }

    pub(super) fn quoted(&mut self) -> Result<()> {
        let token = self.candidate(Kind::Scalar)?;
        self.key_allowed = false;
        let quote = self.at.byte();
        self.at.skip();
        loop {
            self.at.need(4)?;
            if self.at.is_document_marker() {
                return Err(self.at.refusal("found unexpected document indicator"));
            }
            if self.at.ended() {
                return Err(self.at.refusal("found unexpected end of stream"));
            }
            self.quoted_word(quote)?;
            self.at.need(1)?;
            if self.at.byte() == quote {
                break;
            }
            self.quoted_gap()?;
        }
        self.at.skip();
        self.push(token);
        Ok(())
    }

    /// Skips to the closing quote or a line break, or over an escaped line break.
    fn quoted_word(&mut self, quote: u8) -> Result<()> {
        let kind = if quote == b'"' { class::DOUBLE } else { class::SINGLE };
        loop {
            let from = self.at.pos;
            self.at.run(class::BREAK | kind);
            if self.at.pos > from {
                self.at.need(2)?;
            }
            match (self.at.byte(), self.at.byte_at(1)) {
                (b'\'', b'\'') if quote == b'\'' => {
                    self.at.skip();
                    self.at.skip();
                }
                (b'\\', _) if quote == b'"' => {
                    if self.at.break_width(1) > 0 {
                        self.at.need(3)?;
                        self.at.skip();
                        self.at.skip_break();
                        return Ok(());
                    }
                    self.escape()?;
                }
                _ => return Ok(()),
            }
            self.at.need(2)?;
        }
    }

    fn escape(&mut self) -> Result<()> {
        let digits = match self.at.byte_at(1) {
            b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e'
            | b' ' | b'"' | b'\'' | b'\\' | b'N' | b'_' | b'L' | b'P' => 0,
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => return Err(self.at.refusal("found unknown escape character")),
        };
        self.at.skip();
        self.at.skip();
        self.at.need(digits)?;
        let mut code = 0u32;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.at.byte_at(ahead)).to_digit(16) else {
                return Err(self.at.refusal("did not find expected hexdecimal number"));
            };
            code = code << 4 | digit;
        }
        if char::from_u32(code).is_none() {
            let message = "found invalid Unicode character escape code";
            return Err(self.at.refusal(message));
        }
        self.at.pos += digits;
        Ok(())
    }

    fn quoted_gap(&mut self) -> Result<()> {
        loop {
            if self.at.is_blank() {
                self.at.skip();
            } else if self.at.is_break() {
                self.at.need(2)?;
                self.at.skip_break();
            } else {
                return Ok(());
            }
            self.at.need(1)?;
        }
    }

    pub(super) fn block_scalar(&mut self) -> Result<()> {
        self.drop_candidate()?;
        self.key_allowed = true;
        let token = self.at.token(Kind::Scalar);
        self.at.skip();
        let step = self.block_header()?;
        if !self.at.skip_rest_of_line()? {
            return Err(self.at.refusal("did not find expected comment or line break"));
        }
        let mut indent = step.map(|step| step + self.indent.max(0) as usize);
        let mut end = self.at.pos;
        loop {
            let column = self.block_indent(indent, &mut end)?;
            let indent = *indent.get_or_insert(column);
            if self.at.column() != indent || self.at.ended() {
                break;
            }
            self.at.run(class::BREAK);
            self.at.need(2)?;
            self.at.skip_break();
            end = self.at.pos;
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips the signs after `|` or `>` and answers the digit among them.
    fn block_header(&mut self) -> Result<Option<usize>> {
        let mut step = None;
        self.at.need(1)?;
        let chomped = self.chomping()?;
        if self.at.byte().is_ascii_digit() {
            if self.at.byte() == b'0' {
                return Err(self.at.refusal("found an indentation indicator equal to 0"));
            }
            step = Some(usize::from(self.at.byte() - b'0'));
            self.at.skip();
            if !chomped {
                self.at.need(1)?;
                self.chomping()?;
            }
        }
        self.at.need(1)?;
        Ok(step)
    }

    fn chomping(&mut self) -> Result<bool> {
        let found = matches!(self.at.byte(), b'+' | b'-');
        if found {
            self.at.skip();
            self.at.need(1)?;
        }
        Ok(found)
    }

    /// Skips empty lines and the indentation of the first other one, and answers its
    /// depth: `indent`, or what the lines themselves say.
    fn block_indent(&mut self, indent: Option<usize>, end: &mut usize) -> Result<usize> {
        let mut deepest = 0;
        loop {
            self.at.need(1)?;
            let within = |column| indent.is_none_or(|indent| column < indent);
            while self.at.byte() == b' ' && within(self.at.column()) {
                self.at.skip();
            }
            self.at.need(1)?;
            deepest = deepest.max(self.at.column());
            if self.at.byte() == b'\t' && within(self.at.column()) {
                let message =
                    "found a tab character where an indentation space is expected";
                return Err(self.at.refusal(message));
            }
            if !self.at.is_break() {
                let least = (self.indent + 1).max(1) as usize;
                return Ok(indent.unwrap_or(deepest.max(least)));
            }
            self.at.need(2)?;
            self.at.skip_break();
            *end = self.at.pos;
        }
    }
}
