//! Parses path expressions. Only an empty path is an error: missing brackets are added,
//! superfluous ones ignored.

use std::mem;

use crate::eval::python::{Class, Exception, Result};

/// Maximum depth of filters. Deeper ones are refused, because filters are evaluated
/// recursively.
const MAX_FILTER_DEPTH: usize = 100;

/// A segment of a path: a selector, and conditions for the value that it leads to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Segment {
    pub(super) step: Selector,
    pub(super) filters: Vec<Vec<Segment>>,
    pub(super) test: Option<Test>,
    /// `?`: only the first value for which the rest of the path has results is followed.
    pub(super) first: bool,
    /// `!`: the filter that begins with this segment must have no match.
    pub(super) not: bool,
}

/// The selector of a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Selector {
    /// The value itself; of a list, its items.
    #[default]
    Same,
    /// The value itself, also if it is a list.
    Whole,
    /// `*`: all values of a mapping.
    Every,
    /// `name`: a key of a mapping.
    Key(String),
    /// `1`: an index of a list, and its text, for mappings.
    Index(i64, String),
    /// `$name`: the key that a variable holds.
    Variable(String),
}

/// A comparison of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Test {
    /// True for `=`, false for `!=`.
    pub(super) equal: bool,
    pub(super) right: Operand,
}

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// A text, read as the type of the left side.
    Text(String),
    /// `$name`: the value of a variable.
    Variable(String),
}

/// Parses a path.
///
/// # Errors
/// A `SyntaxError` if it is empty, or its filters nest too deep.
pub(super) fn parse(text: &str) -> Result<Vec<Segment>> {
    let mut levels = vec![PathBuilder::default()];
    let mut rest = text;
    while let Some(at) = rest.find(['[', ']', ':']) {
        let (piece, from) = rest.split_at(at);
        let level = innermost(&mut levels);
        level.text.push_str(piece);
        rest = from.get(1..).unwrap_or_default();
        match from.as_bytes().first() {
            Some(b'[') => {
                level.take_text();
                levels.push(PathBuilder::default());
            }
            Some(b']') => close(&mut levels),
            _ if rest.starts_with(':') => {
                level.end_segment();
                rest = &rest[1..];
            }
            // A single colon belongs to the key.
            _ => level.text.push(':'),
        }
        if levels.len() > MAX_FILTER_DEPTH {
            let message = format!("filters nest deeper than {MAX_FILTER_DEPTH}");
            return Err(Exception::new(Class::Syntax, message));
        }
    }
    innermost(&mut levels).text.push_str(rest);
    while levels.len() > 1 {
        close(&mut levels);
    }
    let path = innermost(&mut levels).finish();
    match path.as_slice() {
        [only]
            if *only
                == Segment { first: only.first, not: only.not, ..Segment::default() } =>
        {
            let message = format!("the expression '{text}' is empty");
            Err(Exception::new(Class::Syntax, message).hint("name a key, or `.`"))
        }
        _ => Ok(path),
    }
}

/// A path that is being parsed: the whole one, or one of a filter.
#[derive(Default)]
struct PathBuilder {
    path: Vec<Segment>,
    segment: Segment,
    /// True if the selector of the segment is known: a filter was read.
    keyed: bool,
    text: String,
}

impl PathBuilder {
    /// Reads the text before a bracket or the end of the segment.
    fn take_text(&mut self) {
        let text = mem::take(&mut self.text);
        let mut text = text.trim();
        if let Some(rest) = text.strip_prefix('!') {
            (text, self.segment.not) = (rest, true);
        } else if let Some(rest) = text.strip_suffix('?') {
            (text, self.segment.first) = (rest, true);
        }
        let (key, test) = split_test(text);
        // Text behind a filter is ignored, as in Unfurl: `m[a]b` is `m[a]`.
        if !mem::replace(&mut self.keyed, true) {
            self.segment.step = step(key);
        }
        self.segment.test = test.or(self.segment.test.take());
    }

    fn end_segment(&mut self) {
        self.take_text();
        self.keyed = false;
        self.path.push(mem::take(&mut self.segment));
    }

    fn finish(&mut self) -> Vec<Segment> {
        self.end_segment();
        mem::take(&mut self.path)
    }
}

/// Returns the innermost path.
fn innermost(levels: &mut Vec<PathBuilder>) -> &mut PathBuilder {
    if levels.is_empty() {
        levels.push(PathBuilder::default());
    }
    let last = levels.len() - 1;
    &mut levels[last]
}

/// Ends a filter. A bracket that closes nothing is ignored.
fn close(levels: &mut Vec<PathBuilder>) {
    if levels.len() > 1 {
        let filter = innermost(levels).finish();
        levels.pop();
        innermost(levels).segment.filters.push(filter);
    }
}

fn split_test(text: &str) -> (&str, Option<Test>) {
    let Some(at) = text.find('=') else { return (text, None) };
    let (left, right) = (&text[..at], &text[at + 1..]);
    let (left, equal) = match left.strip_suffix('!') {
        Some(left) => (left, false),
        None => (left, true),
    };
    let right = match right.strip_prefix('$') {
        Some(name) => Operand::Variable(name.to_owned()),
        None => Operand::Text(right.to_owned()),
    };
    (left, Some(Test { equal, right }))
}

fn step(key: &str) -> Selector {
    match (key, integer(key)) {
        ("", _) => Selector::Same,
        ("*", _) => Selector::Every,
        (_, Some(index)) => Selector::Index(index, key.to_owned()),
        _ => match key.strip_prefix('$') {
            Some(name) => Selector::Variable(name.to_owned()),
            None => Selector::Key(key.to_owned()),
        },
    }
}

/// Parses an integer as Python's `int()` does.
pub(super) fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let groups = digits.split('_');
    let whole =
        |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if !groups.clone().all(whole) {
        return None;
    }
    let number: i64 = groups.collect::<String>().parse().ok()?;
    Some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Segment> {
        parse(text).unwrap_or_default()
    }

    #[test]
    fn brackets_are_forgiven() {
        for text in ["m[a]", "m[a", "m[a]]", "m[a]b", "m][a"] {
            assert_eq!(read(text), read(" m[ a ]"), "{text}");
        }
        assert_eq!(read("m[a[b=c]]::d").len(), 2);
        assert_eq!(read("a:b::c").len(), 2);
    }

    #[test]
    fn emptiness_is_an_error() {
        for text in ["", " ", "?", "!", "]"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(1000)).is_err());
    }

    #[test]
    fn integers_are_those_of_python() {
        assert_eq!(["01", "+1", "1_0", "-2"].map(integer), [1, 1, 10, -2].map(Some));
        assert_eq!(["1.0", "", "_1", "0x1", "--1"].map(integer), [None; 5]);
    }
}
