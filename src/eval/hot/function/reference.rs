//! References to parameters and resources: a name, and for some a path into what it stands
//! for, come in; the value goes out.

use crate::eval::hot::Stack;
use crate::python::{self, Class, Exception, Result, Value};

use super::Call;

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
        let Some(member) = member(&value, key)? else { return Ok(Value::text("")) };
        value = member;
    }
    Ok(value)
}

/// What a step of a path leads to, if it leads anywhere.
fn member(collection: &Value, key: &Value) -> Result<Option<Value>> {
    let key = match (collection, key) {
        (Value::List(_) | Value::Str(_), Value::Str(text)) => {
            match python::int(&Value::Str(text.clone())) {
                Ok(index) => index,
                Err(_) => return Ok(None),
            }
        }
        (
            Value::Dict(_) | Value::List(_) | Value::Str(_),
            Value::Str(_) | Value::Int(_) | Value::Big(_) | Value::Bool(_),
        ) => key.clone(),
        _ => return Ok(None),
    };
    match python::item(collection, &key) {
        Ok(member) => Ok(Some(member)),
        Err(raised) => match raised.class {
            Class::Key | Class::Index | Class::Type => Ok(None),
            _ => Err(raised),
        },
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
