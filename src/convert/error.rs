//! The error of both directions: it collects its place on the way from the value that
//! failed up to the caller.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde_core::de::value::Error as Plain;
use serde_core::de::{Expected, Unexpected};
use serde_core::{de, ser};

use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::pointer::{Pointer, Token};
use crate::scalar::{Context, Scalar, spell};

/// Maximum number of collections in each other in a value that code gives or gets, as in
/// serde_json. Implementations of serde's traits recurse, and this many levels fit into the
/// stack of a thread.
///
/// ```
/// use interpolate::{Document, MAX_VALUE_DEPTH};
///
/// let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
/// let value = |depth| Document::parse(nested(depth))?.deserialize::<serde_json::Value>();
/// assert!(value(MAX_VALUE_DEPTH).is_ok());
/// assert!(value(MAX_VALUE_DEPTH + 1).is_err());
/// ```
pub const MAX_DEPTH: usize = 128;

/// Maximum length in bytes of a value that a message quotes.
// About a line: more of a long text does not help to recognise it.
const MAX_QUOTED: usize = 100;

/// Replaces what a message must not show.
const HIDDEN: &str = "…";

/// A failure and the place it is known to be at so far.
#[derive(Debug)]
pub(super) struct Error {
    diagnostic: Box<Diagnostic>,
    /// The message without the value, which is shown if the value is secret.
    discreet: Option<String>,
    /// True once the innermost node that failed is known.
    is_placed: bool,
    /// The path to that node, innermost token first.
    tokens: Vec<Token>,
}

impl Error {
    fn new(message: impl Display, discreet: impl Into<Option<String>>) -> Error {
        let diagnostic = Diagnostic::error(message.to_string());
        let discreet = discreet.into();
        Error { diagnostic, discreet, is_placed: false, tokens: Vec::new() }
    }

    /// Checks the number of collections that a collection stands in.
    pub(super) fn check_depth(depth: usize) -> Result<(), Error> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        Err(Error::new(format!("nested more than {MAX_DEPTH} levels deep"), None))
    }

    /// Notes the node that failed, unless a node inside it is noted. `is_secret` is true
    /// if the message may quote a secret.
    pub(super) fn at(mut self, tree: &Tree, node: NodeId, is_secret: bool) -> Error {
        let discreet = self.discreet.take().filter(|_| is_secret && !self.is_placed);
        if let Some(message) = discreet {
            self.diagnostic.message = message;
        }
        self.is_placed = true;
        // A node that was made has no place; the collection around it may have one.
        if let Some(span) = tree.span(node)
            && self.diagnostic.labels.is_empty()
        {
            self.diagnostic = self.diagnostic.at(tree.first_line(span));
        }
        self
    }

    /// Adds the item that failed to the path.
    pub(super) fn in_item(mut self, index: usize) -> Error {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        self.tokens.push(Token::Index(index, Vec::new()));
        self
    }

    /// Adds the entry whose value failed to the path.
    pub(super) fn in_entry(mut self, tree: &Tree, key: NodeId) -> Error {
        self.tokens.push(Token::Key(shown_key(tree, key)));
        self
    }

    /// Adds the variant whose content failed to the path, if it is one.
    pub(super) fn in_variant(mut self, variant: Option<&str>) -> Error {
        self.tokens.extend(variant.map(|name| Token::Key(name.to_owned())));
        self
    }

    pub(super) fn into_diagnostic(mut self) -> Box<Diagnostic> {
        self.tokens.reverse();
        let pointer = Pointer { required: self.tokens.len(), tokens: self.tokens };
        if !pointer.tokens.is_empty() {
            self.diagnostic.within(&format!("{}: ", pointer.spell()));
        }
        self.diagnostic
    }
}

impl From<Box<Diagnostic>> for Error {
    fn from(diagnostic: Box<Diagnostic>) -> Error {
        Error { diagnostic, discreet: None, is_placed: false, tokens: Vec::new() }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        <Error as de::Error>::custom(message)
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        // The message is made by the type that refused the value, and may quote it.
        Error::new(message, "the value is secret, and is refused".to_owned())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        let without = Plain::invalid_type(without_value(found), expected);
        let message = quoted(found, |found| Plain::invalid_type(found, expected));
        Error::new(message, without.to_string())
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        let without = Plain::invalid_value(without_value(found), expected);
        let message = quoted(found, |found| Plain::invalid_value(found, expected));
        Error::new(message, without.to_string())
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Error {
        Error::new(Plain::invalid_length(length, expected), None)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Error {
        Error::new(
            Plain::unknown_variant(&clipped(variant), expected),
            Plain::unknown_variant(HIDDEN, expected).to_string(),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Error {
        let without = Plain::unknown_field(HIDDEN, expected);
        Error::new(Plain::unknown_field(&clipped(field), expected), without.to_string())
    }

    fn missing_field(field: &'static str) -> Error {
        Error::new(Plain::missing_field(field), None)
    }

    fn duplicate_field(field: &'static str) -> Error {
        Error::new(Plain::duplicate_field(field), None)
    }
}

/// Makes a message that quotes a value: a long one in part, null in the word of YAML.
fn quoted(found: Unexpected<'_>, message: impl Fn(Unexpected<'_>) -> Plain) -> Plain {
    match found {
        Unexpected::Str(text) => message(Unexpected::Str(&clipped(text))),
        Unexpected::Unit => message(Unexpected::Other("null")),
        other => message(other),
    }
}

fn clipped(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_QUOTED {
        return text.into();
    }
    let end = (0..=MAX_QUOTED).rfind(|&end| text.is_char_boundary(end));
    Cow::Owned(text[..end.unwrap_or(0)].to_owned() + HIDDEN)
}

/// Returns the type of a value that is not shown.
fn without_value(found: Unexpected<'_>) -> Unexpected<'_> {
    Unexpected::Other(match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "floating point",
        Unexpected::Char(_) => "character",
        Unexpected::Str(_) => "string",
        Unexpected::Unit => "null",
        Unexpected::Other(_) => "value",
        other => return other,
    })
}

/// Returns the text of a scalar of any type: as written, or as it would be written.
pub(super) fn text(tree: &Tree, node: NodeId) -> Cow<'_, str> {
    match (tree.scalar(node), tree.follow(node)) {
        (Scalar::String(text), _) => text,
        (_, NodeId::Clean(..)) => tree.text_of(node),
        (scalar, NodeId::Opened(_)) => spell(&scalar, Context::Block).into(),
    }
}

/// Returns a key as it stands in a path.
fn shown_key(tree: &Tree, key: NodeId) -> String {
    match tree.kind(key) {
        Kind::Scalar if tree.is_hidden(key) => HIDDEN.to_owned(),
        Kind::Scalar => clipped(&text(tree, key)).into_owned(),
        Kind::Sequence => "[…]".to_owned(),
        Kind::Mapping => "{…}".to_owned(),
    }
}
