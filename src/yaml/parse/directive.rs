//! Directives: `%YAML 1.2`, `%TAG ! prefix`, and reserved ones.

use crate::arena::{Handle, Range};
use crate::diagnostic::Result;

use super::Parser;
use super::property::is_uri;

impl Parser<'_> {
    /// Reads the directive at the cursor and goes to the next line. `versioned`: a `%YAML`
    /// stands before it.
    pub(super) fn directive(&mut self, versioned: &mut bool) -> Result<()> {
        let start = self.at;
        let words = self.words();
        match (words.first().map(|&word| self.name(word)), &words[1..]) {
            (Some(b"%YAML"), _) if self.go => {}
            (Some(b"%YAML"), &[version]) => {
                if std::mem::replace(versioned, true) {
                    let end = version.1 as usize;
                    return self.error("found duplicate %YAML directive", start, end);
                }
                self.version(version)?;
            }
            (Some(b"%TAG"), &[handle, prefix]) => self.tag_handle(handle, prefix)?,
            (Some(b"%YAML" | b"%TAG"), _) => {
                let end = self.at;
                return self.error("did not find expected whitespace", start, end);
            }
            (Some(b"%"), _) => {
                let message = "could not find expected directive name";
                return self.error(message, start, start + 1);
            }
            (_, _) => {}
        }
        self.next_line();
        Ok(())
    }

    /// The words of the line up to a comment; the cursor goes behind them.
    fn words(&mut self) -> Vec<Range> {
        let mut words = Vec::new();
        while !self.ends(self.at) && self.byte(self.at) != b'#' {
            let start = self.at;
            while !self.spaced(self.at) {
                self.at += 1;
            }
            words.push((start as u32, self.at as u32));
            self.skip_blanks();
        }
        words
    }

    fn version(&self, (start, end): Range) -> Result<()> {
        let text = self.name((start, end));
        let number =
            |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let mut parts = text.split(|&byte| byte == b'.');
        let (major, minor) = (parts.next(), parts.next());
        let well_formed = major.is_some_and(number) && minor.is_some_and(number);
        if !well_formed || parts.next().is_some() {
            let message = "did not find expected digit or '.' character";
            return self.error(message, start as usize, end as usize);
        }
        match major {
            Some(b"1") => Ok(()),
            _ => self.error(
                "found incompatible YAML document",
                start as usize,
                end as usize,
            ),
        }
    }

    fn tag_handle(&mut self, handle: Range, prefix: Range) -> Result<()> {
        let name = self.name(handle);
        let well_formed = match name {
            b"!" => true,
            [b'!', word @ .., b'!'] => {
                word.iter().all(|&byte| byte == b'-' || byte.is_ascii_alphanumeric())
                    || !self.strict
            }
            _ => false,
        };
        let (start, end) = (handle.0 as usize, handle.1 as usize);
        if !well_formed {
            return self.error("did not find expected '!'", start, end);
        }
        if !self.go && !is_uri(self.name(prefix), true) {
            let (start, end) = (prefix.0 as usize, prefix.1 as usize);
            return self.error("did not find expected tag URI", start, end);
        }
        if self.declared.insert(name, self.name(prefix)).is_some() {
            return self.error("found duplicate %TAG directive", start, end);
        }
        let section = self.sections.len() as u32;
        self.handles.push(Handle { section, name: handle, prefix });
        Ok(())
    }
}
