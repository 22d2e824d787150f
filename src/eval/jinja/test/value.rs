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
    Plugin::of_value("boolean", "test_boolean", boolean),
    Plugin::of_value("callable", "test_callable", callable),
    Plugin::of_value("defined", "test_defined", is_defined).lenient(),
    Plugin::of_value("escaped", "test_escaped", escaped),
    Plugin::of_value("false", "test_false", r#false),
    Plugin::new("falsy", "falsy", &["value"], &["convert_bool"], falsy),
    Plugin::of_value("filter", "test_filter", filter),
    Plugin::of_value("float", "test_float", float),
    Plugin::of_value("integer", "test_integer", integer),
    Plugin::new("issubset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("issuperset", "issuperset", &["a", "b"], &[], superset),
    Plugin::of_value("iterable", "test_iterable", iterable),
    Plugin::of_value("mapping", "test_mapping", mapping),
    Plugin::of_value("none", "test_none", none),
    Plugin::of_value("number", "test_number", number),
    Plugin::of_value("sequence", "test_sequence", sequence),
    Plugin::of_value("string", "test_string", string),
    Plugin::new("subset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("superset", "issuperset", &["a", "b"], &[], superset),
    Plugin::of_value("test", "test_test", test),
    Plugin::of_value("true", "test_true", r#true),
    Plugin::new("truthy", "truthy", &["value"], &["convert_bool"], truthy),
    Plugin::of_value("undefined", "test_undefined", undefined).lenient(),
    Plugin::of_value("vault_encrypted", "test_vault_encrypted", vault_encrypted),
];

fn look(arguments: Bound, is: fn(&Value) -> bool) -> Result<Value> {
    let value = arguments.only();
    Ok(Value::Bool(is(&value)))
}

fn boolean(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(_)))
}

fn r#true(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(true)))
}

fn r#false(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Bool(false)))
}

fn none(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::None))
}

fn integer(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Int(_) | Value::Big(_)))
}

fn float(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Float(_)))
}

fn number(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| python::Number::of(value).is_some())
}

fn string(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Str(_)))
}

fn mapping(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Dict(_)))
}

/// `sequence`: true if the value has a length and items.
fn sequence(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
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

fn iterable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| match value {
        Value::Object(object) => matches!(object.iterate(), Ok(Some(_))),
        Value::None | Value::Lazy(_) => false,
        other => python::Number::of(other).is_none(),
    })
}

fn callable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| match value {
        Value::Object(object) => object.is_callable(),
        _ => false,
    })
}

fn escaped(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |value| matches!(value, Value::Str(text) if text.is_markup()))
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

/// `vault_encrypted`: false, since encrypted values are never decrypted here.
fn vault_encrypted(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(arguments, |_| false)
}

fn any(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    for member in members(&arguments.only())? {
        if python::truth(&member)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn all(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    for member in members(&arguments.only())? {
        if !python::truth(&member)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
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
