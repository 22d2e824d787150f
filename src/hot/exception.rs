//! Exceptions of templates, with their places, and with paths as Heat's messages show them.

use std::fmt::Write;

use crate::eval::python::{self, Class, Exception, Key, Result, Value, character};
use crate::source::Span;

/// Failures that get a place.
pub(super) trait Placed {
    /// Adds the place of an exception, unless it has one already.
    fn placed(self, span: Option<Span>) -> Self;
}

impl Placed for Box<Exception> {
    fn placed(mut self, span: Option<Span>) -> Self {
        // The innermost function reports first, and its place says most.
        if let (true, Some(span)) = (self.places.is_empty(), span) {
            self.places.push((span, String::new()));
        }
        self
    }
}

impl<T> Placed for Result<T> {
    fn placed(self, span: Option<Span>) -> Self {
        self.map_err(|raised| raised.placed(span))
    }
}

/// Replaces an exception of one of these classes; others stay.
pub(super) fn replacing(
    classes: &[Class],
    by: impl FnOnce(Box<Exception>) -> Box<Exception>,
) -> impl FnOnce(Box<Exception>) -> Box<Exception> {
    move |raised| if classes.contains(&raised.class) { by(raised) } else { raised }
}

/// Returns a failed validation (`StackValidationFailed` and its relatives).
pub(super) fn invalid(message: impl Into<String>) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}

/// Returns the message as Python's `str()` does: of a `KeyError`, the `repr` of the key.
fn said(raised: &Exception) -> String {
    match raised.class {
        // Heat wraps exceptions with `str(exc)`, which quotes the key of a `KeyError`.
        Class::Key => python::repr(&Value::text(&*raised.message)).unwrap_or_default(),
        _ => raised.message.clone(),
    }
}

/// Turns an exception into a failed validation at a path. Its places and hint stay.
pub(super) fn invalid_at(path: &str, raised: Box<Exception>) -> Box<Exception> {
    let message = said(&raised);
    let message = if path.is_empty() { message } else { format!("{path}: {message}") };
    Box::new(Exception { class: Class::Syntax, message, ..*raised })
}

/// Returns the exception for a reference, at a path, to a resource that does not exist.
pub(super) fn unknown_resource(name: &str, path: &str) -> Box<Exception> {
    let message = format!("The specified reference \"{name}\" (in {path}) is incorrect.");
    Exception::new(Class::Missing, message)
}

/// A path in a template. Its text is built only when an error needs it.
#[derive(Debug)]
pub(super) struct TemplatePath {
    start: String,
    steps: Vec<PathSegment>,
}

#[derive(Debug)]
pub(super) enum PathSegment {
    Key(Key),
    Index(usize),
}

impl TemplatePath {
    pub(super) fn from(start: impl Into<String>) -> TemplatePath {
        TemplatePath { start: start.into(), steps: Vec::new() }
    }

    pub(super) fn push(&mut self, step: PathSegment) {
        self.steps.push(step);
    }

    pub(super) fn push_name(&mut self, name: &str) {
        self.push(PathSegment::Key(Key::text(name)));
    }

    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Returns the path as it is shown for errors of parsing and of references.
    pub(super) fn parsed(&self) -> String {
        self.shown(false)
    }

    /// Returns the path as errors of validation show it: a name of digits as an index.
    pub(super) fn validated(&self) -> String {
        self.shown(true)
    }

    fn shown(&self, digits_are_index: bool) -> String {
        let mut text = self.start.clone();
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            // Heat joins a name and its index into one text before it looks at digits:
            // `5[0]` is no number.
            let alone = !matches!(steps.peek(), Some(PathSegment::Index(_)));
            let as_index = digits_are_index && alone;
            match step {
                PathSegment::Key(key) => {
                    let name = python::str(key.value()).unwrap_or_default();
                    push(&mut text, &name, as_index);
                }
                // Writing to a string cannot fail.
                PathSegment::Index(at) => drop(write!(text, "[{at}]")),
            }
        }
        text
    }
}

/// Joins names as in errors of validation.
pub(super) fn joined(names: &[&str]) -> String {
    let mut text = String::new();
    names.iter().for_each(|name| push(&mut text, name, true));
    text
}

fn push(text: &mut String, name: &str, as_index: bool) {
    if as_index && !name.is_empty() && name.chars().all(character::is_digit) {
        text.extend(["[", name, "]"]);
    } else if text.is_empty() {
        text.push_str(name);
    } else {
        text.extend([".", name]);
    }
}
