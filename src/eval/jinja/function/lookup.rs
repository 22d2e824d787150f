//! `lookup`, `query` and `q`: the name, terms and options of a lookup come in, its result goes
//! out.

use crate::eval::LookupKind;
use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::jinja::lookup::LookupOptions;
use crate::eval::jinja::plugin::PluginKind;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Arguments, Class, Exception, Result, Str, Value};

pub(super) const FUNCTIONS: PluginTable = &[
    Plugin::variadic("lookup", lookup).lenient(),
    Plugin::variadic("q", lookup).lenient(),
    Plugin::variadic("query", lookup).lenient(),
];

/// `lookup(name, *terms, wantlist=False, errors='strict', **options)`; and `query`, which
/// always gives a list.
fn lookup(call: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        let message = "_lookup() missing 1 required positional argument: 'plugin_name'";
        return type_error(message);
    }
    let plugin = arguments.positional.remove(0);
    let name = python::str(&plugin)?;
    let mut options = LookupOptions::new(arguments.keywords);
    let list = options.flag("wantlist", call.name != "lookup")?;
    let errors = options.text("errors", "strict")?;
    let terms = arguments.positional.into_iter().map(|term| rendered(call, term));
    let arguments = Arguments {
        positional: terms.collect::<Result<_>>()?,
        keywords: options.into_keywords(),
    };
    match found(call, &name, arguments) {
        Ok(found) if list => Ok(Value::list(found)),
        Ok(found) => joined(found),
        Err(error) if is_suppressed(&error, &errors) && list => Ok(Value::list([])),
        Err(error) if is_suppressed(&error, &errors) => Ok(Value::None),
        Err(error) => Err(match plugin {
            Value::Str(plugin) if plugin.is_open_literal() => {
                let part = format!("The lookup plugin '{name}'");
                with_name(error, &name).naming(part)
            }
            _ => with_name(error, &name),
        }),
    }
}

/// Evaluates a term that is itself a template, and its members. Only a string written in the
/// template can be one: a string that was computed or read is data, whatever it contains.
fn rendered(call: &CallSite<'_>, term: Value) -> Result<Value> {
    call.scope.context.step()?;
    match &term {
        Value::Str(text) if text.is_constant() && !text.is_quoted() => {
            call.scope.evaluate(&term)
        }
        Value::List(items) if items.read().iter().any(holds_constant) => {
            let items = items.read().clone();
            members_rendered(call, &items).map(Value::list)
        }
        Value::Tuple(items) if items.iter().any(holds_constant) => {
            members_rendered(call, items).map(Value::tuple)
        }
        Value::Dict(entries) if entries.read().values().any(holds_constant) => {
            let entries = entries.read().clone().into_iter();
            let entries = entries.map(|(key, value)| Ok((key, rendered(call, value)?)));
            Ok(Value::Dict(entries.collect::<Result<_>>()?))
        }
        _ => Ok(term),
    }
}

fn members_rendered(call: &CallSite<'_>, members: &[Value]) -> Result<Vec<Value>> {
    members.iter().map(|member| rendered(call, member.clone())).collect()
}

/// Returns true if a member may be or contain a string that is written in the template.
fn holds_constant(member: &Value) -> bool {
    match member {
        Value::Str(text) => text.is_constant(),
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) => true,
        _ => false,
    }
}

fn found(call: &CallSite<'_>, name: &str, arguments: Arguments) -> Result<Vec<Value>> {
    let found = match call.registry.find(PluginKind::Lookup, name) {
        Some(entry) => call.registry.call(entry, call.scope, arguments, false)?,
        None => match call.scope.look_up(LookupKind::Lookup, name, &arguments) {
            Some(found) => found?,
            None => {
                return call.registry.get(PluginKind::Lookup, name).map(|_| Vec::new());
            }
        },
    };
    python::iterate(&found)
}

/// Returns the results of `lookup`: one as it is, strings joined, others as a list.
fn joined(found: Vec<Value>) -> Result<Value> {
    if found.len() == 1 {
        return Ok(found.into_iter().next().unwrap_or(Value::None));
    }
    let texts: Option<Vec<&str>> = found.iter().map(Value::as_str).collect();
    Ok(match texts {
        Some(texts) if !texts.is_empty() => {
            // A joined string stays data if a part of it is: `{{` in it must not be evaluated.
            let quoted = found
                .iter()
                .any(|value| matches!(value, Value::Str(text) if text.is_quoted()));
            let secrecy = found.iter().map(Value::secrecy).max().unwrap_or_default();
            let text = texts.join(",");
            let stamp = python::Stamp { quoted, secrecy, ..python::Stamp::default() };
            Value::Str(Str::stamped(text, stamp))
        }
        _ => Value::list(found),
    })
}

/// Returns true if `errors='ignore'` or `'warn'` suppresses an error.
fn is_suppressed(error: &Exception, errors: &str) -> bool {
    // A denied or unsupported lookup could succeed elsewhere: an empty result would be wrong.
    let never = matches!(
        error.class,
        Class::Denied | Class::Limit | Class::Recursion | Class::Unsupported
    );
    matches!(errors, "ignore" | "warn") && !never && !is_unknown(error)
}

fn is_unknown(error: &Exception) -> bool {
    error.message.starts_with("The lookup plugin '")
}

/// Adds the name of the lookup to an error, unless its message does not depend on it.
fn with_name(mut error: Box<Exception>, name: &str) -> Box<Exception> {
    let is_complete = matches!(
        error.class,
        Class::Undefined | Class::Limit | Class::Recursion | Class::Denied
    );
    if !is_complete && !is_unknown(&error) {
        error.message = format!("The lookup plugin '{name}' failed: {}", error.message);
    }
    error
}
