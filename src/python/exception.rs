//! What goes wrong: a class, and a message in Python's words.

use std::fmt;

use super::Value;
use crate::source::Span;

/// The result of an operation that may raise.
pub type Result<T> = std::result::Result<T, Box<Exception>>;

/// The kind of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A value of the wrong type.
    Type,
    /// A value of the right type that cannot be used.
    Value,
    /// A key that a mapping has not.
    Key,
    /// An index that a sequence has not.
    Index,
    /// An attribute that an object has not.
    Attribute,
    /// A name, key or attribute of a template that is not defined.
    Undefined,
    /// A division by zero.
    ZeroDivision,
    /// A number that is too large.
    Overflow,
    /// Nesting, or an evaluation that needs itself.
    Recursion,
    /// A text that cannot be read: a template, an expression, JSON.
    Syntax,
    /// What cannot work outside the reference system.
    Unsupported,
    /// What `--allow` does not let be reached.
    Denied,
    /// A file, a lookup or something else that is not there.
    Missing,
    /// More work, text or depth than a limit allows.
    Limit,
    /// A value that was asked to be left out, where nothing can be left out.
    Omitted,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Exception {
    /// Its kind.
    pub class: Class,
    /// What it says.
    pub message: String,
    /// What to try instead.
    pub hint: Option<String>,
    /// The line and column (from 1) in the text that was being evaluated.
    pub position: Option<(u32, u32)>,
    /// Where in the documents it happened, innermost first, and what was evaluated there.
    pub places: Vec<(Span, String)>,
}

impl Exception {
    /// An exception without a place.
    pub fn new(class: Class, message: impl Into<String>) -> Box<Exception> {
        let (message, places) = (message.into(), Vec::new());
        Box::new(Exception { class, message, hint: None, position: None, places })
    }

    /// A `TypeError`.
    pub fn of_type(message: impl Into<String>) -> Box<Exception> {
        Exception::new(Class::Type, message)
    }

    /// A `ValueError`.
    pub fn of_value(message: impl Into<String>) -> Box<Exception> {
        Exception::new(Class::Value, message)
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Exception> {
        self.hint = Some(hint.into());
        self
    }

    /// The same at a line and column of what is being evaluated, if it has none yet.
    #[must_use]
    pub fn at(mut self: Box<Self>, line: u32, column: u32) -> Box<Exception> {
        self.position = self.position.or(Some((line, column)));
        self
    }

    /// The same, which happened while a source was evaluated.
    #[must_use]
    pub fn located(mut self: Box<Self>, source: &Value) -> Box<Exception> {
        if let Value::Str(text) = source
            && let Some(origin) = text.stamp().origin
            && !self.places.iter().any(|(place, _)| *place == origin)
        {
            self.places.push((origin, text.to_string()));
        }
        self
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Exception {}
