//! What goes wrong in a template: an exception comes in; with a place, a path and the name
//! that may have been meant it goes out.

use crate::diagnostic::near;
use crate::eval::python::{self, Class, Exception, MAX_DEPTH, Result, Value};
use crate::source::Span;

/// An exception that happened at a place, unless one is known that is nearer.
pub(super) fn at(mut raised: Box<Exception>, span: Option<Span>) -> Box<Exception> {
    if let (true, Some(span)) = (raised.places.is_empty(), span) {
        raised.places.push((span, String::new()));
    }
    raised
}

/// The same with a hint at the one of the names that may have been meant.
pub(super) fn meant<'n>(
    raised: Box<Exception>,
    names: impl IntoIterator<Item = &'n str>,
    wanted: &str,
) -> Box<Exception> {
    match near(names, wanted).filter(|_| raised.hint.is_none()) {
        Some(near) => raised.hint(format!("did you mean '{near}'?")),
        None => raised,
    }
}

/// A failed validation.
pub(super) fn invalid(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}

/// What Python says of an exception: of a `KeyError`, the key as it would be written.
fn said(raised: &Exception) -> String {
    match raised.class {
        Class::Key => python::repr(&Value::text(&*raised.message)).unwrap_or_default(),
        _ => raised.message.clone(),
    }
}

/// An exception as a failed validation at a path, in the same place.
pub(super) fn failed(path: &str, raised: Box<Exception>) -> Box<Exception> {
    let message = said(&raised);
    let message = if path.is_empty() { message } else { format!("{path}: {message}") };
    Box::new(Exception { class: Class::Syntax, message, ..*raised })
}

/// What is said of a resource that is not there, asked for at a path.
pub(super) fn unknown(name: &str, path: &str) -> Box<Exception> {
    let message = format!("The specified reference \"{name}\" (in {path}) is incorrect.");
    Exception::new(Class::Missing, message)
}

/// Lets a value nest so check_depth.
///
/// # Errors
/// That is deeper than Python goes.
pub(super) fn check_depth(depth: usize) -> Result<()> {
    if depth <= MAX_DEPTH {
        Ok(())
    } else {
        Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
    }
}
