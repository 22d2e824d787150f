//! References to parameters and resources: a name, and for some a path into what it stands
//! for, come in; the value goes out.

use crate::eval::python::{self, Exception, Result, Value};
use crate::hot::Stack;

use super::Call;
use super::argument::member;

/// `get_param: name`, `get_param: [name, path…]`
pub(super) fn get_param(call: &Call, stack: &Stack) -> Result<Value> {
    let (arguments, name) = (stack.resolve(&call.arguments)?, call.name());
    if !python::truth(&arguments)? {
        let message = format!("Function \"{name}\" must have arguments");
        return Err(Exception::of_value(message));
    }
    let (parameter, path) = match &arguments {
        Value::Str(_) => (arguments, Vec::new()),
        Value::List(items) => {
            let mut path = items.items()?;
            (path.remove(0), path)
        }
        _ => {
            let message = format!("Argument to \"{name}\" must be string or list");
            return Err(Exception::of_type(message));
        }
    };
    let Some(parameter) = parameter.as_str() else {
        let message = format!("Parameter name in \"{name}\" must be string");
        return Err(Exception::of_type(message));
    };
    let mut value = stack.parameter(parameter)?;
    for key in &path {
        let step = step(&value, key);
        let found = step.map_or(Ok(None), |step| member(&value, &step))?;
        let Some(found) = found else { return Ok(Value::text("")) };
        value = found;
    }
    Ok(value)
}

/// A step into a list or a text is a number, however it is written.
fn step(collection: &Value, key: &Value) -> Option<Value> {
    match (collection, key) {
        (Value::List(_) | Value::Str(_), Value::Str(_)) => python::int(key).ok(),
        _ => Some(key.clone()),
    }
}

/// `get_resource: name`
pub(super) fn get_resource(call: &Call, stack: &Stack) -> Result<Value> {
    let name = stack.resolve(&call.arguments)?;
    let resource = stack.resource(&name)?;
    match &resource.id {
        Some(id) => Ok(id.clone()),
        None => stack.unresolved(call, Value::text(&*resource.name)),
    }
}

/// The resource whose name is all of the arguments.
pub(super) fn named_resource(call: &Call, stack: &Stack) -> Result<Option<Value>> {
    stack.resolve(&call.arguments).map(Some)
}
