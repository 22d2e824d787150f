//! Lookups of names.

use super::option::term;
use super::{Options, each};
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Class, Exception, Result, Value, regex};

/// What a variable stands for.
pub(super) fn vars(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let find = |call: &CallSite<'_>, name: &Value, mut options: Options| {
        let Some(name) = name.as_str() else {
            let message =
                format!("Variable name must be 'str' not '{}'.", name.type_name());
            return Err(Exception::of_type(message));
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

/// The names of variables that match a pattern, in the order they were given.
pub(super) fn varnames(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut found = Vec::new();
    for pattern in &arguments.positional {
        let pattern = term(pattern)?;
        let known = |error: Box<Exception>| {
            let message = format!(
                "Unable to use \"{pattern}\" as a search parameter: {}",
                error.message
            );
            Exception::of_value(message)
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

/// Settings of Ansible, which there are none of here.
pub(super) fn config(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let named = arguments.positional.first().map(python::str).transpose()?;
    let message = format!(
        "lookup('config') reads the settings of an Ansible installation, and there is none: {}",
        named.unwrap_or_default()
    );
    Err(Exception::new(Class::Unsupported, message))
}
