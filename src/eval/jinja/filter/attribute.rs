//! `a.b.0`, written as an argument → what stands there in a value.

use super::parameter::method;
use crate::eval::jinja::access::item;
use crate::eval::jinja::{defined, is_undefined};
use crate::eval::python::{self, Result, Value};

/// A way from a value to one within it.
pub(super) struct Path {
    steps: Vec<Value>,
    default: Option<Value>,
    lower: bool,
}

impl Path {
    /// A way as it is written: names and places between dots, or one key.
    pub(super) fn new(attribute: Option<&Value>) -> Path {
        let steps = match attribute {
            None | Some(Value::None) => Vec::new(),
            Some(Value::Str(text)) => text.split('.').map(step).collect(),
            Some(other) => vec![other.clone()],
        };
        Path { steps, default: None, lower: false }
    }

    /// Ways as they are written, between commas.
    pub(super) fn several(attribute: Option<&Value>) -> Vec<Path> {
        match attribute {
            Some(Value::Str(all)) => {
                all.split(',').map(|one| Path::new(Some(&Value::text(one)))).collect()
            }
            other => vec![Path::new(other)],
        }
    }

    /// The same with a value for what is not there.
    pub(super) fn or(self, default: Option<Value>) -> Path {
        Path { default, ..self }
    }

    /// The same to the lower case of a string, if case does not matter.
    pub(super) fn lower(self, lower: bool) -> Path {
        Path { lower, ..self }
    }

    /// What stands there; if nothing does, that is the value.
    pub(super) fn find(&self, value: &Value) -> Result<Value> {
        let mut found = value.clone();
        for step in &self.steps {
            found = item(&found, step)?;
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

    /// What stands there.
    ///
    /// # Errors
    /// Nothing does.
    pub(super) fn get(&self, value: &Value) -> Result<Value> {
        defined(self.find(value)?)
    }
}

fn step(text: &str) -> Value {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        python::parse_int(text, 10).unwrap_or_else(|_| Value::text(text))
    } else {
        Value::text(text)
    }
}
