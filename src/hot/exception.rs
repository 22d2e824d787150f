//! Exceptions of templates: adds places, paths, limits of depth and hints at the name
//! that may have been meant.

use crate::eval::python::{self, Class, Exception, MAX_DEPTH, Result, Value};
use crate::source::Span;

/// Adds the place of an exception, unless it has one already.
pub(super) fn at(mut raised: Box<Exception>, span: Option<Span>) -> Box<Exception> {
    // The innermost function reports first, and its place says most.
    if let (true, Some(span)) = (raised.places.is_empty(), span) {
        raised.places.push((span, String::new()));
    }
    raised
}

/// Replaces an exception of one of these classes; others stay.
pub(super) fn replacing(
    classes: &[Class],
    by: impl FnOnce(Box<Exception>) -> Box<Exception>,
) -> impl FnOnce(Box<Exception>) -> Box<Exception> {
    move |raised| if classes.contains(&raised.class) { by(raised) } else { raised }
}

/// Returns a failed validation (`StackValidationFailed` and its relatives).
pub(super) fn invalid(message: &str) -> Box<Exception> {
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

/// Checks the depth of a value. Raises a `RecursionError` beyond Python's own limit.
pub(super) fn check_depth(depth: usize) -> Result<()> {
    if depth <= MAX_DEPTH {
        Ok(())
    } else {
        Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
    }
}
