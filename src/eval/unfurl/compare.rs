//! The tests of filters: a value and a text, or two values → whether they are the same.

use super::external::File;
use super::path::integer;
use super::resource::Resource;
use super::scalar::Scalar;
use crate::eval::python::{Result, Value, equal};

/// Whether a value is what a text says, read as a value of its type.
pub(super) fn is_written(value: &Value, text: &str) -> bool {
    match value {
        Value::Str(known) => **known == *text,
        Value::Bool(known) => *known == is_true(text),
        Value::Int(known) => integer(text) == Some(*known),
        Value::Big(known) => text.trim().parse().is_ok_and(|number| **known == number),
        Value::Float(known) => text.trim().replace('_', "").parse() == Ok(*known),
        Value::Object(_) => match value.downcast::<Scalar>() {
            Some(scalar) => {
                Scalar::read(text).is_some_and(|other| scalar.is_like(&other))
            }
            None => value.downcast::<File>().is_some_and(|file| file.name() == text),
        },
        _ => false,
    }
}

/// The truth a text stands for in YAML; what is no boolean is true, if there is any.
fn is_true(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    !matches!(&*text, "" | "false" | "no" | "off" | "n" | "0" | "null" | "~")
}

/// Whether two values are the same.
pub(super) fn is_same(a: &Value, b: &Value) -> Result<bool> {
    match (a.downcast::<Resource>(), b.downcast::<Resource>()) {
        (Some(a), Some(b)) => Ok(a.is(b)),
        _ => equal(a, b),
    }
}
