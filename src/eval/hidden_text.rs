//! The texts that no message says come in; a message without them goes out.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::sensitive::REDACTED;
use crate::eval::python::{Exception, Value, json, repr};

/// Texts that no message says.
#[derive(Debug, Default)]
pub(super) struct HiddenTexts {
    texts: BTreeSet<Arc<str>>,
    /// Those whose forms nobody has needed yet.
    new: Vec<Arc<str>>,
    /// All that the others are written as, the longest first.
    forms: BTreeSet<(Reverse<usize>, String)>,
}

impl HiddenTexts {
    /// These texts.
    pub(super) fn of(texts: impl IntoIterator<Item = Arc<str>>) -> HiddenTexts {
        let mut known = HiddenTexts::default();
        texts.into_iter().for_each(|text| known.add(text));
        known
    }

    /// This text, too.
    pub(super) fn add(&mut self, text: Arc<str>) {
        if self.texts.insert(text.clone()) {
            self.new.push(text);
        }
    }

    /// Whether this is one of them.
    pub(super) fn has(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    /// A text without them.
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

    /// A failure that does not say them.
    pub(super) fn hide(&mut self, mut exception: Box<Exception>) -> Box<Exception> {
        let Exception { message, hint, .. } = &mut *exception;
        for text in [Some(message), hint.as_mut()].into_iter().flatten() {
            *text = self.without(std::mem::take(text));
        }
        exception
    }
}

/// A text as messages write it: as it is, as Python and as JSON.
pub(crate) fn forms(text: &str) -> BTreeSet<String> {
    let value = Value::text(text);
    let python = repr(&value).unwrap_or_default();
    let json = json::dump(&value, &json::JsonStyle::default()).unwrap_or_default();
    let bare =
        |quoted: &str| quoted.get(1..quoted.len().saturating_sub(1)).map(str::to_owned);
    let forms = [bare(&python), bare(&json), Some(text.to_owned())];
    forms.into_iter().flatten().filter(|form| !form.trim().is_empty()).collect()
}

/// Secrets shorter than this may be parts of words that say nothing of them.
pub(super) const SHORT: usize = 4;

/// A text without a secret; a short one is taken out where it stands alone.
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
