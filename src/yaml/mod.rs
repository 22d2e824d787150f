//! Text ⇄ tree: reading a text into a document, printing a document.

pub mod accept;
pub mod bytes;
mod decode;
pub mod go;
mod indent;
pub mod json;
mod limit;
mod ops;
mod parse;
mod print;
mod serde;
mod version;

use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Label, Result};
use crate::node::Document;
use crate::scalar::Dialect;
use crate::source::{FileId, Sources, Span};

pub use decode::decode;
pub use limit::Expansion;
pub use ops::print_ops;
pub use print::{Printed, print, print_found};
pub use version::version;

/// How a text is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What plain scalars mean and what is accepted.
    pub dialect: Dialect,
    /// Refuse what YAML 1.2 forbids though common readers accept it.
    pub strict: bool,
    /// How deep collections may nest.
    pub depth: u32,
    /// What the text is to become, which is all that Go's reader looks into.
    pub target: Target,
}

/// What Go's reader makes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Any value.
    #[default]
    Value,
    /// A list of records with these fields.
    Records(&'static [&'static str]),
    /// A mapping whose keys are taken as text.
    Entries,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Core,
            strict: false,
            depth: 10_000,
            target: Target::default(),
        }
    }
}

/// Reads one of the sources.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(sources: &Sources, file: FileId, options: &Options) -> Result<Document> {
    let text = &sources.get(file).text;
    let arena = match options.dialect {
        Dialect::Go => read_go(sources, file, options),
        Dialect::Core | Dialect::Yaml11 => parse::parse(file, text.clone(), options),
    };
    let secret = sources.get(file).secret;
    let document = arena.map(|arena| Document::new(arena.with_secret(secret)));
    document.map_err(|mut error| {
        if secret {
            error.message = hide(&error.message);
        }
        tabbed(error, text)
    })
}

/// The message without what it quotes of a secret text: a value, a key, or what may be a
/// value that begins with `*`.
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

/// Helps where a tab is what is wrong.
fn tabbed(error: Box<Diagnostic>, text: &str) -> Box<Diagnostic> {
    let at = error.labels.first().map(|label| label.span.start as usize);
    match at.and_then(|at| text.as_bytes().get(at)) {
        Some(b'\t') => error.hint("a tab cannot indent YAML; use spaces"),
        Some(_) | None => error,
    }
}

/// Reads what Go's yaml.v2 accepts, and refuses the rest in its words.
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
    let source = sources.get(file);
    let end = accept::observe(&source.text, source.encoding, |_| {}).map_err(refused)?;
    // By default yaml.v2's own limit counts, which counts blocks and brackets apart.
    let own = options.depth == Options::default().depth;
    let depth = if own { u32::MAX } else { options.depth };
    let options = &Options { depth, ..*options };
    let arena = parse::parse(file, source.text.clone(), options).map_err(said)?;
    let inside = |label: &Label| (label.span.start as usize) < end;
    if let Some(error) = arena.ignored_error()
        && error.labels.iter().any(inside)
    {
        return Err(said(Box::new(error.clone())));
    }
    accept::decode(&arena, options.target).map_err(refused)?;
    Ok(arena)
}
