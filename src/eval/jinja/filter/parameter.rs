//! Conversions of arguments that many plugins share, with the messages of Python.

use crate::eval::jinja::defined;
use crate::eval::python::{self, Arguments, Exception, Result, Value, limit_bytes};

/// Raises a `ValueError`.
pub(crate) fn value_error<T>(message: impl Into<String>) -> Result<T> {
    Err(Exception::of_value(message))
}

/// Returns an argument that is not `None`.
pub(crate) fn given(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !matches!(value, Value::None))
}

/// `bool(value)` of an argument.
pub(crate) fn flag(value: Option<Value>, default: bool) -> Result<bool> {
    value.map_or(Ok(default), |value| python::truth(&value))
}

/// Returns the bool that Ansible reads in a string in lower case.
pub(crate) fn ansible_bool(text: &str) -> Option<bool> {
    match text.trim() {
        "y" | "yes" | "on" | "1" | "true" | "t" | "1.0" => Some(true),
        "n" | "no" | "off" | "0" | "false" | "f" | "0.0" => Some(false),
        _ => None,
    }
}

/// `str(value)` of an argument.
pub(crate) fn text(value: Option<Value>, default: &str) -> Result<String> {
    value.map_or_else(|| Ok(default.to_owned()), |value| python::str(&value))
}

/// Returns the integer of an argument.
///
/// # Errors
/// A `TypeError` if it is not an integer, an `OverflowError` if it exceeds 64 bits.
pub(crate) fn index(value: &Value) -> Result<i64> {
    match value {
        Value::Bool(x) => Ok(i64::from(*x)),
        Value::Int(x) => Ok(*x),
        Value::Big(_) => Err(Exception::new(
            python::Class::Overflow,
            "Python int too large to convert to C ssize_t",
        )),
        other => Err(Exception::of_type(format!(
            "'{}' object cannot be interpreted as an integer",
            other.type_name()
        ))),
    }
}

/// Returns the number of things to make. A negative number counts as zero.
///
/// # Errors
/// It is not an integer, or exceeds the limit on the size of a result.
pub(crate) fn count(value: Option<Value>, default: usize) -> Result<usize> {
    let Some(value) = value else { return Ok(default) };
    let count = usize::try_from(index(&value)?.max(0)).unwrap_or(usize::MAX);
    limit_bytes(count)?;
    Ok(count)
}

/// Returns the members of an iterable.
///
/// # Errors
/// It is not iterable, or one of its members is undefined.
pub(crate) fn members(value: &Value) -> Result<Vec<Value>> {
    python::iterate(value)?.into_iter().map(defined).collect()
}

/// Returns a string as it is, with its markup, and `str()` of other values.
pub(crate) fn soft(value: Value) -> Result<Value> {
    match value {
        Value::Str(_) => Ok(value),
        other => python::str(&other).map(Value::from),
    }
}

/// Calls a method of a value.
pub(crate) fn method<const N: usize>(
    value: &Value,
    name: &str,
    arguments: [Value; N],
) -> Result<Value> {
    python::call_method(value, name, Arguments::of(arguments))
}

/// Returns a string.
///
/// # Errors
/// A `TypeError` that begins with `complaint` if the value is not a string.
pub(crate) fn string<'a>(value: &'a Value, complaint: &str) -> Result<&'a str> {
    value.as_str().ok_or_else(|| {
        let message = format!("{complaint} not {}", value.type_name());
        Exception::of_type(message)
    })
}
