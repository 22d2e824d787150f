//! Removes secret texts from messages.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::eval::python::{Exception, Value, json, repr};

pub(super) const REDACTED: &str = "<<REDACTED>>";

/// Texts that no message may contain.
#[derive(Debug, Default)]
pub(super) struct HiddenTexts {
    texts: BTreeSet<Arc<str>>,
    /// The texts whose forms were not computed yet. Most runs have no message: computing
    /// them only then saves three encodings for each variable.
    new: Vec<Arc<str>>,
    /// The forms of the other texts, the longest first: a secret may contain another one.
    forms: BTreeSet<(Reverse<usize>, String)>,
}

impl HiddenTexts {
    pub(super) fn of(texts: impl IntoIterator<Item = Arc<str>>) -> HiddenTexts {
        let mut known = HiddenTexts::default();
        texts.into_iter().for_each(|text| known.add(text));
        known
    }

    pub(super) fn add(&mut self, text: Arc<str>) {
        if self.texts.insert(text.clone()) {
            self.new.push(text);
        }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    pub(crate) fn without(&mut self, mut text: String) -> String {
        let new = self.new.drain(..).flat_map(|text| forms(&text));
        self.forms.extend(new.map(|form| (Reverse(form.len()), form)));
        for (_, form) in &self.forms {
            if text.contains(&**form) {
                text = without(&text, form);
            }
        }
        text
    }

    /// Replaces them in the message and the hint of an exception.
    pub(super) fn hide(&mut self, mut exception: Box<Exception>) -> Box<Exception> {
        let Exception { message, hint, .. } = &mut *exception;
        for text in [Some(message), hint.as_mut()].into_iter().flatten() {
            *text = self.without(std::mem::take(text));
        }
        exception
    }
}

/// Returns a text as messages may contain it: as it is, escaped as in Python, as in JSON.
pub(crate) fn forms(text: &str) -> BTreeSet<String> {
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

/// Replaces a secret in a text. A short one is replaced only where it stands alone.
pub(crate) fn without(text: &str, secret: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret).filter(|_| !secret.is_empty()) {
        let (before, from) = rest.split_at(at);
        let after = &from[secret.len()..];
        out.push_str(before);
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let is_part = out.ends_with(joins) || after.starts_with(joins);
        out.push_str(if is_part && secret.len() < SHORT { secret } else { REDACTED });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn short_secrets_stand_alone() {
        assert_eq!(
            without("a bad value 'a'", "a"),
            "<<REDACTED>> bad value '<<REDACTED>>'"
        );
        assert_eq!(without("hunter2s", "hunter2"), "<<REDACTED>>s");
        assert_eq!(without("x", ""), "x");
    }
}
