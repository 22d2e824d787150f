//! The key and the value of a merge directive → what it asks for:
//! `+[?][include][*anchor][.…][/pointer]`.

use jsonptr::PointerBuf;

use super::import::Include;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Kind, Node};
use crate::patch::{Base, Source};
use crate::scalar::{Dialect, Scalar};
use crate::source::Span;

/// The key that gives the mapping around it a name.
pub(super) const NAME: &str = "+&";

/// A directive: an entry of a mapping, read and understood.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    /// The key, as it was written.
    pub(super) key: Node,
    pub(super) span: Span,
    /// The mapping it stands in.
    pub(super) holder: Node,
    /// What it asks for; the base of an include has no file yet.
    pub(super) source: Source,
    /// The file it asks for.
    pub(super) include: Option<Include>,
}

impl Directive {
    /// Whether where it leads depends on where the mapping lands that holds it.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self.source.base, Base::Parent(_))
    }
}

/// Whether `key` has a meaning: of a directive, of a name, or that it is misspelt.
pub(crate) fn counts(key: &str) -> bool {
    key == NAME || !matches!(spelling(key), Ok(None))
}

/// Reads an entry of a mapping; none if it is an entry like any other.
///
/// # Errors
/// The key is misspelt, or the value names no file.
pub(super) fn read(
    document: &Document,
    holder: Node,
    key: Node,
    value: Node,
) -> Result<Option<Directive>> {
    let Scalar::String(text) = document.scalar(key) else { return Ok(None) };
    let span = place(document, key, holder);
    let spelling = spelling(&text).map_err(|why| Diagnostic::error(why).at(span))?;
    let Some(spelling) = spelling else { return Ok(None) };
    let (mut source, mut include) = (spelling.source, None);
    if spelling.include {
        let asked = Include::read(document, value, &text, span)?;
        source.raw = asked.raw;
        source.pointer.splice(0..0, asked.fragment.iter().cloned());
        include = Some(asked);
    } else {
        source.raw = document.is_text(value, "raw");
        // It could only name what it stands in, and bosh prints it.
        let around = source.pointer.is_empty() && matches!(source.base, Base::Parent(_));
        if around && !source.raw && document.dialect() == Dialect::Go {
            return Ok(None);
        }
    }
    Ok(Some(Directive { key, span, holder, source, include }))
}

/// Where a key was written.
fn place(document: &Document, key: Node, holder: Node) -> Span {
    let span = document.span(key).or_else(|| document.span(holder));
    let file = document.file();
    document.first_line(span.unwrap_or(Span { file, start: 0, end: 0 }))
}

/// What a key says.
#[derive(Debug, Default, PartialEq)]
struct Spelling {
    include: bool,
    source: Source,
}

/// Reads a key; none if it is one like any other.
fn spelling(key: &str) -> std::result::Result<Option<Spelling>, String> {
    let Some(rest) = key.strip_prefix('+') else { return Ok(None) };
    let mut tokens = pointer(rest)?.into_iter();
    let first = tokens.next().unwrap_or_default();
    let pointer: Vec<String> = tokens.collect();
    let (optional, rest) = strip(&first, "?");
    let (include, rest) = strip(rest, "include");
    let rest = if include { rest.trim_start_matches(is_label) } else { rest };
    let (anchor, rest) = anchor(rest);
    let dots = if rest.bytes().all(|b| b == b'.') { rest.len() as u32 } else { 0 };
    let bare = !optional && !include && anchor.is_none() && dots == 0;
    if bare && (!first.is_empty() || pointer.is_empty()) {
        return Ok(None);
    }
    let base = match anchor {
        _ if include => Base::File(None, anchor),
        Some(_) if dots > 0 => {
            return Err(format!("'{key}' has both an anchor and a relative path"));
        }
        Some(anchor) => Base::Anchor(anchor),
        None if dots > 0 => Base::Parent(dots),
        None => Base::Root,
    };
    let source = Source { optional, raw: false, base, pointer };
    Ok(Some(Spelling { include, source }))
}

/// The tokens of a JSON pointer without its first `/`.
pub(super) fn pointer(text: &str) -> std::result::Result<Vec<String>, String> {
    if !text.contains('~') {
        return Ok(text.split('/').map(str::to_owned).collect());
    }
    let pointer = PointerBuf::parse(format!("/{text}")).map_err(|_| {
        let escapes = text.split('~').skip(1);
        let wrong = escapes.map(|rest| rest.chars().next());
        let wrong = wrong.into_iter().find(|c| !matches!(c, Some('0' | '1'))).flatten();
        let wrong = wrong.map(String::from).unwrap_or_default();
        format!("Found invalid escape ~{wrong} in JSON pointer {text}")
    })?;
    Ok(pointer.tokens().map(|token| token.decoded().into_owned()).collect())
}

fn strip<'t>(text: &'t str, prefix: &str) -> (bool, &'t str) {
    match text.strip_prefix(prefix) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

fn is_label(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The name after a `*`, which ends before trailing dots, and what follows.
fn anchor(text: &str) -> (Option<String>, &str) {
    let Some(rest) = text.strip_prefix('*') else { return (None, text) };
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches('.');
    match name {
        "" => (None, text),
        _ => (Some(name.to_owned()), &rest[name.len()..]),
    }
}

/// Whether `node` says nothing.
pub(super) fn is_empty(document: &Document, node: Node) -> bool {
    document.kind(node) == Kind::Scalar && document.is_null(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let source = |base, pointer: &[&str]| Source {
            base,
            pointer: pointer.iter().map(|&token| token.to_owned()).collect(),
            ..Source::default()
        };
        for plain in ["+", "++/a", "+a/b", "+.a", "+*", "+*..", "?+/a", "+%x", "+Include"]
        {
            assert_eq!(spelling(plain), Ok(None), "{plain}");
        }
        let anchor = |name: &str| Base::Anchor(name.into());
        for (key, wanted) in [
            ("+/", source(Base::Root, &[""])),
            ("+/a~1b/~01", source(Base::Root, &["a/b", "~1"])),
            ("+..", source(Base::Parent(2), &[])),
            ("+../x", source(Base::Parent(2), &["x"])),
            ("+*n.m/x", source(anchor("n.m"), &["x"])),
            ("+?/x", Source { optional: true, ..source(Base::Root, &["x"]) }),
            ("+?x/y", Source { optional: true, ..source(Base::Root, &["y"]) }),
            ("+include-2", source(Base::File(None, None), &[])),
            ("+include*n/x", source(Base::File(None, Some("n".into())), &["x"])),
            ("+include..", source(Base::File(None, None), &[])),
        ] {
            assert_eq!(spelling(key).unwrap().unwrap().source, wanted, "{key}");
        }
        for wrong in ["+a~9", "+/~", "+*a."] {
            assert!(spelling(wrong).is_err(), "{wrong}");
        }
    }
}
