//! Tests of the result of a task: a mapping with entries such as `failed` and `changed`.

use crate::eval::jinja::filter::parameter::{method, type_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Class, Dict, Exception, Result, Value};

pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("change", "changed", changed),
    Plugin::of_value("changed", "changed", changed),
    Plugin::of_value("failed", "failed", flagged),
    Plugin::of_value("failure", "failed", flagged),
    Plugin::of_value("finished", "finished", progress),
    Plugin::of_value("reachable", "unreachable", flagged),
    Plugin::of_value("skip", "skipped", flagged),
    Plugin::of_value("skipped", "skipped", flagged),
    Plugin::of_value("started", "started", progress),
    Plugin::of_value("succeeded", "failed", flagged),
    Plugin::of_value("success", "failed", flagged),
    Plugin::of_value("successful", "failed", flagged),
    Plugin::of_value("timedout", "timedout", timedout),
    Plugin::of_value("unreachable", "unreachable", flagged),
];

/// Returns the result of a task; raises a `TypeError` if it is not a mapping.
fn result(arguments: Bound) -> Result<Dict> {
    let name = arguments.name();
    match arguments.only() {
        Value::Dict(dict) => Ok(dict),
        _ => type_error(format!("The '{name}' test expects a dictionary")),
    }
}

fn has_flag(result: &Dict, name: &str) -> Result<bool> {
    result.get_text(name)?.map_or(Ok(false), |value| python::truth(&value))
}

/// Tests the entry that the function of the test is named after: it is false for the tests of
/// success.
fn flagged(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = arguments.name();
    let wanted = call.name != "reachable" && !call.name.starts_with("succe");
    Ok(Value::Bool(has_flag(&result(arguments)?, name)? == wanted))
}

/// `started`, `finished`: the entry of that name. The result of a task that did not run in the
/// background has none, and the test is true.
fn progress(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let result = result(arguments)?;
    Ok(Value::Bool(!result.has_text(call.name) || has_flag(&result, call.name)?))
}

fn changed(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let result = result(arguments)?;
    if result.has_text("changed") {
        return has_flag(&result, "changed").map(Value::Bool);
    }
    // The result of a loop has the results of its iterations.
    let Some(Value::List(rounds)) = result.get_text("results")? else {
        return Ok(Value::Bool(false));
    };
    let rounds = rounds.items()?;
    match rounds.first() {
        Some(Value::Dict(_)) => {}
        Some(_) => return Ok(Value::Bool(false)),
        // Ansible looks at the first result without checking that there is one.
        None => return Err(Exception::new(Class::Index, "list index out of range")),
    }
    for round in rounds {
        if python::truth(&method(&round, "get", ["changed".into()])?)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn timedout(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match result(arguments)?.get_text("timedout")? {
        Some(timeout) if python::truth(&timeout)? => {
            python::truth(&method(&timeout, "get", ["period".into()])?).map(Value::Bool)
        }
        _ => Ok(Value::Bool(false)),
    }
}
