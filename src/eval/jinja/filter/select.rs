//! Sequences → what another filter makes of their members, or the members for which a test
//! holds.

use super::attribute::Path;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::{self, Arguments, Exception, Result, Signature, Value};

pub(super) const FILTERS: PluginTable = &[
    Plugin::variadic("map", map).lenient(),
    Plugin::variadic("reject", select).lenient(),
    Plugin::variadic("rejectattr", selectattr).lenient(),
    Plugin::variadic("select", select).lenient(),
    Plugin::variadic("selectattr", selectattr).lenient(),
];

/// What is piped to the filter, and the other arguments.
fn piped(
    call: &CallSite<'_>,
    mut arguments: Arguments,
) -> Result<(Vec<Value>, Arguments)> {
    if arguments.positional.is_empty() {
        let function = match call.name {
            "map" => "do_map",
            "select" => "do_select",
            "reject" => "do_reject",
            "selectattr" => "do_selectattr",
            _ => "do_rejectattr",
        };
        Signature::of_value(function).bind(arguments)?;
        return Ok(Default::default());
    }
    let value = defined(arguments.positional.remove(0))?;
    // What is false has no members, even if nothing can go over it.
    let members =
        if python::truth(&value)? { python::iterate(&value)? } else { Vec::new() };
    Ok((members, arguments))
}

/// The first argument, if there is one.
fn next(arguments: &mut Arguments) -> Option<Value> {
    let given = !arguments.positional.is_empty();
    given.then(|| arguments.positional.remove(0))
}

/// The name of a plugin.
fn name(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| {
        let message = format!("a plugin has a str for a name, not {}", value.type_name());
        Exception::of_type(message)
    })
}

/// A member before the other arguments.
fn before(member: &Value, arguments: &Arguments) -> Arguments {
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, member.clone());
    arguments
}

fn map(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (members, mut arguments) = piped(call, arguments)?;
    if members.is_empty() {
        return Ok(Value::list([]));
    }
    let filter = next(&mut arguments);
    if filter.is_none()
        && let Some(attribute) = arguments.take("attribute")
    {
        let path = Path::new(Some(&attribute)).or(arguments.take("default"));
        if let Some((name, _)) = arguments.keywords.first() {
            let message = format!("Unexpected keyword argument '{}'", &**name);
            return Err(Exception::of_type(message));
        }
        let found: Result<Vec<_>> = members.iter().map(|m| path.find(m)).collect();
        return found.map(Value::list);
    }
    let Some(filter) = filter else {
        return Err(Exception::of_type("map requires a filter argument"));
    };
    let filter = name(&filter)?;
    let made =
        members.iter().map(|member| call.filter(filter, before(member, &arguments)));
    made.collect::<Result<Vec<_>>>().map(Value::list)
}

/// `select`, `reject`
fn select(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (members, arguments) = piped(call, arguments)?;
    keep(call, members, arguments, &Path::new(None))
}

/// `selectattr`, `rejectattr`
fn selectattr(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (members, mut arguments) = piped(call, arguments)?;
    if members.is_empty() {
        return Ok(Value::list([]));
    }
    let Some(attribute) = next(&mut arguments) else {
        return Err(Exception::of_type("Missing parameter for attribute name"));
    };
    keep(call, members, arguments, &Path::new(Some(&attribute)))
}

fn keep(
    call: &CallSite<'_>,
    members: Vec<Value>,
    mut arguments: Arguments,
    path: &Path,
) -> Result<Value> {
    let wanted = !call.name.starts_with("reject");
    let test = next(&mut arguments);
    let test = test.as_ref().map(name).transpose()?;
    let mut kept = Vec::new();
    for member in members {
        let value = path.find(&member)?;
        let holds = match test {
            Some(test) => call.test(test, before(&value, &arguments))?,
            None => python::truth(&defined(value)?)?,
        };
        if holds == wanted {
            kept.push(member);
        }
    }
    Ok(Value::list(kept))
}
