//! What goes wrong: a class, and a message in Python's words.

use std::fmt;
use std::sync::Arc;

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
    /// The file of that text, if it is none of the documents.
    pub file: Option<Arc<str>>,
    /// Where in the documents it happened, innermost first, and what was evaluated there.
    pub places: Vec<(Span, String)>,
}

impl Exception {
    /// An exception without a place.
    pub fn new(class: Class, message: impl Into<String>) -> Box<Exception> {
        let (message, places) = (message.into(), Vec::new());
        let (hint, position, file) = (None, None, None);
        Box::new(Exception { class, message, hint, position, file, places })
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
    pub fn at(self: Box<Self>, line: u32, column: u32) -> Box<Exception> {
        self.at_in((line, column), None)
    }

    /// The same at a line and column of a file that is no document, if it has none yet.
    #[must_use]
    pub fn at_in(
        mut self: Box<Self>,
        at: (u32, u32),
        file: Option<&Arc<str>>,
    ) -> Box<Exception> {
        if !self.is_placed() {
            (self.position, self.file) = (Some(at), file.cloned());
        }
        self
    }

    /// The same, which happened in the text of a file that is no document, unless it is known
    /// to have happened elsewhere.
    #[must_use]
    pub fn in_file(mut self: Box<Self>, file: &str) -> Box<Exception> {
        if self.position.is_some() && self.places.is_empty() && self.file.is_none() {
            self.file = Some(file.into());
        }
        self
    }

    /// Whether it is known where it happened.
    pub fn is_placed(&self) -> bool {
        self.position.is_some() || !self.places.is_empty()
    }

    /// The same, which happened while a source was evaluated.
    #[must_use]
    pub fn located(mut self: Box<Self>, source: &Value) -> Box<Exception> {
        let found = origin(source);
        let is_text = found.as_ref().is_some_and(|(_, text)| text.is_some());
        if self.places.is_empty() && !is_text && self.file.is_none() {
            // The position is one in a text that stands nowhere.
            self.position = None;
        }
        let Some((origin, text)) = found else { return self };
        if !self.places.iter().any(|(place, _)| *place == origin) {
            self.places.push((origin, text.unwrap_or_default()));
        }
        self
    }
}

/// Where a source was written, and its text; a mapping stands where its first entry does.
fn origin(source: &Value) -> Option<(Span, Option<String>)> {
    match source {
        Value::Str(text) => Some((text.stamp().origin?, Some(text.to_string()))),
        Value::Dict(entries) => {
            let entries = entries.read();
            let (key, value) = entries.first()?;
            let (start, _) = origin(key.value())?;
            let end = match value {
                Value::Str(_) => origin(value).map(|(end, _)| end),
                _ => None,
            };
            let end = end.filter(|end| end.file == start.file && end.start >= start.end);
            Some((Span { end: end.map_or(start.end, |end| end.end), ..start }, None))
        }
        Value::Lazy(lazy) => origin(&lazy.known()?),
        _ => None,
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Exception {}
