//! `(` and what follows it comes in, and `)`; groups of `fancy-regex` go out. All that
//! capture do so by number, names are known here.

use super::Flags;
use super::translate::{Frame, Item, ItemKind, Translator, Width};
use crate::eval::python::Result;

/// What a parenthesis opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// Nothing: the pattern itself.
    Whole,
    /// `(?:`
    Plain,
    /// `(`
    Group(usize),
    /// `(?=`
    Ahead,
    /// `(?<=`
    Behind,
    /// `(?(1)`, and how many branches there are so far
    Condition(usize),
}

/// Whether it can be the name of a group.
pub(super) fn is_name(text: &str) -> bool {
    let starts = |c: char| c.is_alphabetic() || c == '_';
    text.starts_with(starts) && text.chars().all(|c| starts(c) || c.is_alphanumeric())
}

/// A name as messages show it.
pub(super) fn quoted(name: &str) -> Result<String> {
    crate::eval::python::repr(&name.into())
}

impl Translator {
    pub(super) fn open(&mut self) -> Result<()> {
        let at = self.at - 1;
        if !self.eat('?') {
            self.capture(at, None)?;
            return Ok(());
        }
        match self.next() {
            None => Err(self.wrong("unexpected end of pattern", self.at)),
            Some('P') => self.open_named(at),
            Some(':') => self.enter(Opened::Plain, at, "(?:"),
            Some('>') => self.enter(Opened::Plain, at, "(?>"),
            Some('#') => loop {
                match self.next() {
                    None => {
                        return Err(self.wrong("missing ), unterminated comment", at));
                    }
                    Some(')') => return Ok(()),
                    Some(_) => {}
                }
            },
            Some('=') => self.enter(Opened::Ahead, at, "(?="),
            Some('!') => self.enter(Opened::Ahead, at, "(?!"),
            Some('<') => match self.next() {
                None => Err(self.wrong("unexpected end of pattern", self.at)),
                Some('=') => self.enter(Opened::Behind, at, "(?<="),
                Some('!') => self.enter(Opened::Behind, at, "(?<!"),
                Some(c) => Err(self.wrong(&format!("unknown extension ?<{c}"), at + 1)),
            },
            Some('(') => self.open_condition(at),
            Some(c) if c == '-' || c.is_ascii_alphabetic() => self.open_flags(c, at),
            Some(c) => Err(self.wrong(&format!("unknown extension ?{c}"), at + 1)),
        }
    }

    pub(super) fn close(&mut self) -> Result<()> {
        let Some(outer) = self.open.pop() else {
            return Err(self.wrong("unbalanced parenthesis", self.at - 1));
        };
        let inner = std::mem::replace(&mut self.frame, outer);
        let mut width = inner.total();
        match inner.opened {
            Opened::Behind if width.0 != width.1 => {
                return Err(self.wrong_without_place());
            }
            Opened::Ahead | Opened::Behind => width = Width(0, 0),
            Opened::Group(number) => self.groups[number - 1] = Some(width),
            Opened::Condition(1) => width.0 = 0,
            Opened::Whole | Opened::Plain | Opened::Condition(_) => {}
        }
        self.out.push(')');
        self.frame.push(Item { start: inner.start, width, kind: ItemKind::Some });
        Ok(())
    }

    fn wrong_without_place(&self) -> Box<crate::eval::python::Exception> {
        crate::eval::python::Exception::of_value(
            "look-behind requires fixed-width pattern",
        )
    }

    fn enter(&mut self, opened: Opened, at: usize, text: &str) -> Result<()> {
        let frame = Frame::new(opened, at, self.out.len(), self.frame.flags);
        self.open.push(std::mem::replace(&mut self.frame, frame));
        self.out.push_str(text);
        Ok(())
    }

    fn capture(&mut self, at: usize, name: Option<String>) -> Result<()> {
        self.groups.push(None);
        let number = self.groups.len();
        if let Some(name) = name {
            if let Some((_, other)) = self.names.iter().find(|(known, _)| *known == name)
            {
                let what = format!(
                    "redefinition of group name '{name}' as group {number}; was group {other}"
                );
                return Err(self.wrong(&what, at + 4));
            }
            self.names.push((name, number));
        }
        self.enter(Opened::Group(number), at, "(")
    }

    /// `(?P<name>` and `(?P=name)`
    fn open_named(&mut self, at: usize) -> Result<()> {
        match self.next() {
            Some('<') => {
                let name = self.name('>')?;
                self.capture(at, Some(name))
            }
            Some('=') => {
                let start = self.at;
                let name = self.name(')')?;
                match self.names.iter().find(|(known, _)| *known == name) {
                    Some((_, number)) => self.refer(*number, start),
                    None => Err(self
                        .wrong(&format!("unknown group name {}", quoted(&name)?), start)),
                }
            }
            Some(c) => Err(self.wrong(&format!("unknown extension ?P{c}"), at + 1)),
            None => Err(self.wrong("unexpected end of pattern", self.at)),
        }
    }

    /// A name that ends at a character.
    fn name(&mut self, end: char) -> Result<String> {
        let name = self.until(end)?;
        if is_name(&name) {
            Ok(name)
        } else {
            let start = self.at - 1 - name.chars().count();
            let what = format!("bad character in group name {}", quoted(&name)?);
            Err(self.wrong(&what, start))
        }
    }

    fn until(&mut self, end: char) -> Result<String> {
        let start = self.at;
        let length = self.chars[start..].iter().position(|c| *c == end);
        match length {
            Some(0) => Err(self.wrong("missing group name", start)),
            Some(length) => {
                self.at = start + length + 1;
                Ok(self.chars[start..start + length].iter().collect())
            }
            None if start == self.chars.len() => {
                Err(self.wrong("missing group name", start))
            }
            None => Err(self.wrong(&format!("missing {end}, unterminated name"), start)),
        }
    }

    /// `(?(1)`
    fn open_condition(&mut self, at: usize) -> Result<()> {
        let start = self.at;
        let name = self.until(')')?;
        let number = if name.bytes().all(|b| b.is_ascii_digit()) {
            name.parse().unwrap_or(usize::MAX)
        } else if !is_name(&name) {
            let what = format!("bad character in group name {}", quoted(&name)?);
            return Err(self.wrong(&what, start));
        } else {
            match self.names.iter().find(|(known, _)| *known == name) {
                Some((_, number)) => *number,
                None => {
                    let what = format!("unknown group name {}", quoted(&name)?);
                    return Err(self.wrong(&what, start));
                }
            }
        };
        if number == 0 {
            return Err(self.wrong("bad group number", start));
        }
        self.asked.push((number, start));
        self.enter(Opened::Condition(1), at, &format!("(?({number})"))
    }

    /// `(?i)` and `(?i-s:`
    fn open_flags(&mut self, first: char, at: usize) -> Result<()> {
        let (mut flags, mut c, mut on) = (self.frame.flags, first, true);
        loop {
            match c {
                '-' if on => on = false,
                ')' if on => return self.set_flags(flags, at),
                ':' => break,
                _ => self.flag(&mut flags, c, on)?,
            }
            c = self.next().ok_or_else(|| {
                self.wrong(if on { "missing -, : or )" } else { "missing :" }, self.at)
            })?;
        }
        let text = match (self.frame.flags.ignorecase, flags.ignorecase) {
            (false, true) => "(?i:",
            (true, false) => "(?-i:",
            _ => "(?:",
        };
        self.enter(Opened::Plain, at, text)?;
        self.frame.flags = flags;
        Ok(())
    }

    fn set_flags(&mut self, flags: Flags, at: usize) -> Result<()> {
        let frame = &self.frame;
        let first = frame.opened == Opened::Whole
            && frame.item.is_none()
            && frame.others.is_none();
        if !first {
            let what = "global flags not at the start of the expression";
            return Err(self.wrong(what, at));
        }
        self.frame.flags = flags;
        Ok(())
    }

    fn flag(&self, flags: &mut Flags, c: char, on: bool) -> Result<()> {
        match c {
            'i' => flags.ignorecase = on,
            'm' => flags.multiline = on,
            's' => flags.dotall = on,
            'x' => flags.verbose = on,
            'a' if on => flags.ascii = true,
            'u' if on => flags.ascii = false,
            'a' | 'u' | 'L' if !on => {
                let what = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
                return Err(self.wrong(what, self.at));
            }
            'L' => {
                let what = "bad inline flags: cannot use 'L' flag with a str pattern";
                return Err(self.wrong(what, self.at));
            }
            c if c.is_ascii_alphabetic() => {
                return Err(self.wrong("unknown flag", self.at - 1));
            }
            _ => {
                let what = if on { "missing -, : or )" } else { "missing :" };
                return Err(self.wrong(what, self.at - 1));
            }
        }
        Ok(())
    }
}
