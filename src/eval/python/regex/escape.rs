//! What follows a backslash comes in: a class, a position, a reference to a group or a
//! character.

use super::translate::{Translator, Width};
use crate::eval::python::Result;

impl Translator {
    /// What follows a backslash outside of a set.
    pub(super) fn escape(&mut self) -> Result<()> {
        let (at, ascii) = (self.at - 1, self.frame.flags.ascii);
        let Some(c) = self.peek() else {
            return Err(self.wrong("bad escape (end of pattern)", at));
        };
        if let Some(class) = self.class(c) {
            self.at += 1;
            self.item(&format!("[{class}]"), Width(1, 1));
            return Ok(());
        }
        let position = match (c, ascii) {
            ('A', _) => r"\A",
            ('Z', _) => r"\z",
            ('b', false) => r"\b",
            // Python's does not match the empty text.
            ('B', false) => r"(?:(?!\A\z)\B)",
            ('b', true) => {
                "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))"
            }
            ('B', true) => {
                r"(?:(?!\A\z)(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_])))"
            }
            ('1'..='9', _) => return self.reference(at),
            _ => {
                let c = self.character(false)?;
                self.literal(c);
                return Ok(());
            }
        };
        self.at += 1;
        self.position(position);
        Ok(())
    }

    /// `\1`, or a character by three octal digits.
    fn reference(&mut self, at: usize) -> Result<()> {
        let octal = self.chars[self.at..].iter().take(3);
        if octal.take_while(|c| c.is_digit(8)).count() == 3 {
            let c = self.octal(3, at)?;
            self.literal(c);
            return Ok(());
        }
        let digits: String = self.chars[self.at..]
            .iter()
            .take(2)
            .take_while(|c| c.is_ascii_digit())
            .collect();
        self.at += digits.len();
        self.refer(digits.parse().unwrap_or(0), at + 1)
    }

    /// Writes a reference to a group.
    pub(super) fn refer(&mut self, group: usize, at: usize) -> Result<()> {
        let Some(width) = group.checked_sub(1).and_then(|at| self.groups.get(at)) else {
            return Err(self.wrong(&format!("invalid group reference {group}"), at));
        };
        let Some(width) = *width else {
            return Err(self.wrong("cannot refer to an open group", at - 1));
        };
        self.item(&format!("(?:\\{group})"), width);
        Ok(())
    }

    /// A character, after its backslash.
    pub(super) fn character(&mut self, in_set: bool) -> Result<char> {
        let at = self.at - 1;
        let Some(c) = self.next() else {
            return Err(self.wrong("bad escape (end of pattern)", at));
        };
        match c {
            'a' => Ok('\x07'),
            'f' => Ok('\x0c'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\x0b'),
            'x' => self.code(2, at),
            'u' => self.code(4, at),
            'U' => self.code(8, at),
            '0'..='7' if in_set || c == '0' => {
                self.at -= 1;
                self.octal(3, at)
            }
            c if c.is_ascii_alphanumeric() => {
                Err(self.wrong(&format!("bad escape \\{c}"), at))
            }
            c => Ok(c),
        }
    }

    fn octal(&mut self, most: usize, at: usize) -> Result<char> {
        let rest = self.chars[self.at..].iter().take(most);
        let digits: String = rest.take_while(|c| c.is_digit(8)).collect();
        self.at += digits.len();
        let value = u32::from_str_radix(&digits, 8).unwrap_or(0);
        match char::from_u32(value) {
            Some(c) if value <= 0o377 => Ok(c),
            _ => {
                let message =
                    format!("octal escape value \\{digits} outside of range 0-0o377");
                Err(self.wrong(&message, at))
            }
        }
    }

    /// A character by its hexadecimal number of so many digits.
    fn code(&mut self, digits: usize, at: usize) -> Result<char> {
        let rest = self.chars[self.at..].iter().take(digits);
        let hex: String = rest.take_while(|c| c.is_ascii_hexdigit()).collect();
        self.at += hex.len();
        let value = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
        match value {
            Some(c) if hex.len() == digits => Ok(c),
            _ => {
                let escape: String = self.chars[at..self.at].iter().collect();
                let kind = if hex.len() < digits { "incomplete" } else { "bad" };
                Err(self.wrong(&format!("{kind} escape {escape}"), at))
            }
        }
    }
}
