//! `map`, `select` and their like, which apply a filter or a test to each member of a sequence.

use super::parameter::{AttributePath, list_of, type_error, type_error_of};
use crate::eval::jinja::{CallSite, Plugin, PluginKind, PluginTable, defined};
use crate::eval::python::{
    self, Arguments, Class, Exception, Result, Signature, Str, Value,
};

pub(super) const FILTERS: PluginTable = &[
    Plugin::variadic("map", map).lenient(),
    Plugin::variadic("reject", select).lenient(),
    Plugin::variadic("rejectattr", selectattr).lenient(),
    Plugin::variadic("select", select).lenient(),
    Plugin::variadic("selectattr", selectattr).lenient(),
];

/// Returns the members of the piped sequence and the other arguments.
fn piped(call: &CallSite<'_>, mut given: Arguments) -> Result<(Vec<Value>, Arguments)> {
    if given.positional.is_empty() {
        let function = format!("do_{}", call.name);
        Signature::of_value(&function).bind(given)?;
        return Ok(Default::default());
    }
    let value = defined(given.positional.remove(0))?;
    // Jinja does not iterate over a false value: `0 | map('abs')` is empty.
    let members =
        if python::truth(&value)? { python::iterate(&value)? } else { Vec::new() };
    Ok((members, given))
}

fn next(arguments: &mut Arguments) -> Option<Value> {
    (!arguments.positional.is_empty()).then(|| arguments.positional.remove(0))
}

fn name(value: &Value) -> Result<&Str> {
    match value {
        Value::Str(name) => Ok(name),
        other => type_error_of(other, "a plugin has a str for a name, not {}"),
    }
}

/// Checks that a plugin is there. A name in an argument is looked up while the template
/// runs: like other exceptions, a missing one counts only if the result is used.
fn known(call: &CallSite<'_>, kind: PluginKind, name: &Str) -> Result<()> {
    let Err(missing) = call.registry.get(kind, name) else { return Ok(()) };
    let missing = missing.naming_literal(name);
    Err(match missing.class {
        Class::Syntax => Box::new(Exception { class: Class::Missing, ..*missing }),
        _ => missing,
    })
}

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
    // `attribute` is a keyword of `map` only if no filter is named: otherwise it is an
    // argument of the filter.
    if filter.is_none()
        && let Some(attribute) = arguments.take("attribute")
    {
        let path = AttributePath::new(Some(&attribute)).or(arguments.take("default"));
        if let Some((name, _)) = arguments.keywords.first() {
            return type_error(format!("Unexpected keyword argument '{}'", &**name));
        }
        return list_of(members.iter().map(|member| path.find(member)));
    }
    let Some(filter) = filter else {
        return type_error("map requires a filter argument");
    };
    let filter = name(&filter)?;
    known(call, PluginKind::Filter, filter)?;
    list_of(members.iter().map(|member| call.filter(filter, before(member, &arguments))))
}

fn select(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (members, arguments) = piped(call, arguments)?;
    keep(call, members, arguments, &AttributePath::new(None))
}

fn selectattr(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (members, mut arguments) = piped(call, arguments)?;
    if members.is_empty() {
        return Ok(Value::list([]));
    }
    let Some(attribute) = next(&mut arguments) else {
        return type_error("Missing parameter for attribute name");
    };
    keep(call, members, arguments, &AttributePath::new(Some(&attribute)))
}

fn keep(
    call: &CallSite<'_>,
    members: Vec<Value>,
    mut arguments: Arguments,
    path: &AttributePath,
) -> Result<Value> {
    let wanted = !call.name.starts_with("reject");
    let test = next(&mut arguments);
    let test = test.as_ref().map(name).transpose()?;
    if let Some(test) = test.filter(|_| !members.is_empty()) {
        known(call, PluginKind::Test, test)?;
    }
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
