//! Removes secret texts from messages.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};
use std::sync::Arc;

use hashbrown::HashSet;

use crate::eval::python::{Class, Exception, Result, Value, json, repr};

pub(super) const REDACTED: &str = "<<REDACTED>>";

/// The origin of a secret text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SecretOrigin {
    /// A variable, or a value made of one. The documents do not have it, so a name that
    /// stands in them is shown even if it is equal.
    Given,
    /// A mark, which may stand in the document: then the text does, too. It is hidden
    /// everywhere.
    Marked,
}

/// Texts that no message may contain, except where a text is the same as a name that the
/// message quotes from its source.
#[derive(Debug, Default)]
pub(crate) struct HiddenTexts {
    texts: BTreeMap<Arc<str>, SecretOrigin>,
    /// The first bytes of the texts that are not short. Most places of a text begin none of
    /// them: this tells so without a search in all.
    starts: HashSet<[u8; SHORT]>,
    /// Given texts that are too short to be removed from all messages: they are removed
    /// from those about templates that were made of secrets.
    short: BTreeSet<Arc<str>>,
    /// The texts whose forms were not computed yet. Most runs have no message: computing
    /// them only then saves three encodings for each variable.
    new: Vec<(Arc<str>, SecretOrigin)>,
    /// The forms of the other texts, the longest first: a secret may contain another one.
    forms: BTreeMap<(Reverse<usize>, String), SecretOrigin>,
}

impl HiddenTexts {
    pub(crate) fn of(
        texts: impl IntoIterator<Item = (Arc<str>, SecretOrigin)>,
    ) -> HiddenTexts {
        let mut known = HiddenTexts::default();
        texts.into_iter().for_each(|(text, origin)| known.add(text, origin));
        known
    }

    pub(super) fn add(&mut self, text: Arc<str>, origin: SecretOrigin) {
        if self.texts.get(&text).is_none_or(|known| *known < origin) {
            self.texts.insert(text.clone(), origin);
            self.starts.extend(text.as_bytes().first_chunk());
            self.new.push((text, origin));
        }
    }

    pub(super) fn add_short(&mut self, text: Arc<str>) {
        self.short.insert(text);
    }

    pub(super) fn origin(&self, text: &str) -> Option<SecretOrigin> {
        self.texts.get(text).copied()
    }

    /// Returns true if a text is or contains one that is not short. `spend` takes the steps
    /// of the search.
    ///
    /// # Errors
    /// No steps are left.
    pub(super) fn are_in(
        &self,
        text: &str,
        spend: impl Fn(usize) -> Result<()>,
    ) -> Result<bool> {
        if self.starts.is_empty() {
            return Ok(false);
        }
        spend(text.len() / BYTES_PER_STEP)?;
        for (at, start) in text.as_bytes().windows(SHORT).enumerate() {
            if self.starts.contains(start)
                && let Some(rest) = text.get(at..)
                && self.begin(rest, &spend)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if a text begins with one that is not short.
    fn begin(&self, text: &str, spend: impl Fn(usize) -> Result<()>) -> Result<bool> {
        let mut rest = text;
        while !rest.is_empty() {
            // A text that begins `rest` is sorted before it, so it is the next one before,
            // or it begins what that one has in common with `rest`.
            let before = (Bound::Unbounded, Bound::Included(rest));
            spend(1)?;
            let Some((known, _)) = self.texts.range::<str, _>(before).next_back() else {
                break;
            };
            let both = known.chars().zip(rest.chars());
            let equal = both.take_while(|(known, met)| known == met);
            let common = equal.map(|(c, _)| c.len_utf8()).sum();
            spend(common / BYTES_PER_STEP)?;
            if common == known.len() {
                return Ok(common >= SHORT);
            }
            rest = &rest[..common];
        }
        Ok(false)
    }

    /// Replaces them in the message and the hint of an exception.
    pub(super) fn hide(&mut self, mut exception: Box<Exception>) -> Box<Exception> {
        let Exception { message, hint, names, .. } = &mut *exception;
        for text in [Some(message), hint.as_mut()].into_iter().flatten() {
            *text = self.without(std::mem::take(text), names);
        }
        exception
    }

    /// As [`hide`](HiddenTexts::hide), for a source that is a secret or was made of some: its
    /// names may be secret, a short secret may be one of its words, and each word may be a part
    /// of a secret. If the source is the whole value of a variable, an undefined name of it is
    /// shown: somebody wrote it there as a name.
    pub(super) fn hide_all(
        &mut self,
        mut exception: Box<Exception>,
        source: &str,
    ) -> Box<Exception> {
        let is_whole = self.origin(source) == Some(SecretOrigin::Given);
        let names = std::mem::take(&mut exception.names);
        let named: HashSet<&str> = match exception.class {
            Class::Undefined if is_whole => names.iter().flat_map(|n| words(n)).collect(),
            _ => HashSet::new(),
        };
        let exception = self.hide(exception);
        let hint = exception.hint.as_deref().unwrap_or_default();
        let is_told =
            |word: &&str| exception.message.contains(word) || hint.contains(word);
        let words = words(source).filter(|word| !named.contains(word));
        let words = words.filter(is_told).map(Arc::from);
        let short = self.short.iter().cloned();
        HiddenTexts::of(words.chain(short).map(|text| (text, SecretOrigin::Given)))
            .hide(exception)
    }

    /// Replaces them in a text, except in parts that only name what a source names.
    pub(crate) fn without(&mut self, mut text: String, names: &[String]) -> String {
        let new = self.new.drain(..);
        for (text, origin) in new {
            for form in forms(&text) {
                let known = self.forms.entry((Reverse(form.len()), form));
                let known = known.or_insert(origin);
                *known = origin.max(*known);
            }
        }
        for ((_, form), origin) in &self.forms {
            if text.contains(&**form) {
                let shown = match origin {
                    SecretOrigin::Given => places(&text, names),
                    SecretOrigin::Marked => Vec::new(),
                };
                text = without_but(&text, form, &shown);
            }
        }
        text
    }
}

/// Returns the words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty())
}

/// Returns the places of phrases in a text.
fn places(text: &str, phrases: &[String]) -> Vec<Range<usize>> {
    let places = |phrase: &String| {
        let found = text.match_indices(&**phrase);
        found.map(|(at, found)| at..at + found.len()).collect::<Vec<_>>()
    };
    phrases.iter().flat_map(places).collect()
}

/// Returns a text as messages may contain it: as it is, escaped as in Python, as in JSON.
fn forms(text: &str) -> BTreeSet<String> {
    let value = Value::text(text);
    let python = repr(&value).unwrap_or_default();
    let json = json::dump(&value, &json::JsonStyle::default()).unwrap_or_default();
    let bare =
        |quoted: &str| quoted.get(1..quoted.len().saturating_sub(1)).map(str::to_owned);
    let forms = [bare(&python), bare(&json), Some(text.to_owned())];
    forms.into_iter().flatten().filter(|form| !form.trim().is_empty()).collect()
}

/// Length in bytes below which a secret is removed only where it stands alone. Removing
/// `a` everywhere would make messages unreadable and show that the secret is `a`.
pub(super) const SHORT: usize = 4;

/// Number of bytes of a text that are searched or compared in one step.
// A step is the work of some 64 bytes made: to look a byte up in a table takes four times as
// long as to copy it.
const BYTES_PER_STEP: usize = 16;

/// Replaces a secret in a text, except within some ranges. A short one is replaced only
/// where it stands alone.
fn without_but(text: &str, secret: &str, shown: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret).filter(|_| !secret.is_empty()) {
        let (before, from) = rest.split_at(at);
        let after = &from[secret.len()..];
        let start = text.len() - from.len();
        let end = text.len() - after.len();
        out.push_str(before);
        let is_part = out.ends_with(is_of_word) || after.starts_with(is_of_word);
        let is_shown = shown.iter().any(|place| place.start <= start && end <= place.end);
        let stays = is_shown || is_part && secret.len() < SHORT;
        out.push_str(if stays { secret } else { REDACTED });
        rest = after;
    }
    out + rest
}

pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::eval::python::exhausted;

    #[test]
    fn short_secrets_stand_alone() {
        assert_eq!(
            without_but("a bad value 'a'", "a", &[]),
            "<<REDACTED>> bad value '<<REDACTED>>'"
        );
        assert_eq!(without_but("hunter2s", "hunter2", &[]), "<<REDACTED>>s");
        assert_eq!(without_but("x", "", &[]), "x");
    }

    #[test]
    fn secrets_in_texts() {
        let texts = ["abcdx", "abcdef", "abce", "żółw1", "ab", ""];
        let hidden =
            HiddenTexts::of(texts.map(|text| (text.into(), SecretOrigin::Given)));
        let is_in = |text| hidden.are_in(text, |_| Ok(())).unwrap();
        for text in ["abce", "ababcef", "abcabcdef", "abcdx", "źżółw1"] {
            assert!(is_in(text), "{text}");
        }
        for text in ["", "x", "abc", "abcde", "abcd-abcc-abc", "żółw", "ółw1"] {
            assert!(!is_in(text), "{text}");
        }
    }

    #[test]
    fn a_search_takes_steps() {
        // Each of these has more in common with a text of `a` than the one before.
        let texts = (SHORT..1000).map(|length| "a".repeat(length) + "!");
        let hidden =
            HiddenTexts::of(texts.map(|text| (text.into(), SecretOrigin::Given)));
        let steps_of = |text: String, limit: usize| {
            let taken = Cell::new(0);
            let found = hidden.are_in(&text, |steps| {
                taken.set(taken.get() + steps);
                if taken.get() > limit { Err(exhausted(limit as u64)) } else { Ok(()) }
            });
            found.ok().map(|_| taken.get())
        };
        assert_eq!(steps_of("-".repeat(16_000), 1000), Some(1000));
        assert_eq!(steps_of("-".repeat(16_000), 999), None);
        assert_eq!(steps_of("a".repeat(16_000), 20_000), None);
    }

    #[test]
    fn names_of_the_source() {
        let named = || {
            let mut named = Exception::new(Class::Undefined, "no 'name'").naming_source();
            named.message += ": name of a name's names";
            named
        };
        let hide = |origin| HiddenTexts::of([("name".into(), origin)]).hide(named());
        let hidden = "<<REDACTED>> of a <<REDACTED>>'s <<REDACTED>>s";
        assert_eq!(hide(SecretOrigin::Given).message, format!("no 'name': {hidden}"));
        assert_eq!(
            hide(SecretOrigin::Marked).message,
            format!("no '<<REDACTED>>': {hidden}")
        );
        let mut texts = HiddenTexts::of([("name".into(), SecretOrigin::Given)]);
        let all = texts.hide_all(named(), "").message;
        assert_eq!(all, format!("no '<<REDACTED>>': {hidden}"));
    }
}
