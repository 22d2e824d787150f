//! `str`: a text that is cheap to share, and what is known of it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::limit;
use crate::source::Span;

/// A text, and what is known of it. Two are equal if their texts are.
#[derive(Clone, Default)]
pub struct Str {
    text: Arc<str>,
    stamp: Option<Arc<Stamp>>,
}

/// What is known of a text beside its characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stamp {
    /// Markup: what is joined to it is escaped.
    pub markup: bool,
    /// Who may see it.
    pub secrecy: Secrecy,
    /// Data, not source: it is never evaluated (again).
    pub quoted: bool,
    /// A constant of the source itself, as against what was made or found.
    pub constant: bool,
    /// Where it was written.
    pub origin: Option<Span>,
}

/// Who may see a text; what is made of several is as secret as the most secret of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Secrecy {
    /// Everybody.
    #[default]
    Open,
    /// It is shown as a result only: no message says it.
    Private,
    /// It is never shown.
    Sensitive,
}

impl Str {
    /// A text with a stamp.
    pub fn stamped(text: impl Into<Arc<str>>, stamp: Stamp) -> Str {
        Str { text: text.into(), stamp: Some(Arc::new(stamp)) }
    }

    /// What is known of it.
    pub fn stamp(&self) -> Stamp {
        self.stamp.as_deref().cloned().unwrap_or_default()
    }

    /// Whether it is markup.
    pub fn is_markup(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.markup)
    }

    /// Who may see it.
    pub fn secrecy(&self) -> Secrecy {
        self.stamp.as_ref().map_or(Secrecy::Open, |stamp| stamp.secrecy)
    }

    /// Whether it must not be shown.
    pub fn is_sensitive(&self) -> bool {
        self.secrecy() == Secrecy::Sensitive
    }

    /// Whether it is data that is never evaluated.
    pub fn is_quoted(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.quoted)
    }

    /// Whether it stands in the source as it is.
    pub fn is_constant(&self) -> bool {
        self.stamp.as_ref().is_some_and(|stamp| stamp.constant)
    }

    /// The text, shared.
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
        limit::charge_bytes(text.len());
        Str { text, stamp: None }
    }
}

/// The text with `&`, `<`, `>` and quotes escaped.
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

/// A text as markup: escaped, unless it is markup already.
pub(super) fn to_markup(text: Str) -> Str {
    if text.is_markup() {
        text
    } else {
        let stamp = Stamp { markup: true, ..text.stamp() };
        Str::stamped(escape(&text), stamp)
    }
}

/// Two texts that are to be joined: both are markup or none is.
pub(super) fn unify_markup(a: Str, b: Str) -> (Str, Str) {
    if a.is_markup() || b.is_markup() { (to_markup(a), to_markup(b)) } else { (a, b) }
}

/// A text made of others: markup if the first is, and as secret as one of them is.
pub(super) fn derived<'a>(text: String, parts: impl IntoIterator<Item = &'a Str>) -> Str {
    let mut parts = parts.into_iter().peekable();
    let markup = parts.peek().is_some_and(|first| first.is_markup());
    let secrecy = parts.map(Str::secrecy).max().unwrap_or_default();
    if markup || secrecy > Secrecy::Open {
        Str::stamped(text, Stamp { markup, secrecy, ..Stamp::default() })
    } else {
        text.into()
    }
}
