//! Texts come in, and what they make together goes out: escaped where it becomes markup,
//! and secret where one of them is.

use super::{Secrecy, Stamp, Str};

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
pub fn soften(text: Str) -> Str {
    if text.is_markup() {
        text
    } else {
        let stamp = Stamp { markup: true, ..text.stamp() };
        Str::stamped(escape(&text), stamp)
    }
}

/// Two texts that are to be joined: both are markup or none is.
pub(super) fn agree(a: Str, b: Str) -> (Str, Str) {
    if a.is_markup() || b.is_markup() { (soften(a), soften(b)) } else { (a, b) }
}

/// A text made of others: markup if the first is, and as secret as one of them is.
pub(super) fn mark<'a>(text: String, parts: impl IntoIterator<Item = &'a Str>) -> Str {
    let mut parts = parts.into_iter().peekable();
    let markup = parts.peek().is_some_and(|first| first.is_markup());
    let secrecy = parts.map(Str::secrecy).max().unwrap_or_default();
    if markup || secrecy > Secrecy::Open {
        Str::stamped(text, Stamp { markup, secrecy, ..Stamp::default() })
    } else {
        text.into()
    }
}
