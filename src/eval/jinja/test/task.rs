//! What the result of a task says: a dict with entries such as `failed` and `changed`.

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::parameter::method;
use crate::eval::python::{self, Bound, Class, Dict, Exception, Result, Value};

/// The result of a task, or the complaint that it is none.
fn result(arguments: Bound) -> Result<Dict> {
    let name = arguments.name();
    match arguments.only() {
        Value::Dict(dict) => Ok(dict),
        _ => Err(Exception::of_type(format!("The '{name}' test expects a dictionary"))),
    }
}

/// Whether an entry is there and true.
fn says(result: &Dict, name: &str) -> Result<bool> {
    result.get_text(name)?.map_or(Ok(false), |value| python::truth(&value))
}

pub(super) fn failed(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    says(&result(arguments)?, "failed").map(Value::Bool)
}

pub(super) fn succeeded(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let failed = says(&result(arguments)?, "failed")?;
    Ok(Value::Bool(!failed))
}

pub(super) fn unreachable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    says(&result(arguments)?, "unreachable").map(Value::Bool)
}

pub(super) fn reachable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let unreachable = says(&result(arguments)?, "unreachable")?;
    Ok(Value::Bool(!unreachable))
}

pub(super) fn skipped(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    says(&result(arguments)?, "skipped").map(Value::Bool)
}

/// `started`, `finished`: what was not left to itself has started and is finished.
pub(super) fn progress(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let result = result(arguments)?;
    let holds = !result.has_text(call.name) || says(&result, call.name)?;
    Ok(Value::Bool(holds))
}

pub(super) fn changed(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let result = result(arguments)?;
    if result.has_text("changed") {
        return says(&result, "changed").map(Value::Bool);
    }
    // A loop has changed something if one of its rounds has.
    let Some(Value::List(rounds)) = result.get_text("results")? else {
        return Ok(Value::Bool(false));
    };
    let rounds = rounds.items()?;
    match rounds.first() {
        Some(Value::Dict(_)) => {}
        Some(_) => return Ok(Value::Bool(false)),
        None => return Err(Exception::new(Class::Index, "list index out of range")),
    }
    for round in rounds {
        if python::truth(&method(&round, "get", ["changed".into()])?)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn timedout(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let result = result(arguments)?;
    let Some(timeout) = result.get_text("timedout")? else {
        return Ok(Value::Bool(false));
    };
    if !python::truth(&timeout)? {
        return Ok(Value::Bool(false));
    }
    let period = method(&timeout, "get", ["period".into()])?;
    python::truth(&period).map(Value::Bool)
}
