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
pub type Chain = Vec<Line>;

/// A message. What it quotes of the options may be the value of another variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
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

impl Line {
    /// A message and its form without secrets.
    pub(super) fn new(text: String, hidden: String) -> Line {
        Line { text, hidden }
    }

    /// A message with a quotation.
    pub(super) fn quoting(before: &str, quoted: impl Display, after: &str) -> Line {
        let text = format!("{before}{quoted}{after}");
        Line { text, hidden: format!("{before}…{after}") }
    }

    /// The message without what it quotes.
    pub(in crate::variables) fn hide(self) -> Line {
        Line::from(self.hidden)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { hidden: text.clone(), text }
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::from(text.to_owned())
    }
}

/// Says what was being done when it failed.
pub(super) fn within(context: impl Into<Line>) -> impl FnOnce(Chain) -> Chain {
    |mut chain| {
        chain.insert(0, context.into());
        chain
    }
}

/// A cause, in the words of the library that met it.
pub(super) fn cause(error: impl Display) -> Chain {
    vec![error.to_string().into()]
}
