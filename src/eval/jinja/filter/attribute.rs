//! The paths to attributes that filters such as `map` and `sort` take: `a.b.0`.

use super::parameter::method;
use crate::eval::jinja::access::item;
use crate::eval::jinja::{defined, is_undefined};
use crate::eval::python::{self, Result, Value};

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
            method(&found, "lower", [])
        } else {
            Ok(found)
        }
    }

    /// Returns the value at the path; raises the exception of an undefined one.
    pub(super) fn get(&self, value: &Value) -> Result<Value> {
        defined(self.find(value)?)
    }
}

/// Parses a part of a path. Digits are an index, which no key of a mapping equals.
fn key(text: &str) -> Value {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        python::parse_int(text, 10).unwrap_or_else(|_| Value::text(text))
    } else {
        Value::text(text)
    }
}
