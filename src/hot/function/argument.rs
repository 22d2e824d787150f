//! Helpers for the arguments of functions, and the exceptions that refuse them.

use crate::eval::python::json::{JsonStyle, KeyOrder, dump};
use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::stack::FunctionCall;

/// Returns the items of a list; none for other values. Raises a `KeyError` for a
/// mapping: Heat takes its item 0.
pub(super) fn items_of_list(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => items.items(),
        Value::Dict(_) => Err(Exception::new(Class::Key, "0")),
        _ => Ok(Vec::new()),
    }
}

pub(super) fn incorrect(
    class: Class,
    call: &FunctionCall,
    example: &str,
) -> Box<Exception> {
    let name = call.name();
    let message = format!("Incorrect arguments to \"{name}\" should be: {example}");
    Exception::new(class, message)
}

/// Returns the first 200 characters of the `repr` of a value, as many as Heat shows.
pub(super) fn excerpt(value: &Value) -> Result<String> {
    Ok(python::repr(value)?.chars().take(200).collect())
}

/// Returns a value as JSON with sorted keys.
pub(super) fn json(value: &Value) -> Result<String> {
    dump(value, &JsonStyle { sort: KeyOrder::Keys, ..JsonStyle::default() })
}

/// Returns the item of a collection that a segment of a path selects, if there is one.
pub(super) fn member(collection: &Value, step: &Value) -> Result<Option<Value>> {
    match (collection, step) {
        (
            // Heat looks up only these; an attribute path ends at any other value.
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
