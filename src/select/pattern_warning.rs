//! Warnings about the patterns of `match()` and `search()` that are no I-Regexp.

use super::i_regexp::{Foreign, IRegexp, foreign};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

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
        let warning = Diagnostic::warning(&*self.message).hint(&*self.hint);
        *warning.at(place)
    }
}

/// Returns a hint at a part of a pattern that is no I-Regexp.
pub(super) fn hint(foreign: &Foreign) -> String {
    match (foreign.meaning, &*foreign.instead) {
        ("", _) => {
            "only ()[]{}*+?.| and \\p{…} have a meaning, others after a '\\'".into()
        }
        (meaning, "") => format!("elsewhere it is {meaning}; nothing means that here"),
        (meaning, instead) => format!("elsewhere it is {meaning}: write '{instead}'"),
    }
}
