//! A compiled pattern and its searches.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use super::template::Template;
use super::translate::{self, Translation};
use crate::eval::python::{Class, Exception, Lock, Result, Value, room, width};

/// The flags of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `re.I`
    pub ignorecase: bool,
    /// `re.M`
    pub multiline: bool,
    /// `re.S`
    pub dotall: bool,
    /// `re.X`
    pub verbose: bool,
    /// `re.A`
    pub ascii: bool,
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    translation: Translation,
    /// The same for texts of ASCII only, which is much smaller.
    ascii_text: String,
    compiled: [[OnceLock<Result<fancy_regex::Regex>>; 4]; 2],
}

/// Where a pattern matched: bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    groups: Vec<Option<Range<usize>>>,
}

/// What is asked of a match beside the pattern.
#[derive(Clone, Copy)]
enum Anchor {
    None,
    Start,
    Both,
    /// Not empty where the search starts.
    Advance,
}

/// The steps that one search may go back.
const MAX_BACKTRACKS: usize = 1_000_000;

/// The patterns that are cache, as many as Python keeps.
const CACHE_SIZE: usize = 512;

/// The most bytes of one compiled pattern.
const MAX_PROGRAM_SIZE: usize = 1 << 24;

type Cache = HashMap<(String, Flags), Arc<Pattern>>;

static CACHE: LazyLock<Lock<Cache>> = LazyLock::new(Lock::default);

/// `re.compile`
///
/// # Errors
/// What is wrong with the pattern, in the words of `re.error`.
pub fn compile(pattern: &str, flags: Flags) -> Result<Arc<Pattern>> {
    let key = (pattern.to_owned(), flags);
    if let Some(known) = CACHE.read().get(&key) {
        return Ok(known.clone());
    }
    let translation = translate::translate(pattern, flags, false)?;
    let ascii_text = translate::translate(pattern, flags, true)?.pattern;
    let new = Arc::new(Pattern { translation, ascii_text, compiled: Default::default() });
    let mut cache = CACHE.write();
    if cache.len() >= CACHE_SIZE {
        cache.clear();
    }
    cache.insert(key, new.clone());
    Ok(new)
}

impl Pattern {
    /// How many groups it has.
    pub fn groups(&self) -> usize {
        self.translation.groups
    }

    /// The names of groups, in the order written.
    pub fn names(&self) -> &[(String, usize)] {
        &self.translation.names
    }

    /// The number of a group that is known by its name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.names().iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    /// `pattern.search(text)`
    pub fn search(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::None, text, 0, text.is_ascii())
    }

    /// `pattern.match(text)`
    pub fn match_start(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::Start, text, 0, text.is_ascii())
    }

    /// `pattern.fullmatch(text)`
    pub fn match_full(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::Both, text, 0, text.is_ascii())
    }

    /// `pattern.finditer(text)`, at most `count` of them.
    pub fn matches(&self, text: &str, count: usize) -> Result<Vec<Match>> {
        let (mut found, mut from, mut anchor) = (Vec::new(), 0, Anchor::None);
        let ascii_text = text.is_ascii();
        while found.len() < count
            && let Some(next) = self.find(anchor, text, from, ascii_text)?
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

    /// The next match; `ascii_text` tells whether the text is of ASCII only.
    fn find(
        &self,
        anchor: Anchor,
        text: &str,
        from: usize,
        ascii_text: bool,
    ) -> Result<Option<Match>> {
        let found = self.anchored(anchor, ascii_text)?.captures_from_pos(text, from);
        let captures = found.map_err(|_| {
            Exception::new(
                Class::Limit,
                format!("a regular expression takes more than {MAX_BACKTRACKS} steps"),
            )
        })?;
        Ok(captures.map(|captures| {
            let span = |at| captures.get(at).map(|group| group.start()..group.end());
            Match { groups: (0..=self.groups()).map(span).collect() }
        }))
    }

    fn anchored(&self, anchor: Anchor, ascii_text: bool) -> Result<&fancy_regex::Regex> {
        let (pattern, compiled) = if ascii_text {
            (&self.ascii_text, &self.compiled[0])
        } else {
            (&self.translation.pattern, &self.compiled[1])
        };
        let compiled = compiled[anchor as usize].get_or_init(|| match anchor {
            Anchor::None => build(pattern),
            Anchor::Start => build(&format!(r"\A(?:{pattern})")),
            Anchor::Both => build(&format!(r"\A(?:{pattern})\z")),
            Anchor::Advance => build(&format!(r"(?:{pattern})(?!\G)")),
        });
        compiled.as_ref().map_err(Clone::clone)
    }
}

fn build(pattern: &str) -> Result<fancy_regex::Regex> {
    let mut builder = fancy_regex::RegexBuilder::new(pattern);
    builder
        .backtrack_limit(MAX_BACKTRACKS)
        .delegate_size_limit(MAX_PROGRAM_SIZE)
        .max_prog_size(MAX_PROGRAM_SIZE);
    let refused = |error| Exception::of_value(format!("invalid pattern: {error}"));
    builder.build().map_err(refused)
}

impl Match {
    /// Where a group matched; nothing if it did not, or is none.
    pub fn span(&self, group: usize) -> Option<Range<usize>> {
        self.groups.get(group)?.clone()
    }

    /// What a group matched.
    pub fn group<'t>(&self, group: usize, text: &'t str) -> Option<&'t str> {
        text.get(self.span(group)?)
    }

    /// Where the whole matched.
    pub fn whole(&self) -> Range<usize> {
        self.span(0).unwrap_or(0..0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Flags, compile};
    use crate::eval::python::Result;

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
