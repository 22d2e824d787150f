//! A value → what kind it is, a value of another kind, or another value in its place.

use super::parameter::{given, text};
use crate::eval::jinja::{CallSite, Undefined, defined, is_undefined};
use crate::eval::python::{self, Bound, Class, Exception, Result, Value};

/// `default`, `d`: another value for what is not there.
pub(super) fn default(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [other, boolean]) = arguments.split();
    let falsy = match boolean {
        None => false,
        Some(Value::Bool(falsy)) => falsy,
        Some(other) => {
            return Err(Exception::of_type(format!(
                "The 'boolean' argument must be of type 'bool', not '{}'.",
                other.type_name()
            )));
        }
    };
    if is_undefined(&value) || (falsy && !python::truth(&defined(value.clone())?)?) {
        Ok(other.unwrap_or_else(|| Value::text("")))
    } else {
        Ok(value)
    }
}

pub(super) fn mandatory(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [message]) = arguments.split();
    let Some(undefined) = value.downcast::<Undefined>().filter(|it| it.is_missing())
    else {
        return Ok(value);
    };
    let why = undefined.exception().message;
    let message = match given(message) {
        Some(message) => python::str(&message)?,
        None => format!("Mandatory variable not defined: {why}"),
    };
    Err(Exception::new(Class::Value, message))
}

pub(super) fn ternary(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, yes, no], [none]) = arguments.split();
    match (defined(value)?, given(none)) {
        (Value::None, Some(none)) => Ok(none),
        (value, _) if python::truth(&value)? => Ok(yes),
        _ => Ok(no),
    }
}

pub(super) fn type_debug(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    // A view of a dict is a list to templates.
    let is_view = value.downcast::<python::View>().is_some();
    Ok(Value::text(if is_view { "list" } else { value.type_name() }))
}

/// `bool`: what YAML 1.1 calls true is true, all else is false.
pub(super) fn bool(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let holds = match &value {
        Value::Str(text) => {
            matches!(&*text.to_lowercase(), "yes" | "on" | "true" | "1")
        }
        other => python::equal(other, &Value::Int(1))?,
    };
    Ok(Value::Bool(holds))
}

/// `attr`: an attribute, never an item.
pub(super) fn attr(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, name], []) = arguments.split();
    let name = text(Some(name), "")?;
    let found =
        if name.starts_with('_') { None } else { python::attribute(&value, &name)? };
    let kind = value.type_name();
    let missing = || format!("object of type '{kind}' has no attribute '{name}'");
    Ok(found.unwrap_or_else(|| Undefined::because(missing())))
}

pub(super) fn pprint(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    python::repr(&arguments.only()).map(Value::from)
}
