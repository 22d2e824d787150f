//! Nested values → flat ones, and what stands deep within them.

use super::parameter::{flag, given, index, members};
use crate::eval::jinja::CallSite;
use crate::eval::jinja::access::item;
use crate::eval::python::{self, Bound, Class, Exception, Key, Result, Value, room};
use crate::eval::walk::Walk;

fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_))
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::None) || matches!(value.as_str(), Some("None" | "null"))
}

/// The members, and so many levels down those of the sequences among them.
pub(super) fn flat(
    members: Vec<Value>,
    levels: Option<i64>,
    skip: bool,
    walk: &Walk<'_>,
) -> Result<Vec<Value>> {
    let (mut flat, mut open) = (Vec::new(), vec![members.into_iter()]);
    while let Some(rest) = open.last_mut() {
        let Some(member) = rest.next() else {
            open.pop();
            continue;
        };
        if skip && is_null(&member) {
            continue;
        }
        let depth = open.len();
        walk.meet(depth)?;
        let opens = levels.is_none_or(|levels| depth as i64 <= levels);
        if opens && is_sequence(&member) {
            open.push(super::parameter::members(&member)?.into_iter());
        } else {
            flat.push(member);
        }
    }
    Ok(flat)
}

pub(super) fn flatten(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [levels, skip]) = arguments.split();
    let levels = given(levels).map(|levels| match levels {
        Value::Float(levels) => Ok(levels.floor() as i64),
        other => index(&other),
    });
    let levels = levels.transpose()?;
    let walk = Walk::new(&call.scope.context);
    flat(members(&value)?, levels, flag(skip, true)?, &walk).map(Value::list)
}

pub(super) fn extract(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([first, container], [more]) = arguments.split();
    let mut keys = vec![first];
    match more {
        None | Some(Value::None) => {}
        Some(Value::List(more)) => keys.extend(more.items()?),
        Some(one) => keys.push(one),
    }
    keys.iter().try_fold(container, |value, key| item(&value, key))
}

pub(super) fn subelements(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, path], [skip]) = arguments.split();
    let elements = match &value {
        Value::Dict(dict) => {
            dict.entries()?.into_iter().map(|(_, value)| value).collect()
        }
        Value::List(list) => list.items()?,
        _ => {
            return Err(Exception::of_type(
                "obj must be a list of dicts or a nested dict",
            ));
        }
    };
    let path = match &path {
        Value::List(path) => path.items()?,
        Value::Str(path) => path.split('.').map(Value::text).collect(),
        _ => return Err(Exception::of_type("subelements must be a list or a string")),
    };
    let (skip, mut pairs) = (flag(skip, false)?, Vec::new());
    for element in elements {
        for member in below(&element, &path, skip)? {
            pairs.push(Value::tuple([element.clone(), member]));
        }
        room(pairs.len())?;
    }
    Ok(Value::list(pairs))
}

/// The members of the list that stands somewhere below an element.
fn below(element: &Value, path: &[Value], skip: bool) -> Result<Vec<Value>> {
    let mut value = element.clone();
    for key in path {
        let found = match &value {
            Value::Dict(dict) => dict.get(&Key::new(key.clone())?)?,
            other => Some(python::item(other, key).map_err(|_| no_mapping(key, other))?),
        };
        value = match found {
            Some(found) => found,
            None if skip => return Ok(Vec::new()),
            None => {
                let (key, within) = (python::repr(key)?, python::repr(&value)?);
                let message =
                    format!("could not find {key} key in iterated item {within}");
                return Err(Exception::new(Class::Key, message));
            }
        };
    }
    match &value {
        Value::List(list) => list.items(),
        other => {
            let key = path.last().map_or(Ok(String::new()), python::repr)?;
            let other = python::repr(other)?;
            let message = format!("the key {key} should point to a list, got {other}");
            Err(Exception::of_type(message))
        }
    }
}

fn no_mapping(key: &Value, value: &Value) -> Box<Exception> {
    let shown = |value: &Value| python::str(value).unwrap_or_default();
    Exception::of_type(format!(
        "the key {} should point to a dictionary, got '{}'",
        shown(key),
        shown(value)
    ))
}
