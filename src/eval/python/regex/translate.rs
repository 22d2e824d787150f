//! A pattern of Python comes in, the same in the syntax of `fancy-regex` goes out; what
//! Python refuses is refused in its words.

use super::Flags;
use super::group::Opened;
use crate::eval::python::{Exception, Result};

/// A pattern in the syntax of `fancy-regex`.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) pattern: String,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

/// How many characters something matches, at least and at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Width(pub(super) u64, pub(super) u64);

/// What a repetition repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Where it begins in what was written.
    pub(super) start: usize,
    pub(super) width: Width,
    pub(super) kind: ItemKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Some,
    Position,
    Repeated,
}

/// A group that is open, or the whole pattern.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) opened: Opened,
    /// Where it was opened in the pattern, and in what was written.
    pub(super) at: usize,
    pub(super) start: usize,
    pub(super) flags: Flags,
    /// The width of what precedes `item`, and of the alternatives before.
    pub(super) width: Width,
    pub(super) item: Option<Item>,
    pub(super) others: Option<Width>,
}

/// The pattern that is read, and what was written of it.
pub(super) struct Translator {
    /// Whether only texts of ASCII are meant.
    pub(super) narrow: bool,
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) out: String,
    pub(super) open: Vec<Frame>,
    pub(super) frame: Frame,
    /// The width of each group, once it is closed.
    pub(super) groups: Vec<Option<Width>>,
    pub(super) names: Vec<(String, usize)>,
    /// Groups that conditions ask for before they are there.
    pub(super) asked: Vec<(usize, usize)>,
}

/// The deepest nesting of groups.
const NESTING: usize = 200;

pub(super) fn translate(pattern: &str, flags: Flags, narrow: bool) -> Result<Translated> {
    let mut translator = Translator {
        narrow,
        chars: pattern.chars().collect(),
        at: 0,
        out: String::with_capacity(pattern.len() * 2),
        open: Vec::new(),
        frame: Frame::new(Opened::Whole, 0, 0, flags),
        groups: Vec::new(),
        names: Vec::new(),
        asked: Vec::new(),
    };
    while let Some(c) = translator.next() {
        translator.step(c)?;
    }
    translator.finish()
}

impl Translator {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    pub(super) fn wrong(&self, what: &str, at: usize) -> Box<Exception> {
        let before = &self.chars[..at.min(self.chars.len())];
        if !self.chars.contains(&'\n') {
            return Exception::of_value(format!("{what} at position {at}"));
        }
        let line = before.iter().filter(|c| **c == '\n').count() + 1;
        let column = before.iter().rev().take_while(|c| **c != '\n').count() + 1;
        let place = format!("at position {at} (line {line}, column {column})");
        Exception::of_value(format!("{what} {place}"))
    }

    fn step(&mut self, c: char) -> Result<()> {
        let flags = self.frame.flags;
        match c {
            ' ' | '\t'..='\r' if flags.verbose => {}
            '#' if flags.verbose => while self.next().is_some_and(|c| c != '\n') {},
            '|' => self.alternative()?,
            '(' if self.open.len() >= NESTING => {
                let message = format!("groups nest deeper than {NESTING}");
                return Err(self.wrong(&message, self.at - 1));
            }
            '(' => self.open()?,
            ')' => self.close()?,
            '[' => self.set()?,
            '*' | '+' | '?' | '{' => self.repeat(c)?,
            '^' if flags.multiline => self.position("(?m:^)"),
            '^' => self.position(r"\A"),
            '$' if flags.multiline => self.position("(?m:$)"),
            '$' => self.position(r"(?=\n?\z)"),
            '.' if flags.dotall => self.item("(?s:.)", Width(1, 1)),
            '.' => self.item(r"[^\n]", Width(1, 1)),
            '\\' => self.escape()?,
            c => self.literal(c),
        }
        Ok(())
    }

    /// Writes an item.
    pub(super) fn item(&mut self, text: &str, width: Width) {
        let start = self.out.len();
        self.out.push_str(text);
        self.frame.push(Item { start, width, kind: ItemKind::Some });
    }

    pub(super) fn position(&mut self, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        let kind = ItemKind::Position;
        self.frame.push(Item { start, width: Width(0, 0), kind });
    }

    pub(super) fn literal(&mut self, c: char) {
        let start = self.out.len();
        if r"\.+*?()|[]{}^$".contains(c) {
            self.out.push('\\');
        }
        self.out.push(c);
        self.frame.push(Item { start, width: Width(1, 1), kind: ItemKind::Some });
    }

    fn alternative(&mut self) -> Result<()> {
        if let Opened::Condition(branches) = &mut self.frame.opened {
            *branches += 1;
            if *branches > 2 {
                let message = "conditional backref with more than two branches";
                return Err(self.wrong(message, self.at - 1));
            }
        }
        self.frame.others = Some(self.frame.total());
        (self.frame.width, self.frame.item) = (Width(0, 0), None);
        self.out.push('|');
        Ok(())
    }

    fn finish(self) -> Result<Translated> {
        if !self.open.is_empty() {
            let message = "missing ), unterminated subpattern";
            return Err(self.wrong(message, self.frame.at));
        }
        let missing = |(group, _): &&(usize, usize)| *group > self.groups.len();
        if let Some((group, at)) = self.asked.iter().find(missing) {
            return Err(self.wrong(&format!("invalid group reference {group}"), *at));
        }
        let pattern = if self.frame.flags.ignorecase {
            format!("(?i:{})", self.out)
        } else {
            self.out
        };
        Ok(Translated { pattern, groups: self.groups.len(), names: self.names })
    }
}

impl Frame {
    pub(super) fn new(opened: Opened, at: usize, start: usize, flags: Flags) -> Frame {
        let (width, item, others) = (Width(0, 0), None, None);
        Frame { opened, at, start, flags, width, item, others }
    }

    pub(super) fn push(&mut self, item: Item) {
        self.width = self.sequence();
        self.item = Some(item);
    }

    fn sequence(&self) -> Width {
        self.item.map_or(self.width, |item| self.width.plus(item.width))
    }

    /// The width of all its alternatives.
    pub(super) fn total(&self) -> Width {
        let last = self.sequence();
        self.others
            .map_or(last, |others| Width(others.0.min(last.0), others.1.max(last.1)))
    }
}

impl Width {
    fn plus(self, other: Width) -> Width {
        Width(self.0.saturating_add(other.0), self.1.saturating_add(other.1))
    }
}
