//! The tokens of a template.

use crate::eval::python::Value;

/// The line and column something begins at, from 1.
pub(super) type At = (u32, u32);

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Lexeme,
    pub(super) at: At,
}

#[derive(Clone, Debug)]
pub(super) enum Lexeme {
    /// Text between the tags.
    Text(String),
    /// `{{`
    Variable,
    /// `{%`
    Block,
    /// `}}` or `%}`
    End,
    Name(String),
    /// A string, a number.
    Const(Value),
    Sign(&'static str),
}

impl Lexeme {
    /// What it is called in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Lexeme::Text(_) => "template data".into(),
            Lexeme::Variable => "begin of print statement".into(),
            Lexeme::Block => "begin of statement block".into(),
            Lexeme::End => "end of tag".into(),
            Lexeme::Name(name) => name.clone(),
            Lexeme::Const(Value::Str(_)) => "string".into(),
            Lexeme::Const(Value::Float(_)) => "float".into(),
            Lexeme::Const(_) => "integer".into(),
            Lexeme::Sign(sign) => (*sign).into(),
        }
    }
}
