//! Tests of the type, the truth and the members of a value.

use crate::eval::jinja::filter::html::is_markup;
use crate::eval::jinja::filter::order::set;
use crate::eval::jinja::filter::parameter::{ansible_bool, flag, members};
use crate::eval::jinja::{
    CallSite, NoBranch, Plugin, PluginKind, PluginTable, Undefined,
};
use crate::eval::python::{self, Bound, Result, Value};

pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("all", "all", until),
    Plugin::of_value("any", "any", until),
    Plugin::look("boolean", "test_boolean", |value| matches!(value, Value::Bool(_))),
    Plugin::look("callable", "test_callable", callable),
    Plugin::of_value("defined", "test_defined", is_defined).lenient(),
    Plugin::look("escaped", "test_escaped", is_markup),
    Plugin::look("false", "test_false", |value| matches!(value, Value::Bool(false))),
    Plugin::new("falsy", "falsy", &["value"], &["convert_bool"], truth),
    Plugin::of_value("filter", "test_filter", is_plugin),
    Plugin::look("float", "test_float", |value| matches!(value, Value::Float(_))),
    Plugin::look("integer", "test_integer", |value| {
        matches!(value, Value::Int(_) | Value::Big(_))
    }),
    Plugin::new("issubset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("issuperset", "issuperset", &["a", "b"], &[], subset),
    Plugin::look("iterable", "test_iterable", iterable),
    Plugin::look("mapping", "test_mapping", |value| matches!(value, Value::Dict(_))),
    Plugin::look("none", "test_none", |value| matches!(value, Value::None)),
    Plugin::look("number", "test_number", |value| python::Number::of(value).is_some()),
    Plugin::look("sequence", "test_sequence", sequence),
    Plugin::look("string", "test_string", |value| matches!(value, Value::Str(_))),
    Plugin::new("subset", "issubset", &["a", "b"], &[], subset),
    Plugin::new("superset", "issuperset", &["a", "b"], &[], subset),
    Plugin::of_value("test", "test_test", is_plugin),
    Plugin::look("true", "test_true", |value| matches!(value, Value::Bool(true))),
    Plugin::new("truthy", "truthy", &["value"], &["convert_bool"], truth),
    Plugin::of_value("undefined", "test_undefined", is_defined).lenient(),
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

/// `defined` and `undefined`. Raises what failed for another reason than a missing value.
fn is_defined(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let is_missing = match value.downcast::<Undefined>() {
        Some(failure) if !failure.is_missing() => return Err(failure.exception()),
        Some(_) => true,
        // The result of an `if` without `else` is undefined without being an error.
        None => value.downcast::<NoBranch>().is_some(),
    };
    Ok(Value::Bool(is_missing == (call.name == "undefined")))
}

/// `filter` and `test`: true for the name of one.
fn is_plugin(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let kind = if call.name == "test" { PluginKind::Test } else { PluginKind::Filter };
    let value = arguments.only();
    let found = value.as_str().and_then(|name| call.registry.find(kind, name));
    Ok(Value::Bool(found.is_some()))
}

/// `any` and `all`: looks for a member that decides. Returns the truth of that member, else
/// the opposite.
fn until(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let wanted = call.name == "any";
    for member in members(&arguments.only())? {
        if python::truth(&member)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

/// `subset`, `superset` and their other names.
fn subset(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let a = set(members(&a)?)?;
    let b = set(members(&b)?)?;
    let is_subset = call.name.ends_with("subset");
    Ok(Value::Bool(if is_subset { a.0.is_subset(&b.0) } else { b.0.is_subset(&a.0) }))
}

/// `truthy` and `falsy`.
fn truth(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [convert]) = arguments.split();
    let converts = flag(convert, false)?;
    let converted = match &value {
        Value::Str(text) if converts => ansible_bool(&text.to_lowercase()),
        _ => None,
    };
    let truth = converted.map_or_else(|| python::truth(&value), Ok)?;
    Ok(Value::Bool(truth == (call.name == "truthy")))
}
