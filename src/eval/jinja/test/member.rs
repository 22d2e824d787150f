//! What holds for the members of a value: some, all, those of another as well; its truth.

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::parameter::{flag, members};
use crate::eval::jinja::filter::set::set;
use crate::eval::python::{self, Bound, Result, Value};

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
