//! Reading: the bytes of a file become a [`Source`], a source becomes a [`Tree`].

use std::borrow::Cow;
use std::sync::Arc;

use super::advice::advise;
use super::options::Options;
use super::{accept, bytes, parse};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
use crate::scalar::Dialect;
use crate::source::{Encoding, FileId, Shown, Source, Sources, Span};

/// Decodes the bytes of a file.
///
/// # Errors
/// Bytes that are no text, in the words of libyaml. For [`Dialect::Go`] bytes behind the
/// first document are ignored, as in yaml.v2.
pub fn decode(name: String, stored: Vec<u8>, dialect: Dialect) -> Result<Source> {
    let (text, encoding) = match String::from_utf8(stored) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => foreign(&name, error.as_bytes(), dialect)?,
    };
    Ok(Source { name, encoding, ..Source::unnamed(text) })
}

fn foreign(name: &str, stored: &[u8], dialect: Dialect) -> Result<(String, Encoding)> {
    bytes::text(stored).or_else(|error| {
        let verdict = match dialect {
            Dialect::Go => accept::refuse(&error).map_err(|refusal| refusal.message),
            Dialect::Core | Dialect::Yaml11 => Err(error.message.to_owned()),
        };
        match verdict {
            Ok(_) => Ok((error.before, error.encoding)),
            Err(message) => {
                let hint = format!(
                    "'{name}' is not UTF-8 or UTF-16 from byte {} on",
                    error.offset
                );
                Err(Diagnostic::error(format!("yaml: {message}")).hint(hint))
            }
        }
    })
}

/// Returns the dialect that the `%YAML` directive of a text asks for, if it has one.
pub fn version(text: &str) -> Option<Dialect> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut head =
        lines.take_while(|line| line.trim().is_empty() || line.starts_with(['%', '#']));
    let version = head.find_map(|line| line.strip_prefix("%YAML"))?;
    match version.split_whitespace().next() {
        Some("1.1") => Some(Dialect::Yaml11),
        Some(_) | None => Some(Dialect::Core),
    }
}

/// Reads one of the sources.
///
/// # Errors
/// A syntax error with its span; for [`Dialect::Go`] any refusal by yaml.v2, in its
/// words.
///
/// # Examples
/// See the [crate documentation](crate).
pub fn read(sources: &Sources, file: FileId, options: &Options) -> Result<Tree> {
    let source = sources.shared(file);
    let arena = match options.dialect {
        Dialect::Go => read_go(sources, file, options),
        Dialect::Core | Dialect::Yaml11 => parse::parse(file, source.clone(), options),
    };
    arena.map(Tree::new).map_err(|mut error| {
        if source.is_secret() {
            // Messages quote keys and values, but a secret must not be printed.
            error.message = hide(&error.message);
        }
        advise(error, &source.text)
    })
}

/// Returns an empty document, in which nodes can be made.
///
/// # Errors
/// None.
pub fn blank() -> Result<Tree> {
    parse::text(FileId::BLANK, "", &Options::default()).map(Tree::new)
}

/// Returns the document if nothing was edited, else what it prints, read again as a text
/// of its own. Fails without a place.
pub(crate) fn clean(document: &Tree) -> Result<Cow<'_, Tree>> {
    if document.is_clean() {
        return Ok(Cow::Borrowed(document));
    }
    let source = Source {
        name: document.base().source().name.clone(),
        shown: if document.has_secrets() { Shown::Nothing } else { Shown::All },
        ..Source::unnamed(document.to_string())
    };
    reread(source, document.dialect()).map(Cow::Owned)
}

/// Reads what was printed, or a part of a text that was read. Fails without a place.
pub(crate) fn reread(source: Source, dialect: Dialect) -> Result<Tree> {
    let options = Options { dialect, depth: u32::MAX, ..Options::default() };
    let arena = parse::parse(FileId::unused(), Arc::new(source), &options);
    arena.map(Tree::new).map_err(|error| Diagnostic::error(error.message))
}

/// Returns the message without its quotations from a secret text: a value, a key, or an
/// alias, which may be a value that begins with `*`.
pub(crate) fn hide(message: &str) -> String {
    let quotes = [("anchor '", "'"), ("`", "`"), ("map key: ", "")];
    let found = quotes.into_iter().filter_map(|(open, close)| {
        let (before, rest) = message.split_once(open)?;
        Some((before.len() + open.len(), rest.rsplit_once(close)?.1.len() + close.len()))
    });
    match found.min() {
        Some((start, end)) => {
            format!("{}…{}", &message[..start], &message[message.len() - end..])
        }
        None => message.to_owned(),
    }
}

/// Reads what yaml.v2 accepts, and refuses the rest in its words.
fn read_go(sources: &Sources, file: FileId, options: &Options) -> Result<Arena> {
    let refused = |refusal: accept::Refusal| {
        let at = u32::try_from(refusal.offset).unwrap_or(u32::MAX);
        let message = format!("yaml: {}", refusal.message);
        Diagnostic::error(message).at(Span { file, start: at, end: at })
    };
    let said = |mut error: Box<Diagnostic>| {
        error.message.insert_str(0, "yaml: ");
        error
    };
    let source = sources.shared(file);
    let end = accept::observe(&source.text, source.encoding, |_| {}).map_err(refused)?;
    // The default is the limit of yaml.v2, which `accept` has checked; it counts blocks
    // and brackets apart, so that the sum may be larger.
    let own = options.depth == Options::default().depth;
    let options =
        &Options { depth: if own { u32::MAX } else { options.depth }, ..*options };
    let arena = parse::parse(file, source.clone(), options).map_err(said)?;
    if let Some(error) = arena.ignored_error()
        && error.labels.iter().any(|label| (label.span.start as usize) < end)
    {
        return Err(said(Box::new(error.clone())));
    }
    accept::decode(&arena, options.target).map_err(refused)?;
    Ok(arena)
}
