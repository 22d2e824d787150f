//! Python's `re`: a pattern and a text come in; matches, pieces or the text with
//! replacements go out.
//!
//! A pattern is translated to the syntax of `fancy-regex`, which searches.

mod class;
mod escape;
mod find;
mod group;
mod repeat;
mod template;
mod translate;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use super::{Class, Exception, Lock, Result};

pub use template::{Template, escape};

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
    translated: translate::Translated,
    /// The same for texts of ASCII only, which is much smaller.
    narrow: String,
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
const BACKTRACKS: usize = 1_000_000;

/// The patterns that are kept, as many as Python keeps.
const KEPT: usize = 512;

/// The most bytes of one compiled pattern.
const SIZE: usize = 1 << 24;

type Kept = HashMap<(String, Flags), Arc<Pattern>>;

static PATTERNS: LazyLock<Lock<Kept>> = LazyLock::new(Lock::default);

/// `re.compile`
///
/// # Errors
/// What is wrong with the pattern, in the words of `re.error`.
pub fn compile(pattern: &str, flags: Flags) -> Result<Arc<Pattern>> {
    let key = (pattern.to_owned(), flags);
    if let Some(known) = PATTERNS.read().get(&key) {
        return Ok(known.clone());
    }
    let translated = translate::translate(pattern, flags, false)?;
    let narrow = translate::translate(pattern, flags, true)?.pattern;
    let new = Arc::new(Pattern { translated, narrow, compiled: Default::default() });
    let mut kept = PATTERNS.write();
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, new.clone());
    Ok(new)
}

impl Pattern {
    /// How many groups it has.
    pub fn groups(&self) -> usize {
        self.translated.groups
    }

    /// The names of groups, in the order written.
    pub fn names(&self) -> &[(String, usize)] {
        &self.translated.names
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

    /// The next match; `narrow` tells whether the text is of ASCII only.
    fn find(
        &self,
        anchor: Anchor,
        text: &str,
        from: usize,
        narrow: bool,
    ) -> Result<Option<Match>> {
        let found = self.anchored(anchor, narrow)?.captures_from_pos(text, from);
        let captures = found.map_err(|_| {
            Exception::new(
                Class::Limit,
                format!("a regular expression takes more than {BACKTRACKS} steps"),
            )
        })?;
        Ok(captures.map(|captures| {
            let span = |at| captures.get(at).map(|group| group.start()..group.end());
            Match { groups: (0..=self.groups()).map(span).collect() }
        }))
    }

    fn anchored(&self, anchor: Anchor, narrow: bool) -> Result<&fancy_regex::Regex> {
        let (pattern, compiled) = if narrow {
            (&self.narrow, &self.compiled[0])
        } else {
            (&self.translated.pattern, &self.compiled[1])
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
    builder.backtrack_limit(BACKTRACKS).delegate_size_limit(SIZE).max_prog_size(SIZE);
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
