//! What functions ask of their arguments, and how they refuse them.

use crate::eval::python::json::{JsonStyle, KeyOrder, dump};
use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::stack::FunctionCall;

/// The members of a list, which are taken one after the other; of anything else, none.
///
/// # Errors
/// It is a map: what is taken of it is the entry 0, twice.
pub(super) fn taken(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => items.items(),
        Value::Dict(_) => Err(of_key("0")),
        _ => Ok(Vec::new()),
    }
}

/// A `TypeError`.
pub(super) fn of_type(message: impl Into<String>) -> Box<Exception> {
    Exception::of_type(message)
}

/// A `KeyError`.
pub(super) fn of_key(message: impl Into<String>) -> Box<Exception> {
    Exception::new(Class::Key, message)
}

/// Arguments of the wrong form.
pub(super) fn incorrect(
    class: Class,
    call: &FunctionCall,
    example: &str,
) -> Box<Exception> {
    let name = call.name();
    let message = format!("Incorrect arguments to \"{name}\" should be: {example}");
    Exception::new(class, message)
}

/// The start of what a value looks like.
pub(super) fn cut(value: &Value) -> Result<String> {
    Ok(python::repr(value)?.chars().take(200).collect())
}

/// A value as JSON, with its keys in order.
pub(super) fn json(value: &Value) -> Result<String> {
    dump(value, &JsonStyle { sort: KeyOrder::Keys, ..JsonStyle::default() })
}

/// What a step of a path leads to, if it leads anywhere. A number in a text is none.
pub(super) fn member(collection: &Value, step: &Value) -> Result<Option<Value>> {
    match (collection, step) {
        (
            Value::Dict(_) | Value::List(_) | Value::Str(_),
            Value::Str(_) | Value::Int(_) | Value::Big(_) | Value::Bool(_),
        ) => {}
        _ => return Ok(None),
    }
    match python::item(collection, step) {
        Ok(member) => Ok(Some(member)),
        Err(raised) => match raised.class {
            Class::Key | Class::Index | Class::Type => Ok(None),
            _ => Err(raised),
        },
    }
}
