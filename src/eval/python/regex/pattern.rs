//! Compiled patterns, their matches, and the templates of `re.sub`.

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use hashbrown::HashMap;

use super::matcher::{Anchor, Matcher};
use super::program::{self, RegexProgram};
use super::translate::{self, Flags, Translation, is_name, quoted};
use crate::eval::python::limit::charge_work;
use crate::eval::python::literal::simple_escape;
use crate::eval::python::{
    Class, Exception, Lock, Result, Value, limit_bytes, limit_members,
};

#[derive(Debug)]
pub struct Pattern {
    translation: Translation,
    /// The translation for ASCII texts.
    // Unicode classes such as `\w` have hundreds of ranges, and ignoring their case takes
    // long. Most texts are ASCII, where the same class is a few ranges.
    ascii_text: String,
    // Compiled on first use: few patterns need both.
    compiled: [OnceLock<Result<RegexProgram>>; 2],
}

/// The groups of a match as byte ranges of the text; `None` if a group did not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub groups: Vec<Option<Range<usize>>>,
}

/// Maximum number of cached patterns, as in Python's `re`.
const CACHE_SIZE: usize = 512;

/// Cost of compiling a byte of a pattern, in bytes of other work.
const COMPILE: u64 = 512;

/// Compiled patterns by source and flags.
type Cache = HashMap<(String, Flags), Arc<Pattern>>;

static CACHE: LazyLock<Lock<Cache>> = LazyLock::new(Lock::default);

/// Compiles a pattern, as `re.compile`. Patterns are cached. Fails with a `ValueError`
/// with the message of `re.error`.
pub fn compile(pattern: &str, flags: Flags) -> Result<Arc<Pattern>> {
    let key = (pattern.to_owned(), flags);
    if let Some(known) = CACHE.read().get(&key) {
        return Ok(known.clone());
    }
    charge_work((pattern.len() as u64).saturating_mul(COMPILE))?;
    let translation = translate::translate(pattern, flags, false)?;
    let ascii_text = translate::translate(pattern, flags, true)?.pattern;
    let new = Arc::new(Pattern { translation, ascii_text, compiled: Default::default() });
    let mut cache = CACHE.write();
    // Python 3.11 drops the oldest one. Clearing needs no order.
    if cache.len() >= CACHE_SIZE {
        cache.clear();
    }
    cache.insert(key, new.clone());
    Ok(new)
}

impl Pattern {
    /// Returns the number of groups, without group 0.
    pub fn groups(&self) -> usize {
        self.translation.groups
    }

    /// Returns the names of groups with their numbers, in the order of the pattern.
    pub fn names(&self) -> &[(String, usize)] {
        &self.translation.names
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        self.names().iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    /// Implements `pattern.search(text)`. Fails with a limit error if no steps are left;
    /// the same holds for all searches.
    pub fn search(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::None, text)
    }

    /// Implements `pattern.match(text)`.
    pub fn match_start(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::Start, text)
    }

    /// Implements `pattern.fullmatch(text)`.
    pub fn match_full(&self, text: &str) -> Result<Option<Match>> {
        self.find(Anchor::Both, text)
    }

    /// Implements `pattern.finditer(text)`, with at most `count` matches.
    pub fn matches(&self, text: &str, count: usize) -> Result<Vec<Match>> {
        let mut found = Vec::new();
        let mut from = 0;
        let mut anchor = Anchor::None;
        let mut matcher = Matcher::new(self.program(text)?, text);
        while found.len() < count
            && let Some(next) = matcher.find(from, anchor, self.groups())?
        {
            let whole = next.whole();
            // Python allows an empty match directly after a non-empty one, but not two
            // empty matches at one position.
            anchor = if whole.is_empty() { Anchor::Advance } else { Anchor::None };
            from = whole.end;
            found.push(next);
            limit_members(found.len().saturating_mul(1 + self.groups()))?;
        }
        Ok(found)
    }

    /// Implements `pattern.findall(text)`: strings, or tuples for several groups.
    pub fn find_all(&self, text: &str) -> Result<Vec<Value>> {
        let found = self.matches(text, usize::MAX)?;
        let values = found.iter().map(|found| match self.groups() {
            0 => found.value(0, text),
            1 => found.value(1, text),
            all => Value::tuple((1..=all).map(|at| found.value(at, text))),
        });
        Ok(values.collect())
    }

    /// Implements `pattern.split(text, limit)`; a limit of 0 means no limit.
    pub fn split(&self, text: &str, limit: usize) -> Result<Vec<Value>> {
        let mut pieces = Vec::new();
        let mut from = 0;
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

    /// Implements `pattern.subn(template, text, limit)`; a limit of 0 means no limit.
    pub fn replace(
        &self,
        template: &str,
        text: &str,
        limit: usize,
    ) -> Result<(String, usize)> {
        let template = SubstitutionTemplate::new(template, self)?;
        self.replace_with(text, limit, |found, out| template.expand(found, text, out))
    }

    /// Replaces matches by what `write` appends for each. A limit of 0 means no limit.
    pub fn replace_with(
        &self,
        text: &str,
        limit: usize,
        mut write: impl FnMut(&Match, &mut String),
    ) -> Result<(String, usize)> {
        let found = self.matches(text, if limit == 0 { usize::MAX } else { limit })?;
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for found in &found {
            let whole = found.whole();
            out.push_str(&text[from..whole.start]);
            write(found, &mut out);
            limit_bytes(out.len())?;
            from = whole.end;
        }
        out.push_str(&text[from..]);
        Ok((out, found.len()))
    }

    fn find(&self, anchor: Anchor, text: &str) -> Result<Option<Match>> {
        Matcher::new(self.program(text)?, text).find(0, anchor, self.groups())
    }

    fn program(&self, text: &str) -> Result<&RegexProgram> {
        let (pattern, compiled) = if text.is_ascii() {
            (&self.ascii_text, &self.compiled[0])
        } else {
            (&self.translation.pattern, &self.compiled[1])
        };
        let program = compiled.get_or_init(|| program::compile(pattern, self.groups()));
        program.as_ref().map_err(Clone::clone)
    }
}

impl Match {
    /// Returns the byte range of a group; `None` if it did not match or does not exist.
    pub fn span(&self, group: usize) -> Option<Range<usize>> {
        self.groups.get(group)?.clone()
    }

    pub fn group<'t>(&self, group: usize, text: &'t str) -> Option<&'t str> {
        text.get(self.span(group)?)
    }

    /// Returns the text of a group; an empty one if it did not match.
    fn value(&self, group: usize, text: &str) -> Value {
        Value::from(self.group(group, text).unwrap_or(""))
    }

    /// Returns the byte range of the whole match.
    pub fn whole(&self) -> Range<usize> {
        self.span(0).unwrap_or(0..0)
    }
}

/// A template of `re.sub`.
struct SubstitutionTemplate(Vec<TemplatePart>);

enum TemplatePart {
    Text(String),
    Group(usize),
}

pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "()[]{}?*+-|^$\\.&~# \t\n\r\x0b\x0c".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

impl SubstitutionTemplate {
    /// Parses a template. Raises a `ValueError` or `IndexError` if it is malformed.
    fn new(template: &str, pattern: &Pattern) -> Result<SubstitutionTemplate> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        let mut at = 0;
        while let Some((before, after)) = rest.split_once('\\') {
            text.push_str(before);
            at += before.chars().count();
            let (part, length) = part(after, at, pattern)?;
            match part {
                TemplatePart::Text(more) => text.push_str(&more),
                group @ TemplatePart::Group(_) => {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                    parts.push(group);
                }
            }
            at += 1 + after[..length].chars().count();
            rest = &after[length..];
        }
        text.push_str(rest);
        parts.push(TemplatePart::Text(text));
        Ok(SubstitutionTemplate(parts))
    }

    /// Appends the replacement of a match. A group that did not match is empty.
    fn expand(&self, found: &Match, text: &str, out: &mut String) {
        for part in &self.0 {
            match part {
                TemplatePart::Text(text) => out.push_str(text),
                TemplatePart::Group(group) => {
                    out.push_str(found.group(*group, text).unwrap_or(""));
                }
            }
        }
    }
}

/// Parses an escape after its backslash. Returns its length in bytes, too.
fn part(after: &str, at: usize, pattern: &Pattern) -> Result<(TemplatePart, usize)> {
    let Some(c) = after.chars().next() else {
        return Err(error("bad escape (end of pattern)", at));
    };
    let (c, length) = match c {
        'g' => {
            let (part, length) = named(&after[1..], at + 2, pattern)?;
            return Ok((part, length + 1));
        }
        // `\0` and up to two more digits are octal, never a group.
        '0' => {
            let length = 1 + digits(&after[1..], 2, 8);
            (octal(&after[..length]), length)
        }
        // Three octal digits are a character; two digits at most are a group.
        '1'..='9' if digits(after, 3, 8) == 3 => {
            let digits = &after[..3];
            if u32::from_str_radix(digits, 8).is_ok_and(|value| value > 0o377) {
                let what =
                    format!("octal escape value \\{digits} outside of range 0-0o377");
                return Err(error(&what, at));
            }
            (octal(digits), 3)
        }
        '1'..='9' => {
            let length = digits(after, 2, 10);
            let number = after[..length].parse().unwrap_or(0);
            return Ok((TemplatePart::Group(known(number, at + 1, pattern)?), length));
        }
        '\\' => ('\\', 1),
        c if let Some(escaped) = simple_escape(c) => (escaped, 1),
        c if c.is_ascii_alphabetic() => {
            return Err(error(&format!("bad escape \\{c}"), at));
        }
        // Python keeps the backslash of an unknown escape unless a letter follows.
        c => return Ok((TemplatePart::Text(format!("\\{c}")), c.len_utf8())),
    };
    Ok((TemplatePart::Text(c.to_string()), length))
}

/// Parses `<name>` after `\g`.
fn named(after: &str, at: usize, pattern: &Pattern) -> Result<(TemplatePart, usize)> {
    let Some(inner) = after.strip_prefix('<') else {
        return Err(error("missing <", at));
    };
    let name = match inner.split_once('>') {
        Some(("", _)) => return Err(error("missing group name", at + 1)),
        Some((name, _)) => name,
        None if inner.is_empty() => return Err(error("missing group name", at + 1)),
        None => return Err(error("missing >, unterminated name", at + 1)),
    };
    let length = name.len() + 2;
    if name.bytes().all(|b| b.is_ascii_digit()) {
        let number = name.parse().unwrap_or(usize::MAX);
        return Ok((TemplatePart::Group(known(number, at + 1, pattern)?), length));
    }
    if !is_name(name) {
        let what = format!("bad character in group name {}", quoted(name)?);
        return Err(error(&what, at + 1));
    }
    match pattern.number(name) {
        Some(number) => Ok((TemplatePart::Group(number), length)),
        None => {
            let message = format!("unknown group name {}", quoted(name)?);
            Err(Exception::new(Class::Index, message))
        }
    }
}

fn known(number: usize, at: usize, pattern: &Pattern) -> Result<usize> {
    if number <= pattern.groups() {
        Ok(number)
    } else {
        Err(error(&format!("invalid group reference {number}"), at))
    }
}

/// Returns the number of digits at the start, up to `max`.
fn digits(text: &str, max: usize, radix: u32) -> usize {
    text.chars().take(max).take_while(|c| c.is_digit(radix)).count()
}

fn octal(digits: &str) -> char {
    char::from_u32(u32::from_str_radix(digits, 8).unwrap_or(0) & 0xff).unwrap_or_default()
}

fn error(what: &str, at: usize) -> Box<Exception> {
    Exception::of_value(format!("{what} at position {at}"))
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
            (r"(?<=a)b|(?<!a)b(?!c)", "-", "ab b bc", "a- - bc"),
            (r"(?=(a+))\1b", r"<\1>", "aab", "<aa>"),
            (r"(?i)(é)\1", "-", "éÉe", "-e"),
            (r"(a)?b(?(1)c|d)", "-", "abc bd abd bc", "- - a- bc"),
            (r"(?>a+)b|a+?", "-", "aab aa", "- --"),
            (r"(?:a|(b)){2,3}?c", r"[\1]", "bac abab", "[b] abab"),
            (r"(?:a*)*b|(?:){3}c", "-", "aab c", "- -"),
            (r"(\w+?)(?:-\1)*$", r"<\1>", "ab-ab-ab\n", "<ab>\n"),
            (r"(?m)^(?!#).+$", "-", "#a\nb\n", "#a\n-\n"),
            (r"\bé+\b|\B", "-", "é éx", "- é-x"),
            (r"a++b?+", "-", "aabb", "-b"),
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
