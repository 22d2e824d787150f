//! What stands before a node or a document: anchors, aliases, tags and directives.

use std::ops::Range;

use super::Result;
use super::scan::Scanner;
use super::token::Kind;

impl Scanner<'_> {
    /// `&name` or `*name`
    pub(super) fn name(&mut self, kind: Kind) -> Result<()> {
        let token = self.candidate(kind)?;
        self.key_allowed = false;
        self.at.skip();
        let length = self.word()?;
        let after = matches!(
            self.at.byte(),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
        if length == 0 || !after && !self.at.is_word_end(0) {
            let message = "did not find expected alphabetic or numeric character";
            return Err(self.at.refusal(message));
        }
        self.push(token);
        Ok(())
    }

    /// `!suffix`, `!handle!suffix` or `!<tag>`
    pub(super) fn tag(&mut self) -> Result<()> {
        let token = self.candidate(Kind::Tag)?;
        self.key_allowed = false;
        self.at.need(2)?;
        let end = match self.at.byte_at(1) {
            b'<' => self.verbatim()?,
            _ => self.shorthand()?,
        };
        self.at.need(1)?;
        if !self.at.is_word_end(0) {
            return Err(self
                .at
                .refusal("did not find expected whitespace or line break"));
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips a tag without a handle and answers where it begins.
    fn verbatim(&mut self) -> Result<usize> {
        let start = self.at.pos;
        self.at.skip();
        self.at.skip();
        self.uri(false)?;
        if self.at.byte() != b'>' {
            return Err(self.at.refusal("did not find the expected '>'"));
        }
        self.at.skip();
        Ok(start)
    }

    /// Skips a tag and answers where its handle ends.
    fn shorthand(&mut self) -> Result<usize> {
        let start = self.at.pos;
        let named = self.handle(false)?;
        let end = if named { self.at.pos } else { start + 1 };
        self.uri(!named)?;
        Ok(end)
    }

    /// Skips `!`, `!name` or `!name!`: true for the last one.
    fn handle(&mut self, alone: bool) -> Result<bool> {
        self.at.need(1)?;
        if self.at.byte() != b'!' {
            return Err(self.at.refusal("did not find expected '!'"));
        }
        self.at.skip();
        let length = self.word()?;
        let named = self.at.byte() == b'!';
        if named {
            self.at.skip();
        } else if alone && length > 0 {
            return Err(self.at.refusal("did not find expected '!'"));
        }
        Ok(named)
    }

    /// Skips the characters of a URI, of which there must be some unless `optional`.
    fn uri(&mut self, optional: bool) -> Result<()> {
        let start = self.at.pos;
        self.at.need(1)?;
        loop {
            match self.at.byte() {
                b'%' => self.octets()?,
                byte if is_word(byte) || URI.contains(&byte) => self.at.skip(),
                _ => break,
            }
            self.at.need(1)?;
        }
        if optional || self.at.pos > start {
            Ok(())
        } else {
            Err(self.at.refusal("did not find expected tag URI"))
        }
    }

    /// Skips a character written as `%C3%A9`.
    fn octets(&mut self) -> Result<()> {
        let mut left = None;
        while left != Some(0) {
            self.at.need(3)?;
            let octet = self.octet()?;
            left = Some(match left {
                None => self.octet_count(octet)? - 1,
                Some(left) if octet & 0xc0 == 0x80 => left - 1,
                Some(_) => {
                    let message = "found an incorrect trailing UTF-8 octet";
                    return Err(self.at.refusal(message));
                }
            });
            self.at.pos += 3;
        }
        Ok(())
    }

    fn octet(&self) -> Result<u8> {
        let digit = |ahead| char::from(self.at.byte_at(ahead)).to_digit(16);
        match (self.at.byte(), digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => Ok((high << 4 | low) as u8),
            _ => Err(self.at.refusal("did not find URI escaped octet")),
        }
    }

    /// How many octets a character has that begins with this one.
    fn octet_count(&self, first: u8) -> Result<usize> {
        match first.leading_ones() {
            0 => Ok(1),
            count @ 2..=4 => Ok(count as usize),
            _ => Err(self.at.refusal("found an incorrect leading UTF-8 octet")),
        }
    }

    /// A line that begins with `%`.
    pub(super) fn directive(&mut self) -> Result<()> {
        self.end_blocks()?;
        let mut token = self.at.token(Kind::Handle);
        self.at.skip();
        let name = self.at.pos;
        let length = self.word()?;
        if length == 0 {
            return Err(self.at.refusal("could not find expected directive name"));
        }
        if !self.at.is_word_end(0) {
            return Err(self.at.refusal("found unexpected non-alphabetical character"));
        }
        let mut end = self.at.pos;
        match &self.at.text[name..name + length] {
            "YAML" => token.kind = Kind::Version(self.version()?),
            "TAG" => {
                let handle = self.tag_directive()?;
                token.start = handle.start as u32;
                end = handle.end;
            }
            _ => return Err(self.at.refusal("found unknown directive name")),
        }
        if !self.at.skip_rest_of_line()? {
            return Err(self.at.refusal("did not find expected comment or line break"));
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips a version and answers whether it is 1.1.
    fn version(&mut self) -> Result<bool> {
        self.at.need(1)?;
        self.at.skip_blanks()?;
        let major = self.number()?;
        if self.at.byte() != b'.' {
            let message = "did not find expected digit or '.' character";
            return Err(self.at.refusal(message));
        }
        self.at.skip();
        Ok((major, self.number()?) == (1, 1))
    }

    fn number(&mut self) -> Result<u8> {
        self.at.need(1)?;
        let (mut value, mut length) = (0, 0);
        while self.at.byte().is_ascii_digit() {
            length += 1;
            if length > 2 {
                return Err(self.at.refusal("found extremely long version number"));
            }
            value = value * 10 + (self.at.byte() - b'0');
            self.at.skip();
            self.at.need(1)?;
        }
        match length {
            0 => Err(self.at.refusal("did not find expected version number")),
            _ => Ok(value),
        }
    }

    /// Skips a handle and its prefix, and answers the range of the handle.
    fn tag_directive(&mut self) -> Result<Range<usize>> {
        self.at.need(1)?;
        self.at.skip_blanks()?;
        let start = self.at.pos;
        self.handle(true)?;
        let end = self.at.pos;
        self.at.need(1)?;
        if !self.at.is_blank() {
            return Err(self.at.refusal("did not find expected whitespace"));
        }
        self.at.skip_blanks()?;
        self.uri(false)?;
        self.at.need(1)?;
        if self.at.is_word_end(0) {
            Ok(start..end)
        } else {
            Err(self.at.refusal("did not find expected whitespace or line break"))
        }
    }

    /// Skips letters, digits, `_` and `-`, and answers how many.
    fn word(&mut self) -> Result<usize> {
        let start = self.at.pos;
        self.at.need(1)?;
        while is_word(self.at.byte()) {
            self.at.skip();
            self.at.need(1)?;
        }
        Ok(self.at.pos - start)
    }
}

const URI: &[u8] = b";/?:@&=+$,.!~*'()[]";

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
