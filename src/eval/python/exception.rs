//! [`Exception`]: the failure of an operation, with Python's message.

use std::fmt;
use std::sync::Arc;

use super::{Str, Value};
use crate::diagnostic::near;
use crate::source::{FileId, Span};

/// The result of an operation that may raise.
pub type Result<T> = std::result::Result<T, Box<Exception>>;

/// The class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Type,
    Value,
    Key,
    Index,
    Attribute,
    /// A name, key or attribute of a template that is not defined.
    Undefined,
    ZeroDivision,
    Overflow,
    /// Nesting that is too deep, or an evaluation that needs its own result.
    Recursion,
    /// A syntax error in a template, an expression or JSON.
    Syntax,
    /// A feature that needs the reference system itself.
    Unsupported,
    /// An access that `--allow` does not permit.
    Denied,
    /// A file, a lookup or something else that does not exist.
    Missing,
    /// More work, text or depth than a limit allows.
    Limit,
    /// `omit`, in a place where no value can be left out.
    Omitted,
}

/// A failure, with the places where it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Exception {
    /// The class.
    pub class: Class,
    /// The message.
    pub message: String,
    /// Advice on how to avoid it.
    pub hint: Option<String>,
    /// The line and column (from 1) in the text that was being evaluated.
    pub position: Option<(u32, u32)>,
    /// The file of that text, unless it is one of the documents.
    pub file: Option<Arc<str>>,
    /// The places in the documents, innermost first, each with the text evaluated there.
    pub places: Vec<(Span, String)>,
    /// Parts of the message and the hint without values: fixed words and names that stand
    /// in the source. They are shown although a secret may equal a name.
    pub names: Vec<String>,
}

impl Exception {
    /// Creates an exception without a place.
    pub fn new(class: Class, message: impl Into<String>) -> Box<Exception> {
        Box::new(Exception {
            class,
            message: message.into(),
            hint: None,
            position: None,
            file: None,
            places: Vec::new(),
            names: Vec::new(),
        })
    }

    /// Creates a `TypeError`.
    pub fn of_type(message: impl Into<String>) -> Box<Exception> {
        Exception::new(Class::Type, message)
    }

    /// Creates a `ValueError`.
    pub fn of_value(message: impl Into<String>) -> Box<Exception> {
        Exception::new(Class::Value, message)
    }

    /// Creates an `OverflowError`.
    pub(crate) fn of_overflow(message: impl Into<String>) -> Box<Exception> {
        Exception::new(Class::Overflow, message)
    }

    /// Creates the exception for a value of a type that no document can store.
    pub fn unstorable(type_name: &str) -> Box<Exception> {
        let message = format!("Type '{type_name}' is unsupported for variable storage.");
        Exception::new(Class::Unsupported, message)
    }

    /// Creates a `TypeError` about a value. `{}` in the message stands for its type.
    pub fn of_type_of(value: &Value, message: &str) -> Box<Exception> {
        Exception::of_type(message.replace("{}", value.type_name()))
    }

    /// Replaces a `TypeError` by another one, as [`of_type_of`](Exception::of_type_of).
    #[must_use]
    pub fn or_type_of(self: Box<Self>, value: &Value, message: &str) -> Box<Exception> {
        match self.class {
            Class::Type => Exception::of_type_of(value, message),
            _ => self,
        }
    }

    /// Sets the hint.
    #[must_use]
    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Exception> {
        self.hint = Some(hint.into());
        self
    }

    /// Records that the message and the hint are made of fixed words and of names that
    /// stand in the source, without values. Later changes of the message do not count.
    #[must_use]
    pub fn naming_source(self: Box<Self>) -> Box<Exception> {
        let texts = [Some(self.message.clone()), self.hint.clone()];
        texts.into_iter().flatten().fold(self, Exception::naming)
    }

    /// As [`naming_source`](Exception::naming_source), if `name` is a literal of the source.
    /// It is the only value that the message and the hint contain.
    #[must_use]
    pub fn naming_literal(self: Box<Self>, name: &Str) -> Box<Exception> {
        if name.is_open_literal() { self.naming_source() } else { self }
    }

    /// As [`naming_literal`](Exception::naming_literal), of a value that may be no text.
    #[must_use]
    pub fn naming_value(self: Box<Self>, name: &Value) -> Box<Exception> {
        if let Value::Str(name) = name { self.naming_literal(name) } else { self }
    }

    /// As [`naming_source`](Exception::naming_source), of a part of the message or of the
    /// hint. A part that is in neither is not recorded.
    #[must_use]
    pub fn naming(mut self: Box<Self>, part: impl Into<String>) -> Box<Exception> {
        let part = part.into();
        let texts = [Some(&self.message), self.hint.as_ref()];
        let is_in = texts.into_iter().flatten().any(|text| text.contains(&*part));
        // The same name may be recorded any number of times.
        if is_in && !self.names.contains(&part) {
            self.names.push(part);
        }
        self
    }

    /// Sets a hint at the name that is similar to `wanted`, unless there is a hint.
    #[must_use]
    pub fn did_you_mean<'n>(
        self: Box<Self>,
        names: impl IntoIterator<Item = &'n str>,
        wanted: &str,
    ) -> Box<Exception> {
        match near(names, wanted).filter(|_| self.hint.is_none()) {
            Some(name) => self.hint(format!("did you mean '{name}'?")),
            None => self,
        }
    }

    /// Sets a hint, unless there is one.
    #[must_use]
    pub fn or_hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Exception> {
        self.hint = self.hint.or_else(|| Some(hint.into()));
        self
    }

    /// Sets the line and column in the text being evaluated, if there is no place yet.
    #[must_use]
    pub fn at(self: Box<Self>, line: u32, column: u32) -> Box<Exception> {
        self.at_in((line, column), None)
    }

    /// Sets the line and column in a file that is no document, if there is no place yet.
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

    /// Sets the file that the position is in, unless the exception happened elsewhere.
    #[must_use]
    pub fn in_file(mut self: Box<Self>, file: &str) -> Box<Exception> {
        if self.position.is_some() && self.places.is_empty() && self.file.is_none() {
            self.file = Some(file.into());
        }
        self
    }

    /// Returns the file and the offset of the innermost place.
    pub(crate) fn place(&self) -> Option<(FileId, u32)> {
        self.places.first().map(|(span, _)| (span.file, span.start))
    }

    /// Returns true if a place is known.
    pub fn is_placed(&self) -> bool {
        self.position.is_some() || !self.places.is_empty()
    }

    /// Adds the place of the source that was being evaluated.
    #[must_use]
    pub fn located(mut self: Box<Self>, source: &Value) -> Box<Exception> {
        let found = origin(source);
        let is_text = found.as_ref().is_some_and(|(_, text)| text.is_some());
        if self.places.is_empty() && !is_text && self.file.is_none() {
            // The position is in a text without origin, so that it cannot be shown.
            self.position = None;
        }
        let Some((origin, text)) = found else { return self };
        if !self.places.iter().any(|(place, _)| *place == origin) {
            self.places.push((origin, text.unwrap_or_default()));
        }
        self
    }
}

/// Returns the span of a source and its text. A mapping has the span of its first entry,
/// because only texts carry an origin.
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
