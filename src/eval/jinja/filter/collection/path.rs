//! `get_path`, `to_paths` and `index_of`: paths within values, and indices of members.

use crate::eval::Scope;
use crate::eval::jinja::filter::parameter::{
    documented_flag, given, members, optional_text, text, type_error, type_error_of,
    value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{
    self, Arguments, Bound, Class, Dict, Key, Result, Signature, Value,
};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("ansible.utils.get_path", "get_path", &["var", "path"], &["wantlist"], get_path),
    Plugin::new("ansible.utils.index_of", "index_of", &["data", "test"],
        &["value", "key", "fail_on_missing", "wantlist"], index_of),
    Plugin::new("ansible.utils.to_paths", "to_paths", &["var"], &["prepend", "wantlist"], to_paths),
];

/// The same as lookups, which always give a list. Ansible ignores terms beyond the last.
#[rustfmt::skip]
pub(in crate::eval::jinja) const LOOKUPS: PluginTable = &[
    Plugin::signed("ansible.utils.get_path",
        Signature::new("get_path", &["var", "path"], &[]).rest(), get_path_list),
    Plugin::signed("ansible.utils.index_of",
        Signature::new("index_of", &["data", "test"],
            &["value", "key", "fail_on_missing", "wantlist"]).rest(), index_of_list),
    Plugin::signed("ansible.utils.to_paths",
        Signature::new("to_paths", &["var"], &["prepend"]).rest(), to_paths_list),
];

fn get_path_list(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([var, path], []) = arguments.split();
    Ok(Value::list([at_path(call, var, &path)?]))
}

fn index_of_list(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(match index_of(call, arguments)? {
        all @ Value::List(_) => all,
        one => Value::list([one]),
    })
}

fn to_paths_list(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([var], [prepend]) = arguments.split();
    Ok(Value::list([paths_in(call, var, prepend)?]))
}

fn listed(value: Value, wanted: Option<Value>) -> Result<Value> {
    if documented_flag(wanted, "wantlist", false)? {
        Ok(Value::list([value]))
    } else {
        Ok(value)
    }
}

/// `get_path`: evaluates an expression with the entries of a mapping as variables.
fn get_path(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([var, path], [list]) = arguments.split();
    listed(at_path(call, var, &path)?, list)
}

fn at_path(call: &CallSite<'_>, var: Value, path: &Value) -> Result<Value> {
    let Value::Dict(names) = var else {
        let wrong = "get_path() argument after ** must be a mapping, not {}";
        return type_error_of(&var, wrong);
    };
    if names.read().keys().any(|key| key.as_str().is_none()) {
        return type_error("keywords must be strings");
    }
    let scope = Scope { names: names.into(), ..call.scope.clone() };
    scope.evaluate(&Value::from(format!("{{{{ {} }}}}", python::str(path)?)))
}

/// `to_paths`: a mapping of all values in a value by their paths.
fn to_paths(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([var], [prepend, list]) = arguments.split();
    listed(paths_in(call, var, prepend)?, list)
}

fn paths_in(call: &CallSite<'_>, var: Value, prepend: Option<Value>) -> Result<Value> {
    let name = regex::compile("^[a-zA-Z_][a-zA-Z0-9_]*$", Flags::default())?;
    let walk = VisitCounter::new(&call.scope.context);
    let paths = Dict::default();
    let mut todo = vec![(var, text(given(prepend), "")?, 0)];
    while let Some((value, path, depth)) = todo.pop() {
        walk.visit(depth)?;
        let from = todo.len();
        match &value {
            Value::Dict(dict) if !dict.is_empty() => {
                for (key, member) in dict.entries()? {
                    let key = python::str(key.value())?;
                    let path = match name.match_start(&key)? {
                        _ if path.is_empty() => key,
                        Some(_) => format!("{path}.{key}"),
                        None => format!("{path}['{key}']"),
                    };
                    todo.push((member, path, depth + 1));
                }
            }
            Value::List(list) if !list.is_empty() => {
                let members = list.items()?.into_iter().enumerate();
                todo.extend(
                    members
                        .map(|(at, member)| (member, format!("{path}[{at}]"), depth + 1)),
                );
            }
            // An empty container without a path stands for itself, or is left out.
            Value::Dict(_) | Value::List(_) if path.is_empty() => {
                if depth == 0 {
                    return Ok(value);
                }
            }
            _ => paths.set(Key::text(&path), value),
        }
        // The stack is popped from its end.
        todo[from..].reverse();
    }
    Ok(Value::Dict(paths))
}

fn failed<T>(message: &str) -> Result<T> {
    value_error(format!("Error when using plugin 'index_of': {message}"))
}

/// `index_of`: the indices of the members that pass a test.
fn index_of(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, test], [value, key, fail, list]) = arguments.split();
    let fail = documented_flag(fail, "fail_on_missing", false)?;
    let list = documented_flag(list, "wantlist", false)?;
    let test = NamedTest::new(&python::str(&test)?, given(value));
    let key = optional_text(key)?.as_deref().map(Key::text);
    let mut found = Vec::new();
    for (at, member) in items_of(&data)?.into_iter().enumerate() {
        let entry = match (&key, &member) {
            (None, _) => Some(member),
            (Some(key), Value::Dict(dict)) => dict.get(key)?,
            (Some(_), _) => {
                return failed(
                    "When a key name is provided, all list entries are required to be \
                     dictionaries",
                );
            }
        };
        match entry {
            Some(entry) => {
                found.extend(test.holds(call, entry)?.then_some(Value::Int(at as i64)));
            }
            None if fail => return failed(&format!("the key was not found at [{at}]")),
            None => {}
        }
    }
    match (&*found, list) {
        ([one], false) => Ok(one.clone()),
        _ => Ok(Value::list(found)),
    }
}

/// Returns the items of an argument that Ansible converts to a list.
fn items_of(data: &Value) -> Result<Vec<Value>> {
    match data {
        Value::List(_) => members(data),
        Value::Str(text) => Ok(text.split(',').map(Value::text).collect()),
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
            Ok(vec![Value::from(python::str(data)?)])
        }
        other => {
            let wrong =
                "argument 'data' is of type {} and we were unable to convert to list";
            type_error_of(other, wrong)
        }
    }
}

struct NamedTest {
    name: String,
    inverted: bool,
    argument: Option<Value>,
}

impl NamedTest {
    fn new(name: &str, argument: Option<Value>) -> NamedTest {
        let (name, inverted) = match (name.strip_prefix('!'), name.strip_prefix("not ")) {
            (Some("="), _) => ("==", true),
            (Some(rest), _) | (None, Some(rest)) => (rest, true),
            (None, None) => (name, false),
        };
        let argument = match argument {
            // `in` needs a container.
            Some(one) if name == "in" && !matches!(one, Value::List(_)) => {
                Some(Value::list([one]))
            }
            other => other,
        };
        NamedTest { name: name.to_owned(), inverted, argument }
    }

    fn holds(&self, call: &CallSite<'_>, entry: Value) -> Result<bool> {
        let arguments = Arguments::of([entry].into_iter().chain(self.argument.clone()));
        match call.test(&self.name, arguments) {
            Ok(holds) => Ok(holds != self.inverted),
            // An exceeded limit is not an error of the test and keeps its class.
            Err(error) if matches!(error.class, Class::Limit | Class::Recursion) => {
                Err(error)
            }
            Err(error) => failed(&error.message),
        }
    }
}
