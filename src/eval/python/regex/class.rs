//! `[a-z\d]` and `\w` come in, sets of characters of `fancy-regex` go out, with Python's
//! idea of what a letter, a digit and a blank is.

use super::translate::{Translator, Width};
use crate::eval::python::Result;

/// A member of a set.
enum Member {
    Char(char),
    Class(&'static str),
}

impl Translator {
    /// A set, after its `[`.
    pub(super) fn set(&mut self) -> Result<()> {
        let (opened, mut set) = (self.at - 1, String::from("["));
        if self.eat('^') {
            set.push('^');
        }
        let first = self.at;
        loop {
            let at = self.at;
            match self.peek() {
                Some(']') if self.at > first => break,
                Some(_) => {}
                None => return Err(self.unterminated(opened)),
            }
            let low = self.member(opened)?;
            let ranged = self.eat('-');
            if !ranged || matches!(self.peek(), Some(']')) {
                low.push_to(&mut set);
                if ranged {
                    Member::Char('-').push_to(&mut set);
                }
                continue;
            }
            let high = self.member(opened)?;
            match (low, high) {
                (Member::Char(low), Member::Char(high)) if low <= high => {
                    Member::Char(low).push_to(&mut set);
                    set.push('-');
                    Member::Char(high).push_to(&mut set);
                }
                _ => {
                    let range: String = self.chars[at..self.at].iter().collect();
                    return Err(self.wrong(&format!("bad character range {range}"), at));
                }
            }
        }
        self.at += 1;
        set.push(']');
        self.item(&set, Width(1, 1));
        Ok(())
    }

    fn member(&mut self, opened: usize) -> Result<Member> {
        match self.next() {
            None => Err(self.unterminated(opened)),
            Some('\\') => match self.peek() {
                Some('b') => {
                    self.at += 1;
                    Ok(Member::Char('\x08'))
                }
                Some(c) if let Some(class) = self.class(c) => {
                    self.at += 1;
                    Ok(Member::Class(class))
                }
                _ => self.character(true).map(Member::Char),
            },
            Some(c) => Ok(Member::Char(c)),
        }
    }

    fn unterminated(&self, opened: usize) -> Box<crate::eval::python::Exception> {
        self.wrong("unterminated character set", opened)
    }
}

impl Member {
    fn push_to(&self, set: &mut String) {
        match self {
            Member::Char(c) if c.is_ascii_alphanumeric() || !c.is_ascii() => set.push(*c),
            Member::Char(c) => set.push_str(&format!("\\x{{{:X}}}", u32::from(*c))),
            Member::Class(class) => set.push_str(class),
        }
    }
}

impl Translator {
    /// What `\d` and its like are as a member of a set.
    pub(super) fn class(&self, letter: char) -> Option<&'static str> {
        match (letter, self.frame.flags.ascii) {
            // Python has these four among blanks, but for the flag.
            ('s', false) if self.narrow => Some(r"\x1C-\x20\t-\r"),
            ('S', false) if self.narrow => Some(r"[^\x1C-\x20\t-\r]"),
            (letter, ascii) => class(letter, ascii || self.narrow),
        }
    }
}

fn class(letter: char, ascii: bool) -> Option<&'static str> {
    Some(match (letter, ascii) {
        ('d', false) => r"\p{Nd}",
        ('D', false) => r"\P{Nd}",
        ('s', false) => r"\s\x1C-\x1F",
        ('S', false) => r"[^\s\x1C-\x1F]",
        ('w', false) => r"\p{L}\p{N}_",
        ('W', false) => r"[^\p{L}\p{N}_]",
        ('d', true) => "0-9",
        ('D', true) => "[^0-9]",
        ('s', true) => r"\x20\t-\r",
        ('S', true) => r"[^\x20\t-\r]",
        ('w', true) => "0-9A-Za-z_",
        ('W', true) => "[^0-9A-Za-z_]",
        _ => return None,
    })
}
