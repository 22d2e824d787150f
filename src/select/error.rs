//! The errors and warnings of the texts of queries and selectors.

use std::error::Error;
use std::fmt;

use super::foreign::{ForeignSyntax, foreign};
use super::i_regexp::IRegexp;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A mistake in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The fault, e.g. "expected a name after '.'".
    pub message: String,
    /// Offset in bytes at which it was found.
    pub at: usize,
    /// A suggestion: "did you mean '$.a'?"
    pub hint: Option<String>,
}

impl QueryError {
    /// Returns the message with the position in the query.
    pub fn within(&self, query: &str) -> String {
        let before = query.get(..self.at).unwrap_or(query).chars().count();
        let place = match query.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!(" at '{c}', character {}", before + 1),
            None => format!(", but found the end, character {}", before + 1),
        };
        format!("{}{place}", self.message)
    }

    /// Returns the mistake with its position in the text.
    pub fn told(self, text: &str) -> Mistake {
        Mistake { message: self.within(text), hint: self.hint }
    }
}

/// A mistake in a path or a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The fault.
    pub message: String,
    /// A suggestion.
    pub hint: Option<String>,
}

impl From<String> for Mistake {
    fn from(message: String) -> Mistake {
        Mistake { message, hint: None }
    }
}

/// Prints both on one line.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

impl Error for Mistake {}

/// A warning about a pattern that is written in a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternWarning {
    /// Its effect: "match() never holds".
    pub message: String,
    /// Its meaning elsewhere, and how to write that.
    pub hint: String,
}

impl PatternWarning {
    /// Returns the warning about the pattern of a function, unless it means the same in all
    /// regular expressions.
    pub(super) fn of(function: &str, pattern: &str) -> Option<PatternWarning> {
        let foreign = foreign(pattern)?;
        let part = &foreign.part;
        let message = if IRegexp::parse(pattern).is_ok() {
            format!("'{part}' inside of a pattern of {function}() is a character")
        } else {
            format!("'{part}' is in no I-Regexp (RFC 9485): {function}() never holds")
        };
        Some(PatternWarning { message, hint: hint(&foreign) })
    }

    /// Returns the warning on one line.
    pub fn told(&self) -> String {
        format!("{}; {}", self.message, self.hint)
    }

    /// Returns the warning about a query at a place.
    pub fn at(&self, place: Option<Span>) -> Diagnostic {
        *Diagnostic::warning(&*self.message).hint(&*self.hint).at(place)
    }
}

/// Returns a hint at a part of a pattern that is no I-Regexp.
pub(super) fn hint(foreign: &ForeignSyntax) -> String {
    match (foreign.meaning, &*foreign.instead) {
        ("", _) => {
            "only ()[]{}*+?.| and \\p{…} have a meaning, others after a '\\'".into()
        }
        (meaning, "") => format!("elsewhere it is {meaning}; nothing means that here"),
        (meaning, instead) => format!("elsewhere it is {meaning}: write '{instead}'"),
    }
}
