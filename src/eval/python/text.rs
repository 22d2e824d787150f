//! [`Str`]: a text that is cheap to share, with properties that values made of it
//! inherit.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::limit;
use crate::source::Span;

/// A text with a [`Stamp`]. Texts are equal whatever their stamps are.
#[derive(Clone, Default)]
pub struct Str {
    text: Arc<str>,
    // `None` for most texts: an allocation for each would double the cost of making one.
    stamp: Option<Arc<Stamp>>,
}

/// Properties of a text beside its characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stamp {
    /// True for `markupsafe.Markup`: texts that are joined to it are escaped.
    pub markup: bool,
    /// The readers that may see it.
    pub secrecy: Secrecy,
    /// True for data that must not be evaluated (again) as a template.
    pub quoted: bool,
    /// True for a literal of a template, false for a text that was computed.
    pub constant: bool,
    /// The span it was written at.
    pub origin: Option<Span>,
}

/// The readers that may see a text. A text made of several has the highest secrecy of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Secrecy {
    /// Everybody may see it.
    #[default]
    Open,
    /// It is written to results only, and in no message.
    Private,
    /// It is never shown.
    Sensitive,
}

impl Str {
    /// Makes a text with a stamp.
    pub fn stamped(text: impl Into<Arc<str>>, stamp: Stamp) -> Str {
        Str { text: text.into(), stamp: Some(Arc::new(stamp)) }
    }

    /// Makes a text of what an operation made, with a stamp.
    pub fn made(text: String, stamp: Stamp) -> Str {
        let made = Str::from(text);
        let is_plain = stamp == Stamp::default();
        if is_plain { made } else { Str { stamp: Some(Arc::new(stamp)), ..made } }
    }

    /// Returns the number of characters.
    pub fn character_count(&self) -> usize {
        limit::charge_compared_bytes(self.len());
        if self.is_ascii() { self.len() } else { self.chars().count() }
    }

    /// Returns the character at an index.
    // Those of ASCII are bytes, which keeps a loop over the indices of a text cheap.
    pub fn character(&self, at: usize) -> Option<char> {
        limit::charge_compared_bytes(self.len());
        if self.is_ascii() {
            return self.as_bytes().get(at).copied().map(char::from);
        }
        limit::charge_bytes(self.len());
        self.chars().nth(at)
    }

    /// Returns the stamp.
    pub fn stamp(&self) -> Stamp {
        self.stamp.as_deref().cloned().unwrap_or_default()
    }

    /// Returns true if it is markup.
    pub fn is_markup(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.markup)
    }

    /// Returns the secrecy.
    pub fn secrecy(&self) -> Secrecy {
        self.stamp.as_ref().map_or(Secrecy::Open, |stamp| stamp.secrecy)
    }

    /// Returns true if it must not be shown.
    pub fn is_sensitive(&self) -> bool {
        self.secrecy() == Secrecy::Sensitive
    }

    /// Returns true if it is data that must not be evaluated.
    pub fn is_quoted(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.quoted)
    }

    /// Returns true if it is a literal of a template.
    pub fn is_constant(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.constant)
    }

    /// Returns true if it is a literal of a template or a scalar of a document, without a
    /// secret in it.
    pub fn is_open_literal(&self) -> bool {
        let stamp = self.stamp.as_deref();
        stamp.is_some_and(|stamp| {
            stamp.secrecy == Secrecy::Open && (stamp.constant || stamp.origin.is_some())
        })
    }

    /// Returns the text, shared.
    pub fn shared(&self) -> Arc<str> {
        self.text.clone()
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Str) -> bool {
        self.text == other.text
    }
}

impl<T: Into<Arc<str>>> From<T> for Str {
    fn from(text: T) -> Str {
        let text = text.into();
        limit::charge_text(text.len());
        Str { text, stamp: None }
    }
}

/// `markupsafe.escape`: escapes `&`, `<`, `>` and quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Returns the text as markup: escaped, unless it is markup already.
pub(super) fn to_markup(text: Str) -> Str {
    if text.is_markup() {
        text
    } else {
        Str::made(escape(&text), Stamp { markup: true, ..text.stamp() })
    }
}

/// Prepares two texts that are to be joined: if one is markup, the other is escaped.
pub(super) fn unify_markup(a: Str, b: Str) -> (Str, Str) {
    if a.is_markup() || b.is_markup() { (to_markup(a), to_markup(b)) } else { (a, b) }
}

/// Makes a text of others: markup if the first is, and as secret as the most secret.
pub(super) fn derived<'a>(text: String, parts: impl IntoIterator<Item = &'a Str>) -> Str {
    let mut parts = parts.into_iter().peekable();
    let markup = parts.peek().is_some_and(|first| first.is_markup());
    let secrecy = parts.map(Str::secrecy).max().unwrap_or_default();
    Str::made(text, Stamp { markup, secrecy, ..Stamp::default() })
}
