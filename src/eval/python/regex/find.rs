//! A pattern and a text come in; every match goes out, or what they leave of the text.

use super::{Anchor, Match, Pattern, Template};
use crate::eval::python::{Result, Value, room, width};

impl Pattern {
    /// `pattern.finditer(text)`, at most `count` of them.
    pub fn matches(&self, text: &str, count: usize) -> Result<Vec<Match>> {
        let (mut found, mut from, mut anchor) = (Vec::new(), 0, Anchor::None);
        let narrow = text.is_ascii();
        while found.len() < count
            && let Some(next) = self.find(anchor, text, from, narrow)?
        {
            let whole = next.whole();
            // After an empty match there may be another one at its place, but not empty.
            anchor = if whole.is_empty() { Anchor::Advance } else { Anchor::None };
            from = whole.end;
            found.push(next);
            room(found.len())?;
        }
        Ok(found)
    }

    /// `pattern.findall(text)`: texts, or tuples of texts where there are several groups.
    pub fn find_all(&self, text: &str) -> Result<Vec<Value>> {
        let group = |found: &Match, at| Value::from(found.group(at, text).unwrap_or(""));
        let value = |found: &Match| match self.groups() {
            0 => group(found, 0),
            1 => group(found, 1),
            all => Value::tuple((1..=all).map(|at| group(found, at))),
        };
        Ok(self.matches(text, usize::MAX)?.iter().map(value).collect())
    }

    /// `pattern.split(text, limit)`: what is between the matches, and their groups; a
    /// limit of 0 is none.
    pub fn split(&self, text: &str, limit: usize) -> Result<Vec<Value>> {
        let (mut pieces, mut from) = (Vec::new(), 0);
        for found in self.matches(text, if limit == 0 { usize::MAX } else { limit })? {
            let whole = found.whole();
            pieces.push(Value::from(&text[from..whole.start]));
            let groups = (1..=self.groups()).map(|at| found.group(at, text));
            pieces.extend(groups.map(|group| group.map_or(Value::None, Value::from)));
            from = whole.end;
        }
        pieces.push(Value::from(&text[from..]));
        Ok(pieces)
    }

    /// `pattern.subn(template, text, limit)`: the text with replacements, and how many; a
    /// limit of 0 is none.
    pub fn replace(
        &self,
        template: &str,
        text: &str,
        limit: usize,
    ) -> Result<(String, usize)> {
        let template = Template::new(template, self)?;
        self.replace_with(text, limit, |found, out| template.expand(found, text, out))
    }

    /// The same with what a function writes.
    pub fn replace_with(
        &self,
        text: &str,
        limit: usize,
        mut write: impl FnMut(&Match, &mut String),
    ) -> Result<(String, usize)> {
        let found = self.matches(text, if limit == 0 { usize::MAX } else { limit })?;
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for found in &found {
            let whole = found.whole();
            out.push_str(&text[from..whole.start]);
            write(found, &mut out);
            width(out.len())?;
            from = whole.end;
        }
        out.push_str(&text[from..]);
        Ok((out, found.len()))
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::python::Result;
    use crate::eval::python::regex::{Flags, compile};

    fn replaced(pattern: &str, template: &str, text: &str) -> Result<String> {
        let pattern = compile(pattern, Flags::default())?;
        Ok(pattern.replace(template, text, 0)?.0)
    }

    #[test]
    fn replaces_as_python_does() {
        let cases = [
            ("b*", "-", "abc", "-a--c-"),
            (r"(?P<x>\d)", r"<\g<x>\1\g<0>>", "a1", "a<111>"),
            (r"$", "!", "a\n", "a!\n!"),
            (r"(a)|b", r"[\1]", "ab", "[a][]"),
            (r"[[a&&b]", "", "[a&b", ""),
            (r"\b|\w+", "-", "ab", "---"),
            (r"(?i:A)a{,2}", "", "aaaa", ""),
            (r"x{", r"\.", "x{", r"\."),
            (r"(\w{1,63}\.){2}\w{2,63}", "-", "a.b.com é", "- é"),
            (r"\s", "-", "a\x1cb\u{a0}", "a-b-"),
        ];
        for (pattern, template, text, wanted) in cases {
            assert_eq!(replaced(pattern, template, text).as_deref(), Ok(wanted));
        }
    }

    #[test]
    fn refuses_as_python_does() {
        let cases = [
            ("(a", "missing ), unterminated subpattern at position 0"),
            ("a**", "multiple repeat at position 2"),
            ("{1}", "nothing to repeat at position 0"),
            (r"\z", r"bad escape \z at position 0"),
            ("(?<n>a)", "unknown extension ?<n at position 1"),
            ("(?<=a*)", "look-behind requires fixed-width pattern"),
            ("[b-a]", "bad character range b-a at position 1"),
            ("a(?i)", "global flags not at the start of the expression at position 1"),
            (r"(\1)", "cannot refer to an open group at position 1"),
        ];
        for (pattern, wanted) in cases {
            let refused = compile(pattern, Flags::default()).map(|_| ());
            assert_eq!(refused.map_err(|e| e.message), Err(wanted.to_owned()));
        }
        let refused = replaced("(a)", r"\2", "a").map_err(|e| e.message);
        assert_eq!(refused, Err("invalid group reference 2 at position 1".to_owned()));
    }
}
