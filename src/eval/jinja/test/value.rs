//! Tests of the type, the truth and the members of a value.

use crate::eval::jinja::filter::order::set;
use crate::eval::jinja::filter::parameter::{flag, members};
use crate::eval::jinja::{
    CallSite, Nothing, PluginKind, Undefined, defined, is_undefined,
};
use crate::eval::python::{self, Bound, Result, Value};

/// A test that looks at a value and nothing else.
fn look(arguments: Bound, is: fn(&Value) -> bool) -> Result<Value> {
    let value = arguments.only();
    Ok(Value::Bool(is(&value)))
}

pub(super) fn boolean(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(_)))
}

pub(super) fn r#true(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(true)))
}

pub(super) fn r#false(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(false)))
}

pub(super) fn none(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::None))
}

pub(super) fn integer(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Int(_) | Value::Big(_)))
}

pub(super) fn float(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Float(_)))
}

pub(super) fn number(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| python::Number::of(value).is_some())
}

pub(super) fn string(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Str(_)))
}

pub(super) fn mapping(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Dict(_)))
}

/// Whether it has a length and items.
pub(super) fn sequence(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| match value {
        Value::Str(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_) => true,
        Value::Dict(_) | Value::Range(_) => true,
        Value::Object(_) if value.downcast::<python::View>().is_some() => true,
        Value::Object(object) => {
            object.length().is_some()
                && matches!(object.item(&Value::Int(0)), Ok(Some(_)))
        }
        _ => false,
    })
}

pub(super) fn iterable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| match value {
        Value::Object(object) => matches!(object.iterate(), Ok(Some(_))),
        Value::None | Value::Lazy(_) => false,
        other => python::Number::of(other).is_none(),
    })
}

pub(super) fn callable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| match value {
        Value::Object(object) => object.is_callable(),
        _ => false,
    })
}

/// Whether it is markup.
pub(super) fn escaped(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Str(text) if text.is_markup()))
}

pub(super) fn is_defined(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    present(arguments).map(Value::Bool)
}

pub(super) fn undefined(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    present(arguments).map(|present| Value::Bool(!present))
}

/// Whether something is there. Another failure is no answer.
fn present(arguments: Bound) -> Result<bool> {
    let value = arguments.only();
    if value.downcast::<Nothing>().is_some() {
        return Ok(false);
    }
    match value.downcast::<Undefined>() {
        Some(failure) if !failure.is_missing() => defined(value).map(|_| true),
        _ => Ok(!is_undefined(&value)),
    }
}

/// `'name' is filter`
pub(super) fn filter(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    is_plugin(call, arguments, PluginKind::Filter)
}

/// `'name' is test`
pub(super) fn test(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    is_plugin(call, arguments, PluginKind::Test)
}

fn is_plugin(call: &CallSite<'_>, arguments: Bound, kind: PluginKind) -> Result<Value> {
    let value = arguments.only();
    let name = value.as_str();
    Ok(Value::Bool(name.is_some_and(|name| call.engine.find(kind, name).is_some())))
}

/// What is locked in Ansible's vault is no value here.
pub(super) fn vault_encrypted(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |_| false)
}

pub(super) fn any(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    for member in members(&arguments.only())? {
        if python::truth(&member)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn all(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    for member in members(&arguments.only())? {
        if !python::truth(&member)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn subset(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (a, b) = (set(members(&a)?)?, set(members(&b)?)?);
    Ok(Value::Bool(a.0.is_subset(&b.0)))
}

pub(super) fn superset(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (a, b) = (set(members(&a)?)?, set(members(&b)?)?);
    Ok(Value::Bool(a.0.is_superset(&b.0)))
}

pub(super) fn truthy(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    truth(arguments).map(Value::Bool)
}

pub(super) fn falsy(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    truth(arguments).map(|truth| Value::Bool(!truth))
}

fn truth(arguments: Bound) -> Result<bool> {
    let ([value], [convert]) = arguments.split();
    if flag(convert, false)?
        && let Value::Str(text) = &value
    {
        match text.to_lowercase().trim() {
            "y" | "yes" | "on" | "1" | "true" | "t" | "1.0" => return Ok(true),
            "n" | "no" | "off" | "0" | "false" | "f" | "0.0" => return Ok(false),
            _ => {}
        }
    }
    python::truth(&value)
}
