//! Whether a value is as another: equal, less, in it, the same.

use std::sync::Arc;

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::parameter::{bind, only};
use crate::eval::python::{
    self, Arguments, Comparison, Exception, Operator, Result, Value, binary,
};

/// `eq`, `ne`, `lt`, `le`, `gt`, `ge`, by all of their names.
pub(super) fn operator(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (function, comparison) = match call.name {
        "eq" | "==" | "equalto" => ("eq", None),
        "ne" | "!=" => ("ne", None),
        "lt" | "<" | "lessthan" => ("lt", Some(Comparison::Less)),
        "le" | "<=" => ("le", Some(Comparison::LessEqual)),
        "gt" | ">" | "greaterthan" => ("gt", Some(Comparison::Greater)),
        _ => ("ge", Some(Comparison::GreaterEqual)),
    };
    let given = arguments.positional.len();
    let (a, b) = match (&*arguments.positional, arguments.keywords.is_empty()) {
        ([a, b], true) => (a, b),
        (_, false) => {
            let message = format!("{function}() takes no keyword arguments");
            return Err(Exception::of_type(message));
        }
        _ => {
            let message = format!("{function} expected 2 arguments, got {given}");
            return Err(Exception::of_type(message));
        }
    };
    let holds = match comparison {
        Some(comparison) => python::order(comparison, a, b)?,
        None => python::equal(a, b)? == (function == "eq"),
    };
    Ok(Value::Bool(holds))
}

pub(super) fn within(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let ([value, container], []) = bind(arguments, "test_in", ["value", "seq"], [])?;
    python::contains(&container, &value).map(Value::Bool)
}

/// `contains`: `in`, the other way around.
pub(super) fn contains(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let ([container, value], []) = bind(arguments, "contains", ["seq", "value"], [])?;
    python::contains(&container, &value).map(Value::Bool)
}

/// Whether it is one object, not two that are equal.
pub(super) fn sameas(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let ([value, other], []) = bind(arguments, "test_sameas", ["value", "other"], [])?;
    Ok(Value::Bool(match (&value, &other) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Str(a), Value::Str(b)) => a == b && a.is_markup() == b.is_markup(),
        (Value::List(a), Value::List(b)) => a.is(b),
        (Value::Dict(a), Value::Dict(b)) => a.is(b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(&a.0, &b.0),
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }))
}

/// What is left of a division.
fn rest(value: &Value, by: &Value) -> Result<Value> {
    binary(Operator::Mod, value, by)
}

pub(super) fn even(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let rest = rest(&only(arguments, "test_even")?, &Value::Int(2))?;
    python::equal(&rest, &Value::Int(0)).map(Value::Bool)
}

pub(super) fn odd(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let rest = rest(&only(arguments, "test_odd")?, &Value::Int(2))?;
    python::equal(&rest, &Value::Int(1)).map(Value::Bool)
}

pub(super) fn divisibleby(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let names = ["value", "num"];
    let ([value, by], []) = bind(arguments, "test_divisibleby", names, [])?;
    python::equal(&rest(&value, &by)?, &Value::Int(0)).map(Value::Bool)
}

pub(super) fn nan(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let value = only(arguments, "isnotanumber")?;
    Ok(Value::Bool(matches!(value, Value::Float(x) if x.is_nan())))
}
