//! Tests of the type, the truth and the members of a value.

use crate::eval::jinja::filter::order::set;
use crate::eval::jinja::filter::parameter::{ansible_bool, flag, members};
use crate::eval::jinja::{
    CallSite, Nothing, Plugin, PluginKind, PluginTable, Undefined, defined, is_undefined,
};
use crate::eval::python::{self, Bound, Result, Value};

pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("all", "all", all),
    Plugin::of_value("any", "any", any),
    Plugin::look("boolean", "test_boolean", |value| matches!(value, Value::Bool(_))),
    Plugin::look("callable", "test_callable", callable),
    Plugin::of_value("defined", "test_defined", is_defined).lenient(),
    Plugin::look(
        "escaped",
        "test_escaped",
        |value| matches!(value, Value::Str(text) if text.is_markup()),
    ),
    Plugin::look("false", "test_false", |value| matches!(value, Value::Bool(false))),
    Plugin::new("falsy", "falsy", &["value"], &["convert_bool"], falsy),
    Plugin::of_value("filter", "test_filter", filter),
    Plugin::look("float", "test_float", |value| matches!(value, Value::Float(_))),
    Plugin::look("integer", "test_integer", |value| {
        matches!(value, Value::Int(_) | Value::Big(_))
    }),
    Plugin::new("issubset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("issuperset", "issuperset", &["a", "b"], &[], superset),
    Plugin::look("iterable", "test_iterable", iterable),
    Plugin::look("mapping", "test_mapping", |value| matches!(value, Value::Dict(_))),
    Plugin::look("none", "test_none", |value| matches!(value, Value::None)),
    Plugin::look("number", "test_number", |value| python::Number::of(value).is_some()),
    Plugin::look("sequence", "test_sequence", sequence),
    Plugin::look("string", "test_string", |value| matches!(value, Value::Str(_))),
    Plugin::new("subset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("superset", "issuperset", &["a", "b"], &[], superset),
    Plugin::of_value("test", "test_test", test),
    Plugin::look("true", "test_true", |value| matches!(value, Value::Bool(true))),
    Plugin::new("truthy", "truthy", &["value"], &["convert_bool"], truthy),
    Plugin::of_value("undefined", "test_undefined", undefined).lenient(),
    // Encrypted values are never decrypted here.
    Plugin::look("vault_encrypted", "test_vault_encrypted", |_| false),
];

fn callable(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.is_callable(),
        _ => false,
    }
}

fn iterable(value: &Value) -> bool {
    match value {
        Value::Object(object) => matches!(object.iterate(), Ok(Some(_))),
        Value::None | Value::Lazy(_) => false,
        other => python::Number::of(other).is_none(),
    }
}

/// `sequence`: true if the value has a length and items.
fn sequence(value: &Value) -> bool {
    match value {
        Value::Str(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_) => true,
        Value::Dict(_) | Value::Range(_) => true,
        Value::Object(_) if value.downcast::<python::View>().is_some() => true,
        Value::Object(object) => {
            object.length().is_some()
                && matches!(object.item(&Value::Int(0)), Ok(Some(_)))
        }
        _ => false,
    }
}

fn is_defined(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    present(arguments).map(Value::Bool)
}

fn undefined(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    present(arguments).map(|present| Value::Bool(!present))
}

/// Returns true if the argument is defined. Raises what failed for another reason.
fn present(arguments: Bound) -> Result<bool> {
    let value = arguments.only();
    // The result of an `if` without `else` is undefined without being an error.
    if value.downcast::<Nothing>().is_some() {
        return Ok(false);
    }
    match value.downcast::<Undefined>() {
        Some(failure) if !failure.is_missing() => defined(value).map(|_| true),
        _ => Ok(!is_undefined(&value)),
    }
}

fn filter(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    is_plugin(call, arguments, PluginKind::Filter)
}

fn test(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    is_plugin(call, arguments, PluginKind::Test)
}

fn is_plugin(call: &CallSite<'_>, arguments: Bound, kind: PluginKind) -> Result<Value> {
    let value = arguments.only();
    let name = value.as_str();
    Ok(Value::Bool(name.is_some_and(|name| call.registry.find(kind, name).is_some())))
}

fn any(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    until(&arguments.only(), true)
}

fn all(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    until(&arguments.only(), false)
}

/// Looks for a member of a truth. Returns the truth, else the opposite.
fn until(value: &Value, wanted: bool) -> Result<Value> {
    for member in members(value)? {
        if python::truth(&member)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

fn subset(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (a, b) = (set(members(&a)?)?, set(members(&b)?)?);
    Ok(Value::Bool(a.0.is_subset(&b.0)))
}

fn superset(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (a, b) = (set(members(&a)?)?, set(members(&b)?)?);
    Ok(Value::Bool(a.0.is_superset(&b.0)))
}

fn truthy(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    truth(arguments).map(Value::Bool)
}

fn falsy(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    truth(arguments).map(|truth| Value::Bool(!truth))
}

fn truth(arguments: Bound) -> Result<bool> {
    let ([value], [convert]) = arguments.split();
    if flag(convert, false)?
        && let Value::Str(text) = &value
        && let Some(truth) = ansible_bool(&text.to_lowercase())
    {
        return Ok(truth);
    }
    python::truth(&value)
}
