//! Conversions of arguments that many plugins share, with the messages of Python.

use crate::eval::jinja::defined;
use crate::eval::python::{self, Arguments, Exception, Result, Value, limit_bytes};

pub(crate) fn value_error<T>(message: impl Into<String>) -> Result<T> {
    Err(Exception::of_value(message))
}

pub(crate) fn type_error<T>(message: impl Into<String>) -> Result<T> {
    Err(Exception::of_type(message))
}

/// Raises a `TypeError` about a value. `{}` in the message stands for its type.
pub(crate) fn type_error_of<T>(value: &Value, message: &str) -> Result<T> {
    Err(Exception::of_type_of(value, message))
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

/// Returns an integer; raises a `TypeError` for others, `OverflowError` beyond 64 bits.
pub(crate) fn index(value: &Value) -> Result<i64> {
    python::index(value, "ssize_t")
}

/// Returns an argument as an integer.
pub(crate) fn number(value: Option<Value>, default: i64) -> Result<i64> {
    value.map_or(Ok(default), |value| index(&value))
}

/// Returns the bytes of a string, in UTF-8, or of bytes. Raises a `TypeError` for another
/// value; `{}` in the message stands for its type.
pub(crate) fn bytes<'a>(value: &'a Value, wrong: &str) -> Result<&'a [u8]> {
    match value {
        Value::Str(text) => Ok(text.as_bytes()),
        Value::Bytes(bytes) => Ok(bytes),
        other => type_error_of(other, wrong),
    }
}

/// Returns a number of things to make, zero if negative. Raises beyond the size limit.
pub(crate) fn count(value: Option<Value>, default: usize) -> Result<usize> {
    let Some(value) = value else { return Ok(default) };
    let count = usize::try_from(index(&value)?.max(0)).unwrap_or(usize::MAX);
    limit_bytes(count)?;
    Ok(count)
}

/// Returns the members of an iterable. Raises if one of them is undefined.
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

/// Returns true for a list, a tuple or a range.
pub(crate) fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_))
}

pub(crate) fn method<const N: usize>(
    value: &Value,
    name: &str,
    arguments: [Value; N],
) -> Result<Value> {
    python::call_method(value, name, Arguments::of(arguments))
}

/// Returns a string; raises a `TypeError` that begins with `complaint` for other values.
pub(crate) fn string<'a>(value: &'a Value, complaint: &str) -> Result<&'a str> {
    value.as_str().ok_or_else(|| {
        Exception::of_type(format!("{complaint} not {}", value.type_name()))
    })
}
