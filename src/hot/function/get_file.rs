//! `get_file`: the name of a file comes in, its text goes out.

use super::Call;
use super::argument::of_type;
use crate::eval::python::{Result, Value};
use crate::hot::Stack;

pub(super) fn get_file(call: &Call, stack: &Stack) -> Result<Value> {
    match stack.resolve(&call.arguments)? {
        Value::Str(name) => stack.file(call, &name),
        _ => Err(of_type(format!("Argument to \"{}\" must be a string", call.name()))),
    }
}
