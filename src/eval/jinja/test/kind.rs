//! What kind of value it is.

use crate::eval::jinja::filter::parameter::only;
use crate::eval::jinja::{
    CallSite, Nothing, PluginKind, Undefined, defined, is_undefined,
};
use crate::eval::python::{self, Arguments, Result, Value};

/// A test that looks at a value and nothing else.
fn look(
    call: &CallSite<'_>,
    arguments: Arguments,
    is: fn(&Value) -> bool,
) -> Result<Value> {
    let value = only(arguments, &format!("test_{}", call.name))?;
    Ok(Value::Bool(is(&value)))
}

pub(super) fn boolean(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Bool(_)))
}

pub(super) fn r#true(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Bool(true)))
}

pub(super) fn r#false(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Bool(false)))
}

pub(super) fn none(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::None))
}

pub(super) fn integer(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Int(_) | Value::Big(_)))
}

pub(super) fn float(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Float(_)))
}

pub(super) fn number(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| python::Number::of(value).is_some())
}

pub(super) fn string(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Str(_)))
}

pub(super) fn mapping(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Dict(_)))
}

/// Whether it has a length and items.
pub(super) fn sequence(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| match value {
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

pub(super) fn iterable(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| match value {
        Value::Object(object) => matches!(object.iterate(), Ok(Some(_))),
        Value::None | Value::Lazy(_) => false,
        other => python::Number::of(other).is_none(),
    })
}

pub(super) fn callable(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| match value {
        Value::Object(object) => object.is_callable(),
        _ => false,
    })
}

/// Whether it is markup.
pub(super) fn escaped(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    look(call, arguments, |value| matches!(value, Value::Str(text) if text.is_markup()))
}

pub(super) fn is_defined(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    present(call, arguments).map(Value::Bool)
}

pub(super) fn undefined(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    present(call, arguments).map(|present| Value::Bool(!present))
}

/// Whether something is there. Another failure is no answer.
fn present(call: &CallSite<'_>, arguments: Arguments) -> Result<bool> {
    let value = only(arguments, &format!("test_{}", call.name))?;
    if value.downcast::<Nothing>().is_some() {
        return Ok(false);
    }
    match value.downcast::<Undefined>() {
        Some(failure) if !failure.is_missing() => defined(value).map(|_| true),
        _ => Ok(!is_undefined(&value)),
    }
}

/// `'name' is filter`
pub(super) fn filter(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    plugin(call, arguments, PluginKind::Filter)
}

/// `'name' is test`
pub(super) fn test(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    plugin(call, arguments, PluginKind::Test)
}

fn plugin(call: &CallSite<'_>, arguments: Arguments, kind: PluginKind) -> Result<Value> {
    let value = only(arguments, &format!("test_{}", call.name))?;
    let name = value.as_str();
    Ok(Value::Bool(name.is_some_and(|name| call.engine.find(kind, name).is_some())))
}

/// What is locked in Ansible's vault is no value here.
pub(super) fn vault_encrypted(
    call: &CallSite<'_>,
    arguments: Arguments,
) -> Result<Value> {
    look(call, arguments, |_| false)
}
