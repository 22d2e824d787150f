//! Translates a Python pattern to the syntax of `fancy-regex`.
//!
//! Groups capture by number only; names are resolved here. Invalid patterns get the error
//! messages of Python's `re`.

use super::program::{Times, Width};
use crate::eval::python::literal::simple_escape;
use crate::eval::python::{Exception, Result};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    pub ignorecase: bool,
    pub multiline: bool,
    pub dotall: bool,
    pub verbose: bool,
    pub ascii: bool,
}

/// A pattern in the syntax of `fancy-regex`.
#[derive(Debug)]
pub struct Translation {
    pub pattern: String,
    pub groups: usize,
    pub names: Vec<(String, usize)>,
}

/// The part of a pattern that a repetition applies to.
#[derive(Clone, Copy, Debug)]
struct Atom {
    /// Byte offset in the output.
    start: usize,
    width: Width,
    kind: AtomKind,
}

/// The kind of an atom, which decides if it can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtomKind {
    Plain,
    Assertion,
    Repeated,
}

/// A group that is not closed yet, or the whole pattern.
#[derive(Debug)]
struct OpenGroup {
    kind: GroupKind,
    /// Position of its parenthesis in the pattern, and byte offset in the output.
    at: usize,
    start: usize,
    flags: Flags,
    /// Width of what precedes `atom` in the current alternative.
    width: Width,
    atom: Option<Atom>,
    others: Option<Width>,
}

/// A pattern that is being translated.
struct Translator {
    /// True if the pattern is for ASCII texts only.
    ascii_text: bool,
    chars: Vec<char>,
    at: usize,
    out: String,
    open: Vec<OpenGroup>,
    group: OpenGroup,
    /// Widths of the groups; `None` while a group is open.
    groups: Vec<Option<Width>>,
    names: Vec<(String, usize)>,
    /// Groups that conditions refer to, with the position of the reference.
    condition_targets: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    /// The whole pattern, without parentheses.
    Pattern,
    /// `(?:`, and all other groups that neither capture nor look around.
    Plain,
    /// `(`, with the number of the group.
    Capture(usize),
    /// `(?=` and `(?!`
    LookAhead,
    /// `(?<=` and `(?<!`
    LookBehind,
    /// `(?(1)`, with the number of branches so far.
    Condition(usize),
}

/// Maximum nesting of groups.
// Below the limit of 250 of `regex-syntax`, so that the error names a position.
const MAX_NESTING: usize = 200;

/// Translates a pattern. With `ascii_text` the result is valid for ASCII texts only.
pub fn translate(pattern: &str, flags: Flags, ascii_text: bool) -> Result<Translation> {
    let mut translator = Translator {
        ascii_text,
        chars: pattern.chars().collect(),
        at: 0,
        out: String::with_capacity(pattern.len() * 2),
        open: Vec::new(),
        group: OpenGroup::new(GroupKind::Pattern, 0, 0, flags),
        groups: Vec::new(),
        names: Vec::new(),
        condition_targets: Vec::new(),
    };
    while let Some(c) = translator.next() {
        translator.translate_character(c)?;
    }
    translator.finish()
}

impl Translator {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn error(&self, what: &str, at: usize) -> Box<Exception> {
        let before = &self.chars[..at.min(self.chars.len())];
        if !self.chars.contains(&'\n') {
            return Exception::of_value(format!("{what} at position {at}"));
        }
        let line = before.iter().filter(|c| **c == '\n').count() + 1;
        let column = before.iter().rev().take_while(|c| **c != '\n').count() + 1;
        let place = format!("at position {at} (line {line}, column {column})");
        Exception::of_value(format!("{what} {place}"))
    }

    fn translate_character(&mut self, c: char) -> Result<()> {
        let flags = self.group.flags;
        match c {
            ' ' | '\t'..='\r' if flags.verbose => {}
            '#' if flags.verbose => while self.next().is_some_and(|c| c != '\n') {},
            '|' => self.alternative()?,
            '(' if self.open.len() >= MAX_NESTING => {
                let message = format!("groups nest deeper than {MAX_NESTING}");
                return Err(self.error(&message, self.at - 1));
            }
            '(' => self.open_group()?,
            ')' => self.close_group()?,
            '[' => self.character_set()?,
            '*' | '+' | '?' | '{' => self.repetition(c)?,
            '^' if flags.multiline => self.write_assertion("(?m:^)"),
            '^' => self.write_assertion(r"\A"),
            '$' if flags.multiline => self.write_assertion("(?m:$)"),
            // Unlike Rust's, Python's `$` also matches before a final line break.
            '$' => self.write_assertion(r"(?=\n?\z)"),
            '.' if flags.dotall => self.write_atom("(?s:.)", Width(1, 1)),
            '.' => self.write_atom(r"[^\n]", Width(1, 1)),
            '\\' => self.escape()?,
            c => self.write_literal(c),
        }
        Ok(())
    }

    fn write_atom(&mut self, text: &str, width: Width) {
        let start = self.out.len();
        self.out.push_str(text);
        self.group.push(Atom { start, width, kind: AtomKind::Plain });
    }

    fn write_assertion(&mut self, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        self.group.push(Atom { start, width: Width(0, 0), kind: AtomKind::Assertion });
    }

    fn write_literal(&mut self, c: char) {
        let escape = if r"\.+*?()|[]{}^$".contains(c) { "\\" } else { "" };
        self.write_atom(&format!("{escape}{c}"), Width(1, 1));
    }

    fn alternative(&mut self) -> Result<()> {
        if let GroupKind::Condition(branches) = &mut self.group.kind {
            *branches += 1;
            if *branches > 2 {
                let message = "conditional backref with more than two branches";
                return Err(self.error(message, self.at - 1));
            }
        }
        self.group.others = Some(self.group.total());
        (self.group.width, self.group.atom) = (Width(0, 0), None);
        self.out.push('|');
        Ok(())
    }

    fn finish(self) -> Result<Translation> {
        if !self.open.is_empty() {
            return Err(self.error("missing ), unterminated subpattern", self.group.at));
        }
        let mut targets = self.condition_targets.iter();
        // A condition may precede its group, so this is checked at the end.
        if let Some((group, at)) = targets.find(|(group, _)| *group > self.groups.len()) {
            return Err(self.error(&format!("invalid group reference {group}"), *at));
        }
        let pattern = if self.group.flags.ignorecase {
            format!("(?i:{})", self.out)
        } else {
            self.out
        };
        Ok(Translation { pattern, groups: self.groups.len(), names: self.names })
    }

    fn open_group(&mut self) -> Result<()> {
        let at = self.at - 1;
        if !self.eat('?') {
            self.open_capture(at, None)?;
            return Ok(());
        }
        match self.next() {
            None => Err(self.error("unexpected end of pattern", self.at)),
            Some('P') => self.open_named(at),
            Some(':') => self.push_group(GroupKind::Plain, at, "(?:"),
            Some('>') => self.push_group(GroupKind::Plain, at, "(?>"),
            Some('#') => loop {
                match self.next() {
                    None => {
                        return Err(self.error("missing ), unterminated comment", at));
                    }
                    Some(')') => return Ok(()),
                    Some(_) => {}
                }
            },
            Some('=') => self.push_group(GroupKind::LookAhead, at, "(?="),
            Some('!') => self.push_group(GroupKind::LookAhead, at, "(?!"),
            Some('<') => match self.next() {
                None => Err(self.error("unexpected end of pattern", self.at)),
                Some('=') => self.push_group(GroupKind::LookBehind, at, "(?<="),
                Some('!') => self.push_group(GroupKind::LookBehind, at, "(?<!"),
                Some(c) => Err(self.error(&format!("unknown extension ?<{c}"), at + 1)),
            },
            Some('(') => self.open_condition(at),
            // Only `i` is passed on. `m`, `s` and `x` are resolved by the translation.
            Some(c) if c == '-' || c.is_ascii_alphabetic() => self.open_flags(c, at),
            Some(c) => Err(self.error(&format!("unknown extension ?{c}"), at + 1)),
        }
    }

    fn close_group(&mut self) -> Result<()> {
        let Some(outer) = self.open.pop() else {
            return Err(self.error("unbalanced parenthesis", self.at - 1));
        };
        let inner = std::mem::replace(&mut self.group, outer);
        let mut width = inner.total();
        match inner.kind {
            // `fancy-regex` may accept it.
            GroupKind::LookBehind if width.0 != width.1 => {
                let message = "look-behind requires fixed-width pattern";
                return Err(Exception::of_value(message));
            }
            GroupKind::LookAhead | GroupKind::LookBehind => width = Width(0, 0),
            GroupKind::Capture(number) => self.groups[number - 1] = Some(width),
            // Without a second branch the group may match nothing.
            GroupKind::Condition(1) => width.0 = 0,
            GroupKind::Pattern | GroupKind::Plain | GroupKind::Condition(_) => {}
        }
        self.out.push(')');
        self.group.push(Atom { start: inner.start, width, kind: AtomKind::Plain });
        Ok(())
    }

    fn push_group(&mut self, kind: GroupKind, at: usize, text: &str) -> Result<()> {
        let group = OpenGroup::new(kind, at, self.out.len(), self.group.flags);
        self.open.push(std::mem::replace(&mut self.group, group));
        self.out.push_str(text);
        Ok(())
    }

    fn open_capture(&mut self, at: usize, name: Option<String>) -> Result<()> {
        self.groups.push(None);
        let number = self.groups.len();
        if let Some(name) = name {
            let known = self.names.iter().find(|(known, _)| *known == name);
            if let Some((_, other)) = known {
                let what = format!(
                    "redefinition of group name '{name}' as group {number}; was group {other}"
                );
                return Err(self.error(&what, at + 4));
            }
            self.names.push((name, number));
        }
        self.push_group(GroupKind::Capture(number), at, "(")
    }

    /// Translates `(?P<name>` or `(?P=name)`.
    fn open_named(&mut self, at: usize) -> Result<()> {
        match self.next() {
            Some('<') => {
                let name = self.group_name('>')?;
                self.open_capture(at, Some(name))
            }
            Some('=') => {
                let start = self.at;
                let name = self.group_name(')')?;
                let number = self.group_number(&name, start)?;
                self.group_reference(number, start)
            }
            Some(c) => Err(self.error(&format!("unknown extension ?P{c}"), at + 1)),
            None => Err(self.error("unexpected end of pattern", self.at)),
        }
    }

    /// Reads the name of a group up to the character `end`.
    fn group_name(&mut self, end: char) -> Result<String> {
        let name = self.name_until(end)?;
        self.check_name(&name, self.at - 1 - name.chars().count())?;
        Ok(name)
    }

    fn check_name(&self, name: &str, at: usize) -> Result<()> {
        if is_name(name) {
            return Ok(());
        }
        Err(self.error(&format!("bad character in group name {}", quoted(name)?), at))
    }

    fn group_number(&self, name: &str, at: usize) -> Result<usize> {
        match self.names.iter().find(|(known, _)| known == name) {
            Some((_, number)) => Ok(*number),
            None => Err(self.error(&format!("unknown group name {}", quoted(name)?), at)),
        }
    }

    fn name_until(&mut self, end: char) -> Result<String> {
        let start = self.at;
        let length = self.chars[start..].iter().position(|c| *c == end);
        match length {
            Some(0) => Err(self.error("missing group name", start)),
            Some(length) => {
                self.at = start + length + 1;
                Ok(self.chars[start..start + length].iter().collect())
            }
            None if start == self.chars.len() => {
                Err(self.error("missing group name", start))
            }
            None => Err(self.error(&format!("missing {end}, unterminated name"), start)),
        }
    }

    /// Translates `(?(1)`.
    fn open_condition(&mut self, at: usize) -> Result<()> {
        let start = self.at;
        let name = self.name_until(')')?;
        let number = if name.bytes().all(|b| b.is_ascii_digit()) {
            name.parse().unwrap_or(usize::MAX)
        } else {
            self.check_name(&name, start)?;
            self.group_number(&name, start)?
        };
        if number == 0 {
            return Err(self.error("bad group number", start));
        }
        self.condition_targets.push((number, start));
        self.push_group(GroupKind::Condition(1), at, &format!("(?({number})"))
    }

    /// Translates `(?i)` or `(?i-s:`.
    fn open_flags(&mut self, first: char, at: usize) -> Result<()> {
        let mut flags = self.group.flags;
        let mut c = first;
        let mut on = true;
        loop {
            match c {
                '-' if on => on = false,
                ')' if on => return self.set_flags(flags, at),
                ':' => break,
                _ => self.inline_flag(&mut flags, c, on)?,
            }
            c = self.next().ok_or_else(|| {
                self.error(if on { "missing -, : or )" } else { "missing :" }, self.at)
            })?;
        }
        let text = match (self.group.flags.ignorecase, flags.ignorecase) {
            (false, true) => "(?i:",
            (true, false) => "(?-i:",
            _ => "(?:",
        };
        self.push_group(GroupKind::Plain, at, text)?;
        self.group.flags = flags;
        Ok(())
    }

    fn set_flags(&mut self, flags: Flags, at: usize) -> Result<()> {
        let group = &self.group;
        let first = group.kind == GroupKind::Pattern
            && group.atom.is_none()
            && group.others.is_none();
        if !first {
            return Err(self.error("global flags not at the start of the expression", at));
        }
        self.group.flags = flags;
        Ok(())
    }

    fn inline_flag(&self, flags: &mut Flags, c: char, on: bool) -> Result<()> {
        match c {
            'i' => flags.ignorecase = on,
            'm' => flags.multiline = on,
            's' => flags.dotall = on,
            'x' => flags.verbose = on,
            'a' if on => flags.ascii = true,
            'u' if on => flags.ascii = false,
            'a' | 'u' | 'L' if !on => {
                let what = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
                return Err(self.error(what, self.at));
            }
            'L' => {
                let what = "bad inline flags: cannot use 'L' flag with a str pattern";
                return Err(self.error(what, self.at));
            }
            c if c.is_ascii_alphabetic() => {
                return Err(self.error("unknown flag", self.at - 1));
            }
            _ => {
                let what = if on { "missing -, : or )" } else { "missing :" };
                return Err(self.error(what, self.at - 1));
            }
        }
        Ok(())
    }

    fn repetition(&mut self, c: char) -> Result<()> {
        let at = self.at - 1;
        let times = match c {
            '*' => Times { min: 0, max: usize::MAX },
            '+' => Times { min: 1, max: usize::MAX },
            '?' => Times { min: 0, max: 1 },
            _ => match self.repetition_bounds(at)? {
                Some(times) => times,
                None => {
                    self.write_literal('{');
                    return Ok(());
                }
            },
        };
        let atom = match self.group.atom {
            None | Some(Atom { kind: AtomKind::Assertion, .. }) => {
                return Err(self.error("nothing to repeat", at));
            }
            Some(Atom { kind: AtomKind::Repeated, .. }) => {
                return Err(self.error("multiple repeat", at));
            }
            Some(atom) => atom,
        };
        let lazy = self.eat('?');
        let possessive = !lazy && self.eat('+');
        self.write_repeated(atom, times, if lazy { "?" } else { "" });
        if possessive {
            // A possessive repetition is an atomic group around a greedy one.
            self.out.insert_str(atom.start, "(?>");
            self.out.push(')');
        }
        let width = atom.width.times(times);
        self.group.atom = Some(Atom { width, kind: AtomKind::Repeated, ..atom });
        Ok(())
    }

    fn write_repeated(&mut self, atom: Atom, times: Times, lazy: &str) {
        if atom.width.1 == 0 {
            // Many occurrences of an empty match are equivalent to one, and the parser of
            // `fancy-regex` refuses to repeat an assertion.
            let (open, close) = match (times.min, lazy) {
                (0, "") => ("(?:", "|)"),
                (0, _) => ("(?:|", ")"),
                _ => ("(?:", ")"),
            };
            self.out.insert_str(atom.start, open);
            self.out.push_str(close);
            return;
        }
        let count = match (times.min, times.max) {
            (0, usize::MAX) => "*".to_owned(),
            (1, usize::MAX) => "+".to_owned(),
            (0, 1) => "?".to_owned(),
            (min, usize::MAX) => format!("{{{min},}}"),
            (min, max) if min == max => return self.out.push_str(&format!("{{{min}}}")),
            (min, max) => format!("{{{min},{max}}}"),
        };
        self.out.push_str(&count);
        self.out.push_str(lazy);
    }

    /// Reads the bounds `2,3}` of a repetition. Returns `None` if the brace is a literal.
    fn repetition_bounds(&mut self, at: usize) -> Result<Option<Times>> {
        let before = self.at;
        if self.peek() == Some('}') {
            return Ok(None);
        }
        let min = self.digits(usize::MAX, 10);
        let max = if self.eat(',') { self.digits(usize::MAX, 10) } else { min.clone() };
        if !self.eat('}') {
            self.at = before;
            return Ok(None);
        }
        let number = |digits: &str, default: usize| match digits.parse::<u32>() {
            _ if digits.is_empty() => Ok(default),
            Ok(number) if number < u32::MAX => Ok(number as usize),
            _ => Err(self.error("the repetition number is too large", at)),
        };
        let times = Times { min: number(&min, 0)?, max: number(&max, usize::MAX)? };
        if times.max < times.min {
            return Err(self.error("min repeat greater than max repeat", at + 1));
        }
        Ok(Some(times))
    }

    /// Takes as many digits as there are, up to `most`.
    fn digits(&mut self, most: usize, radix: u32) -> String {
        let rest = self.chars[self.at..].iter().take(most);
        let digits: String = rest.take_while(|c| c.is_digit(radix)).collect();
        self.at += digits.len();
        digits
    }

    /// Translates an escape outside of a set.
    fn escape(&mut self) -> Result<()> {
        let at = self.at - 1;
        let ascii = self.group.flags.ascii;
        let Some(c) = self.peek() else {
            return Err(self.error("bad escape (end of pattern)", at));
        };
        if let Some(class) = self.class(c) {
            self.at += 1;
            self.write_atom(&format!("[{class}]"), Width(1, 1));
            return Ok(());
        }
        let position = match (c, ascii) {
            ('A', _) => r"\A",
            ('Z', _) => r"\z",
            ('b', false) => r"\b",
            // In Python 3.11 `\B` does not match in an empty text.
            ('B', false) => r"(?:(?!\A\z)\B)",
            ('b', true) => {
                "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))"
            }
            ('B', true) => {
                r"(?:(?!\A\z)(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_])))"
            }
            ('1'..='9', _) => return self.numeric_reference(at),
            _ => {
                let c = self.character_escape(false)?;
                self.write_literal(c);
                return Ok(());
            }
        };
        self.at += 1;
        self.write_assertion(position);
        Ok(())
    }

    /// Translates `\1`, or a character given by three octal digits.
    fn numeric_reference(&mut self, at: usize) -> Result<()> {
        // Three octal digits are a character even if there is a group of that number.
        let octal = self.chars[self.at..].iter().take(3);
        if octal.take_while(|c| c.is_digit(8)).count() == 3 {
            let c = self.octal_escape(at)?;
            self.write_literal(c);
            return Ok(());
        }
        let number = self.digits(2, 10).parse().unwrap_or(0);
        self.group_reference(number, at + 1)
    }

    fn group_reference(&mut self, group: usize, at: usize) -> Result<()> {
        let Some(width) = group.checked_sub(1).and_then(|at| self.groups.get(at)) else {
            return Err(self.error(&format!("invalid group reference {group}"), at));
        };
        let Some(width) = *width else {
            return Err(self.error("cannot refer to an open group", at - 1));
        };
        // Grouped, so that a digit that follows is not read as part of the number.
        self.write_atom(&format!("(?:\\{group})"), width);
        Ok(())
    }

    /// Reads the character of an escape, after its backslash.
    fn character_escape(&mut self, in_set: bool) -> Result<char> {
        let at = self.at - 1;
        let Some(c) = self.next() else {
            return Err(self.error("bad escape (end of pattern)", at));
        };
        match c {
            // In a set `\b` is a backspace; outside it is handled as an assertion.
            c if let Some(escaped) = simple_escape(c) => Ok(escaped),
            'x' => self.hex_escape(2, at),
            'u' => self.hex_escape(4, at),
            'U' => self.hex_escape(8, at),
            '0'..='7' if in_set || c == '0' => {
                self.at -= 1;
                self.octal_escape(at)
            }
            c if c.is_ascii_alphanumeric() => {
                Err(self.error(&format!("bad escape \\{c}"), at))
            }
            c => Ok(c),
        }
    }

    fn octal_escape(&mut self, at: usize) -> Result<char> {
        let digits = self.digits(3, 8);
        let value = u32::from_str_radix(&digits, 8).unwrap_or(0);
        match char::from_u32(value) {
            Some(c) if value <= 0o377 => Ok(c),
            _ => {
                let what =
                    format!("octal escape value \\{digits} outside of range 0-0o377");
                Err(self.error(&what, at))
            }
        }
    }

    /// Reads a character given by exactly `digits` hexadecimal digits.
    fn hex_escape(&mut self, digits: usize, at: usize) -> Result<char> {
        let hex = self.digits(digits, 16);
        match u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32) {
            Some(c) if hex.len() == digits => Ok(c),
            _ => {
                let escape: String = self.chars[at..self.at].iter().collect();
                let kind = if hex.len() < digits { "incomplete" } else { "bad" };
                Err(self.error(&format!("{kind} escape {escape}"), at))
            }
        }
    }

    /// Translates a set, after its `[`.
    fn character_set(&mut self) -> Result<()> {
        let kind = self.at - 1;
        let mut set = String::from("[");
        if self.eat('^') {
            set.push('^');
        }
        let first = self.at;
        loop {
            let at = self.at;
            match self.peek() {
                Some(']') if self.at > first => break,
                Some(_) => {}
                None => return Err(self.unterminated(kind)),
            }
            let low = self.set_member(kind)?;
            let ranged = self.eat('-');
            if !ranged || matches!(self.peek(), Some(']')) {
                low.push_to(&mut set);
                if ranged {
                    SetMember::Char('-').push_to(&mut set);
                }
                continue;
            }
            let high = self.set_member(kind)?;
            match (low, high) {
                (SetMember::Char(low), SetMember::Char(high)) if low <= high => {
                    SetMember::Char(low).push_to(&mut set);
                    set.push('-');
                    SetMember::Char(high).push_to(&mut set);
                }
                _ => {
                    let range: String = self.chars[at..self.at].iter().collect();
                    return Err(self.error(&format!("bad character range {range}"), at));
                }
            }
        }
        self.at += 1;
        set.push(']');
        self.write_atom(&set, Width(1, 1));
        Ok(())
    }

    fn set_member(&mut self, kind: usize) -> Result<SetMember> {
        match self.next() {
            None => Err(self.unterminated(kind)),
            Some('\\') => match self.peek() {
                Some(c) if let Some(class) = self.class(c) => {
                    self.at += 1;
                    Ok(SetMember::Class(class))
                }
                _ => self.character_escape(true).map(SetMember::Char),
            },
            Some(c) => Ok(SetMember::Char(c)),
        }
    }

    fn unterminated(&self, kind: usize) -> Box<Exception> {
        self.error("unterminated character set", kind)
    }

    /// Returns the members of a class such as `\d`, in the syntax of a set.
    fn class(&self, letter: char) -> Option<&'static str> {
        match (letter, self.group.flags.ascii) {
            // Python's `str.isspace` includes the separators U+001C to U+001F, even for
            // ASCII texts if the flag `re.A` is not set.
            ('s', false) if self.ascii_text => Some(r"\x1C-\x20\t-\r"),
            ('S', false) if self.ascii_text => Some(r"[^\x1C-\x20\t-\r]"),
            (letter, ascii) => class(letter, ascii || self.ascii_text),
        }
    }
}

impl OpenGroup {
    fn new(kind: GroupKind, at: usize, start: usize, flags: Flags) -> OpenGroup {
        OpenGroup { kind, at, start, flags, width: Width(0, 0), atom: None, others: None }
    }

    fn push(&mut self, atom: Atom) {
        self.width = self.sequence();
        self.atom = Some(atom);
    }

    fn sequence(&self) -> Width {
        self.atom.map_or(self.width, |atom| self.width.plus(atom.width))
    }

    /// Returns the width over all alternatives.
    fn total(&self) -> Width {
        let last = self.sequence();
        self.others.map_or(last, |others| others.or(last))
    }
}

enum SetMember {
    Char(char),
    Class(&'static str),
}

impl SetMember {
    fn push_to(&self, set: &mut String) {
        match self {
            SetMember::Char(c) if c.is_ascii_alphanumeric() || !c.is_ascii() => {
                set.push(*c);
            }
            // All punctuation is escaped: `[`, `&&` and `--` mean more in Rust's sets
            // than in Python's.
            SetMember::Char(c) => set.push_str(&format!("\\x{{{:X}}}", u32::from(*c))),
            SetMember::Class(class) => set.push_str(class),
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

pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns a name in quotes, as in error messages.
pub fn quoted(name: &str) -> Result<String> {
    crate::eval::python::repr(&name.into())
}
