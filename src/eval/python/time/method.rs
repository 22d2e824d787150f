//! Methods of the types of `datetime`, and their arguments.

use crate::eval::python::{Class, Exception, Method, Result, Value, index};

/// Returns the bound method of a name, if it is one of `methods`.
pub fn bind(receiver: Value, methods: &[&'static str], name: &str) -> Option<Value> {
    let name = methods.iter().find(|known| **known == name)?;
    Some(Value::object(Method::new(receiver, name)))
}

/// Returns the error for an unknown method.
pub fn unknown(of: &str, name: &str) -> Box<Exception> {
    Exception::new(Class::Attribute, format!("'{of}' object has no attribute '{name}'"))
}

/// Returns an argument that must be a string.
pub fn text(method: &str, argument: Option<Value>) -> Result<String> {
    match argument {
        Some(Value::Str(text)) => Ok(text.to_string()),
        other => {
            let other = other.unwrap_or(Value::None);
            let message =
                format!("{method}() argument 1 must be str, not {}", other.type_name());
            Err(Exception::of_type(message))
        }
    }
}

/// Arguments that must be integers.
pub struct IntegerArguments<'a>(pub &'a [Option<Value>]);

impl IntegerArguments<'_> {
    /// Returns the argument at a position, or the default if it was left out.
    pub fn or(&self, at: usize, default: i64) -> Result<i64> {
        let value = self.0.get(at).and_then(Option::as_ref);
        value.map_or(Ok(default), |value| index(value, "int"))
    }
}
