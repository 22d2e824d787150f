//! Lookups outside of files: the environment, programs and servers, each behind the word of
//! `--allow` that lets it be reached.

use super::option::{Options, data, each, term};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined, is_undefined};
use crate::eval::python::{self, Arguments, Class, Exception, Result, Value};
use crate::source::reason;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("env", env).lenient(),
    Plugin::variadic("lines", lines),
    Plugin::variadic("pipe", pipe),
    Plugin::variadic("url", url),
];

/// A result is no longer than this many bytes.
const MOST: u64 = 1 << 26;

/// The variables of the environment that the terms name.
fn env(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    for term in &arguments.positional {
        crate::eval::jinja::defined(term.clone())?;
    }
    allowed(call, "env")?;
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let Some(name) = name.split_whitespace().next() else {
            return Err(Exception::new(Class::Index, "the name of a variable is empty"));
        };
        match (call.scope.context.world.env(name), options.take("default")) {
            (Some(value), _) => Ok(data(&value)),
            (None, None) => Ok(Value::text("")),
            (None, Some(default)) if is_undefined(&default) => Ok(Undefined::because(
                format!("The environment variable '{name}' is not set."),
            )),
            (None, Some(default)) => Ok(default),
        }
    })
}

/// What commands print.
fn pipe(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, command, _| Ok(data(run(call, command)?.trim_end())))
}

/// The lines that commands print.
fn lines(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut found = Vec::new();
    for command in &arguments.positional {
        found.extend(run(call, command)?.lines().map(data));
    }
    Ok(Value::list(found))
}

/// What URLs name, by lines unless `split_lines` is off.
fn url(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    allowed(call, "url")?;
    let mut options = Options(arguments.keywords);
    let split = options.flag("split_lines", true)?;
    let mut found = Vec::new();
    for url in &arguments.positional {
        let url = term(url)?;
        let read = call.scope.context.world.fetch(url, MOST);
        let read = read.map_err(|error| {
            let message = format!("Failed lookup url for {url}: {}", reason(&error));
            Exception::new(Class::Missing, message)
        })?;
        let text = String::from_utf8_lossy(&read);
        if split { found.extend(text.lines().map(data)) } else { found.push(data(&text)) }
    }
    Ok(Value::list(found))
}

/// What a command prints.
fn run(call: &CallSite<'_>, command: &Value) -> Result<String> {
    let context = &call.scope.context;
    allowed(call, "pipe")?;
    let command = python::str(command)?;
    let (bytes, code) =
        context.world.run(&command, &context.folder, MOST).map_err(|error| {
            Exception::new(Class::Missing, format!("{command}: {}", reason(&error)))
        })?;
    if code != Some(0) {
        let code = code.map_or("a signal".into(), |code| code.to_string());
        let message = format!("lookup_plugin.{}({command}) returned {code}", call.name);
        return Err(Exception::of_value(message));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Asks whether something outside may be reached.
pub(super) fn allowed(call: &CallSite<'_>, word: &str) -> Result<()> {
    call.scope.context.permit(word, &format!("lookup('{}')", call.name))
}
