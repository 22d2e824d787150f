//! Lookups of variables: by name, by pattern, and the hosts of `groups`.

use indexmap::IndexSet;

use super::option::{LookupOptions, each, term};
use crate::eval::jinja::filter::parameter::type_error_of;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::shell::matches;
use crate::eval::python::{self, Arguments, Class, Exception, Result, Value, regex};

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("config", config),
    Plugin::variadic("inventory_hostnames", inventory_hostnames),
    Plugin::variadic("varnames", varnames),
    Plugin::variadic("vars", vars),
];

fn vars(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let find = |call: &CallSite<'_>, name: &Value, mut options: LookupOptions| {
        let Some(name) = name.as_str() else {
            return type_error_of(name, "Variable name must be 'str' not '{}'.");
        };
        match (call.scope.names.get(name)?, options.take("default")) {
            (Some(value), _) => Ok(value),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(Exception::new(
                Class::Undefined,
                format!("No variable named '{name}' was found."),
            )),
        }
    };
    each(call, arguments, find)
}

fn varnames(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut found = Vec::new();
    for pattern in &arguments.positional {
        let pattern = term(pattern)?;
        let known = |error: Box<Exception>| {
            Exception::of_value(format!(
                "Unable to use \"{pattern}\" as a search parameter: {}",
                error.message
            ))
        };
        let compiled = regex::compile(pattern, regex::Flags::default()).map_err(known)?;
        for name in call.scope.names.all() {
            if compiled.search(&name)?.is_some() {
                found.push(Value::text(name));
            }
        }
    }
    Ok(Value::list(found))
}

/// `config`: settings of Ansible, which do not exist here.
fn config(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let named = arguments.positional.first().map(python::str).transpose()?;
    let message = format!(
        "lookup('config') reads the settings of an Ansible installation, and there is none: {}",
        named.unwrap_or_default()
    );
    Err(Exception::new(Class::Unsupported, message))
}

/// `inventory_hostnames`: the hosts that match patterns: `all`, `web*`, `a:b`, `a:!b`, `a:&b`.
fn inventory_hostnames(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let groups = groups(call)?;
    let all: IndexSet<String> =
        groups.iter().flat_map(|(_, hosts)| hosts.iter().cloned()).collect();
    let named = |pattern: &str| -> Vec<String> {
        // `all` is every host, even if there is no group of that name.
        if matches!(pattern, "all" | "*") {
            return all.iter().cloned().collect();
        }
        let within = groups.iter().filter(|(name, _)| matches(pattern, name));
        let mut hosts: Vec<String> =
            within.flat_map(|(_, hosts)| hosts.iter().cloned()).collect();
        hosts.extend(all.iter().filter(|host| matches(pattern, host)).cloned());
        hosts
    };
    let mut found = IndexSet::new();
    for term in &arguments.positional {
        let text = python::str(term)?;
        let parts = text.split([':', ',']).map(str::trim).filter(|part| !part.is_empty());
        // Ansible applies the parts in this order, wherever they stand in the pattern.
        let mut some = Vec::new();
        let mut both = Vec::new();
        let mut none = Vec::new();
        for part in parts {
            match part.strip_prefix('!') {
                Some(part) => none.push(part),
                None => match part.strip_prefix('&') {
                    Some(part) => both.push(part),
                    None => some.push(part),
                },
            }
        }
        // A pattern such as `!web` starts from all hosts.
        if some.is_empty() {
            some.push("all");
        }
        let mut hosts: Vec<String> = some.iter().flat_map(|part| named(part)).collect();
        for part in both {
            let kept = named(part);
            hosts.retain(|host| kept.contains(host));
        }
        for part in none {
            let gone = named(part);
            hosts.retain(|host| !gone.contains(host));
        }
        found.extend(hosts);
    }
    Ok(Value::list(found.into_iter().map(Value::text)))
}

fn groups(call: &CallSite<'_>) -> Result<Vec<(String, Vec<String>)>> {
    let Some(Value::Dict(groups)) = call.scope.names.get("groups")? else {
        return Ok(Vec::new());
    };
    let group = |(key, hosts): (python::Key, Value)| {
        let hosts = python::iterate(&hosts)?;
        let hosts = hosts.iter().map(python::str).collect::<Result<_>>()?;
        Ok((python::str(key.value())?, hosts))
    };
    groups.entries()?.into_iter().map(group).collect()
}
