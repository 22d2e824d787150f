//! What a generator gives: a secret, or the chain of messages of what went wrong.

use std::fmt::Display;

use crate::node::{Document, Node};

/// A value that was generated. (It cannot be printed for debugging.)
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// A password.
    Text(String),
    /// A key or a certificate: its entries, in the order bosh writes them.
    Entries(Vec<(&'static str, String)>),
}

/// Why nothing was generated: messages from the outermost to the cause.
pub type ErrorChain = Vec<ErrorLine>;

/// A message. What it quotes of the options may be the value of another variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLine {
    /// All of it.
    pub text: String,
    hidden: String,
}

impl Secret {
    /// The value as a node of `document`.
    pub(in crate::variables) fn node(&self, document: &mut Document) -> Node {
        match self {
            Secret::Text(text) => document.new_secret(text),
            Secret::Entries(entries) => {
                let entries: Vec<(&str, &str)> =
                    entries.iter().map(|(key, value)| (*key, &**value)).collect();
                let mapping = document.new_mapping(&entries, None);
                for (_, value) in document.pairs(mapping) {
                    document.hide(value);
                }
                mapping
            }
        }
    }
}

impl ErrorLine {
    /// A message and its form without secrets.
    pub(super) fn new(text: String, hidden: String) -> ErrorLine {
        ErrorLine { text, hidden }
    }

    /// A message with a quotation.
    pub(super) fn quoting(before: &str, quoted: impl Display, after: &str) -> ErrorLine {
        let text = format!("{before}{quoted}{after}");
        ErrorLine { text, hidden: format!("{before}…{after}") }
    }

    /// The message without what it quotes.
    pub(in crate::variables) fn hide(self) -> ErrorLine {
        ErrorLine::from(self.hidden)
    }
}

impl From<String> for ErrorLine {
    fn from(text: String) -> ErrorLine {
        ErrorLine { hidden: text.clone(), text }
    }
}

impl From<&str> for ErrorLine {
    fn from(text: &str) -> ErrorLine {
        ErrorLine::from(text.to_owned())
    }
}

/// Says what was being done when it failed.
pub(super) fn within(
    context: impl Into<ErrorLine>,
) -> impl FnOnce(ErrorChain) -> ErrorChain {
    |mut chain| {
        chain.insert(0, context.into());
        chain
    }
}

/// A cause, in the words of the library that met it.
pub(super) fn cause(error: impl Display) -> ErrorChain {
    vec![error.to_string().into()]
}
