//! The results of a generator: a secret, or the messages of an error.

use std::fmt::Display;

use crate::node::{NodeId, Tree};

/// A generated value.
// There is no `Debug`: a secret must not get into a log.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// A password.
    Text(String),
    /// A key or a certificate: its entries in the order of bosh.
    Entries(Vec<(&'static str, String)>),
}

/// The messages of an error, from the outermost one to the cause.
pub type ErrorChain = Vec<ErrorLine>;

/// A message. Parts quoted from the options may be values of other variables, and secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLine {
    /// The whole message.
    pub text: String,
    hidden: String,
}

impl Secret {
    pub(super) fn node(&self, document: &mut Tree) -> NodeId {
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
    /// Returns a message with a form without secrets.
    pub fn new(text: String, hidden: String) -> ErrorLine {
        ErrorLine { text, hidden }
    }

    /// Returns a message that quotes something that may be secret.
    pub fn quoting(before: &str, quoted: impl Display, after: &str) -> ErrorLine {
        let text = format!("{before}{quoted}{after}");
        ErrorLine { text, hidden: format!("{before}…{after}") }
    }

    pub(super) fn hide(self) -> ErrorLine {
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

/// A generated value with what it was made from: the same request has it again.
pub(super) struct Made {
    pub kind: String,
    /// The options, filled in.
    pub options: String,
    /// The variable that signed it, with its printed value.
    pub authority: Option<(String, String)>,
    pub secret: Secret,
}

/// Adds the message of the surrounding action to an error.
#[cfg(feature = "generate")]
pub(super) fn within(
    context: impl Into<ErrorLine>,
) -> impl FnOnce(ErrorChain) -> ErrorChain {
    |mut chain| {
        chain.insert(0, context.into());
        chain
    }
}

/// Returns an error in the words of the library that it comes from.
#[cfg(feature = "generate")]
pub(super) fn cause(error: impl Display) -> ErrorChain {
    vec![error.to_string().into()]
}
