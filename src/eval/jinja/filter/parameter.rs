//! Conversions of arguments that many plugins share, with the messages of Python; and the
//! paths to attributes that filters such as `map` and `sort` take: `a.b.0`.

use crate::eval::jinja::access::item;
use crate::eval::jinja::{defined, is_undefined};
use crate::eval::python::{self, Arguments, Dict, Exception, Result, Value, limit_bytes};

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

/// As [`flag`], of a plugin whose arguments Ansible checks against its documentation: a text
/// such as `no` is read, and another one is an error.
pub(super) fn documented_flag(
    value: Option<Value>,
    name: &str,
    default: bool,
) -> Result<bool> {
    let Some(value) = given(value) else { return Ok(default) };
    if let Value::Bool(on) = value {
        return Ok(on);
    }
    ansible_bool(&python::str(&value)?.to_lowercase()).ok_or_else(|| {
        Exception::of_type(format!(
            "argument '{name}' is of type {} and we were unable to convert to bool",
            value.type_name()
        ))
    })
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

/// `str(value)` of an argument that is not `None`.
pub(crate) fn optional_text(value: Option<Value>) -> Result<Option<String>> {
    given(value).as_ref().map(python::str).transpose()
}

/// Returns a value as messages show it: empty if its `str()` raises.
pub(crate) fn shown(value: &Value) -> String {
    python::str(value).unwrap_or_default()
}

/// Returns the list of some results, or the first exception among them.
pub(crate) fn list_of(results: impl Iterator<Item = Result<Value>>) -> Result<Value> {
    results.collect::<Result<Vec<_>>>().map(Value::list)
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

/// Returns the values of a mapping.
pub(crate) fn values(dict: &Dict) -> Result<Vec<Value>> {
    Ok(dict.entries()?.into_iter().map(|(_, value)| value).collect())
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

/// A path from a value to one within it.
pub(super) struct AttributePath {
    keys: Vec<Value>,
    default: Option<Value>,
    lower: bool,
}

impl AttributePath {
    /// Parses a path: names and indices with dots between them, or a single key.
    pub(super) fn new(attribute: Option<&Value>) -> AttributePath {
        let keys = match attribute {
            None | Some(Value::None) => Vec::new(),
            Some(Value::Str(text)) => text.split('.').map(key).collect(),
            Some(other) => vec![other.clone()],
        };
        AttributePath { keys, default: None, lower: false }
    }

    /// Parses paths with commas between them.
    pub(super) fn several(attribute: Option<&Value>) -> Vec<AttributePath> {
        match attribute {
            Some(Value::Str(all)) => all
                .split(',')
                .map(|one| AttributePath::new(Some(&Value::text(one))))
                .collect(),
            other => vec![AttributePath::new(other)],
        }
    }

    /// Sets the value that replaces an undefined one.
    pub(super) fn or(self, default: Option<Value>) -> AttributePath {
        AttributePath { default, ..self }
    }

    /// Sets whether a string at the end of the path is converted to lower case.
    pub(super) fn lower(self, lower: bool) -> AttributePath {
        AttributePath { lower, ..self }
    }

    /// Returns the value at the path, which may be undefined.
    pub(super) fn find(&self, value: &Value) -> Result<Value> {
        let mut found = value.clone();
        python::charge_steps(self.keys.len())?;
        for key in &self.keys {
            found = item(&found, key)?;
            // Jinja applies the default at each part of the path, not only at its end.
            if let Some(default) = &self.default
                && is_undefined(&found)
            {
                found = default.clone();
            }
        }
        if self.lower && found.as_str().is_some() {
            return method(&found, "lower", []);
        }
        Ok(found)
    }

    /// Returns the value at the path; raises the exception of an undefined one.
    pub(super) fn get(&self, value: &Value) -> Result<Value> {
        defined(self.find(value)?)
    }
}

/// Parses a part of a path. Digits are an index, which no key of a mapping equals.
fn key(text: &str) -> Value {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        return python::parse_int(text, 10).unwrap_or_else(|_| Value::text(text));
    }
    Value::text(text)
}
