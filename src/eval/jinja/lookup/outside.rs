//! Lookups of the environment, programs and servers. Each needs a word of `--allow`.

use super::option::{LookupOptions, each, term};
use crate::eval::jinja::filter::parameter::value_error;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined, is_undefined};
use crate::eval::python::{self, Arguments, Class, Exception, Result, Value};
use crate::eval::read_text;
use crate::source::reason;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("env", env).lenient(),
    Plugin::variadic("lines", lines),
    Plugin::variadic("pipe", pipe),
    Plugin::variadic("url", url),
];

/// Maximum size of a result in bytes.
// A server that never ends its answer must not fill the memory. Four times the limit on a
// single operation, so that a template can still split a result that it could not copy.
const MAX_RESULT: u64 = 1 << 26;

fn env(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    // The row is lenient because `default` may be undefined on purpose, but the terms
    // must be defined, even if the environment must not be read.
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
            (Some(value), _) => Ok(read_text(&value)),
            (None, None) => Ok(Value::text("")),
            (None, Some(default)) if is_undefined(&default) => Ok(Undefined::because(
                format!("The environment variable '{name}' is not set."),
            )),
            (None, Some(default)) => Ok(default),
        }
    })
}

fn pipe(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, command, _| {
        Ok(read_text(run(call, command)?.trim_end()))
    })
}

/// `lines`: the lines of the output of commands.
fn lines(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut found = Vec::new();
    for command in &arguments.positional {
        found.extend(run(call, command)?.lines().map(read_text));
    }
    Ok(Value::list(found))
}

/// `url`: the content of URLs, split into lines unless `split_lines` is off.
fn url(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    allowed(call, "url")?;
    let mut options = LookupOptions::new(arguments.keywords);
    let split = options.flag("split_lines", true)?;
    let mut found = Vec::new();
    for url in &arguments.positional {
        let url = term(url)?;
        let read = call.scope.context.fetch(url, MAX_RESULT)?;
        let read = read.map_err(|error| {
            let message = format!("Failed lookup url for {url}: {}", reason(&error));
            Exception::new(Class::Missing, message)
        })?;
        let text = String::from_utf8_lossy(&read);
        if split {
            found.extend(text.lines().map(read_text));
        } else {
            found.push(read_text(&text));
        }
    }
    Ok(Value::list(found))
}

fn run(call: &CallSite<'_>, command: &Value) -> Result<String> {
    let context = &call.scope.context;
    allowed(call, "pipe")?;
    let command = python::str(command)?;
    let (bytes, code) =
        context.world.run(&command, &context.folder, MAX_RESULT).map_err(|error| {
            Exception::new(Class::Missing, format!("{command}: {}", reason(&error)))
        })?;
    if code != Some(0) {
        let code = code.map_or("a signal".into(), |code| code.to_string());
        return value_error(format!(
            "lookup_plugin.{}({command}) returned {code}",
            call.name
        ));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Checks that `--allow` has the word for an access to the outside.
pub(super) fn allowed(call: &CallSite<'_>, word: &str) -> Result<()> {
    call.scope.context.permit(word, &format!("lookup('{}')", call.name))
}
