//! What an expression is made of.

use crate::eval::python::Value;

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `$`, `$name`
    Variable(String),
    /// `name(`
    Call(String),
    /// A bare word.
    Word(String),
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant,
    /// A sign or a word that stands between values or before one.
    Operator(&'static str),
    /// `=>`, brackets, a comma.
    Mark(&'static str),
    /// There is nothing more.
    End,
}

/// A piece of an expression, and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The value of a constant; what a message shows of any other.
    pub(super) value: Value,
    /// Characters before it.
    pub(super) at: usize,
}

impl Token {
    /// Whether it is this bracket, comma or `=>`.
    pub(super) fn is(&self, mark: &str) -> bool {
        matches!(self.kind, Kind::Mark(sign) if sign == mark)
    }
}
