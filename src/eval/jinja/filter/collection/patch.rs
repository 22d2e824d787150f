//! JSON Patch, RFC 6902. The patched value is a copy; the original does not change.

use crate::eval::jinja::filter::parameter::{flag, members, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{
    self, Bound, Class, Dict, Exception, Key, Result, Signature, Value, json,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::signed("community.general.json_patch",
        Signature::new("FilterModule.json_patch", &["inp", "op", "path"], &["value"])
            .keyword_only(&["from", "fail_test"]), json_patch),
    Plugin::new("community.general.json_patch_recipe", "FilterModule.json_patch_recipe",
        &["inp", "operations"], &["fail_test"], json_patch_recipe),
];

const OPERATIONS: [&str; 6] = ["add", "copy", "move", "remove", "replace", "test"];

fn json_patch(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([inp, op, path], [value, from, fail]) = arguments.split();
    let value = value.unwrap_or(Value::None);
    let parts =
        [("op", Some(op)), ("path", Some(path)), ("from", from), ("value", Some(value))];
    let parts = parts.into_iter().filter_map(|(name, part)| Some((name, part?)));
    apply("json_patch", inp, &[Value::Dict(Dict::named(parts))], flag(fail, false)?)
}

fn json_patch_recipe(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([inp, operations], [fail]) = arguments.split();
    let Value::List(_) = operations else {
        return value_error("json_patch_recipe: 'operations' needs to be a list");
    };
    apply("json_patch_recipe", inp, &members(&operations)?, flag(fail, false)?)
}

/// Returns a list or a mapping, which a string may write as JSON.
pub(super) fn json_object(filter: &str, name: &str, value: Value) -> Result<Value> {
    let wrong = |error: Box<Exception>| {
        let reason = error.message;
        Exception::of_value(format!(
            "{filter}: could not decode JSON from {name}: {reason}"
        ))
    };
    match &value {
        Value::Str(text) => json::load(text).map_err(wrong),
        Value::List(_) | Value::Dict(_) => Ok(value),
        _ => value_error(format!("{filter}: {name} is not dictionary, list or string")),
    }
}

fn apply(name: &str, inp: Value, operations: &[Value], fail: bool) -> Result<Value> {
    let mut value = json_object(name, "input", inp)?;
    // All operations are checked before the first is applied, so that a malformed one
    // fails even behind a failing test.
    let operations = operations.iter().map(|operation| Operation::read(name, operation));
    for operation in operations.collect::<Result<Vec<_>>>()? {
        value = match operation.apply(&value) {
            Ok(Some(changed)) => changed,
            Ok(None) if !fail => return Ok(Value::None),
            Ok(None) => {
                let path = &operation.path;
                return value_error(format!(
                    "{name}: test operation failed: at {path:?}"
                ));
            }
            Err(error) => {
                return value_error(format!("{name}: patch failed: {}", error.message));
            }
        };
    }
    Ok(value)
}

struct Operation {
    op: String,
    path: String,
    from: String,
    value: Option<Value>,
}

impl Operation {
    fn read(name: &str, operation: &Value) -> Result<Operation> {
        let Value::Dict(parts) = operation else {
            return value_error(format!("{name}: an operation is a mapping"));
        };
        let part = |part: &str| -> Result<Option<String>> {
            let found = parts.get_text(part)?;
            Ok(found.and_then(|found| found.as_str().map(str::to_owned)))
        };
        let needed = |found: Option<String>, part: &str| {
            let message = || format!("{name}: '{part}' argument is not a string");
            found.ok_or_else(|| Exception::of_value(message()))
        };
        let op = needed(part("op")?, "op")?;
        if !OPERATIONS.contains(&&*op) {
            return value_error(format!("{name}: unsupported 'op' argument: {op}"));
        }
        let path = needed(part("path")?, "path")?;
        let from = match &*op {
            "copy" | "move" => needed(part("from")?, "from")?,
            _ => String::new(),
        };
        Ok(Operation { op, path, from, value: parts.get_text("value")? })
    }

    /// Returns the changed value; `None` if a test fails.
    fn apply(&self, root: &Value) -> Result<Option<Value>> {
        let value = || {
            let message = "The operation does not contain a 'value' member";
            self.value.clone().ok_or_else(|| Exception::of_value(message))
        };
        let path = tokens(&self.path)?;
        match &*self.op {
            "add" => change(root, &path, PointerChange::Add(value()?)),
            "replace" => change(root, &path, PointerChange::Replace(value()?)),
            "remove" => change(root, &path, PointerChange::Remove),
            "test" => match find(root, &path) {
                Ok(found) if python::equal(&found, &value()?)? => {
                    return Ok(Some(root.clone()));
                }
                _ => return Ok(None),
            },
            "copy" => {
                change(root, &path, PointerChange::Add(find(root, &tokens(&self.from)?)?))
            }
            _ => {
                let from = tokens(&self.from)?;
                // Removing the source would remove the target, too.
                if path.len() > from.len() && path.starts_with(&from) {
                    return value_error("Cannot move values into their own children");
                }
                let found = find(root, &from)?;
                let without = change(root, &from, PointerChange::Remove)?;
                change(&without, &path, PointerChange::Add(found))
            }
        }
        .map(Some)
    }
}

enum PointerChange {
    Add(Value),
    Replace(Value),
    Remove,
}

fn tokens(pointer: &str) -> Result<Vec<String>> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let Some(rest) = pointer.strip_prefix('/') else {
        return value_error("Location must start with /");
    };
    // `~1` before `~0`, or `~01` would become `/`.
    Ok(rest.split('/').map(|token| token.replace("~1", "/").replace("~0", "~")).collect())
}

fn conflict(token: &str) -> Box<Exception> {
    Exception::new(Class::Key, format!("can't find or change a member '{token}'"))
}

fn find(root: &Value, path: &[String]) -> Result<Value> {
    path.iter().try_fold(root.clone(), |at, token| child(&at, token))
}

fn child(value: &Value, token: &str) -> Result<Value> {
    let found = match value {
        Value::Dict(dict) => dict.get_text(token)?,
        Value::List(list) => match list_index(token) {
            Some(at) => list.get(at)?,
            None => None,
        },
        _ => None,
    };
    found.ok_or_else(|| conflict(token))
}

/// Returns the index that a token is; leading zeros are not allowed.
fn list_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    token.parse().ok().filter(|_| plain)
}

/// Changes the value at a path. Only the containers on the path are copied.
fn change(root: &Value, path: &[String], change: PointerChange) -> Result<Value> {
    let Some((last, path)) = path.split_last() else {
        return match change {
            PointerChange::Add(value) | PointerChange::Replace(value) => Ok(value),
            PointerChange::Remove => value_error("the whole document cannot be removed"),
        };
    };
    let mut parents = vec![root.clone()];
    for token in path {
        let next = child(parents.last().unwrap_or(root), token)?;
        parents.push(next);
    }
    let innermost = parents.pop().unwrap_or_else(|| root.clone());
    let mut changed = member(&innermost, last, change)?;
    for (parent, token) in parents.iter().zip(path).rev() {
        changed = member(parent, token, PointerChange::Replace(changed))?;
    }
    Ok(changed)
}

/// Copies a container with one member changed.
fn member(container: &Value, token: &str, change: PointerChange) -> Result<Value> {
    match container {
        Value::Dict(dict) => {
            let key = Key::text(token);
            let copy = Dict::from_iter(dict.entries()?);
            let known = dict.has_text(token);
            match change {
                PointerChange::Add(value) => copy.set(key, value),
                PointerChange::Replace(value) if known => copy.set(key, value),
                PointerChange::Remove if known => drop(copy.write().shift_remove(&key)),
                PointerChange::Replace(_) | PointerChange::Remove => {
                    return Err(conflict(token));
                }
            }
            Ok(Value::Dict(copy))
        }
        Value::List(list) => {
            let mut items = list.items()?;
            let at = if token == "-" { Some(items.len()) } else { list_index(token) };
            let at = at.ok_or_else(|| conflict(token))?;
            match change {
                PointerChange::Add(value) if at <= items.len() => items.insert(at, value),
                PointerChange::Replace(value) => match items.get_mut(at) {
                    Some(slot) => *slot = value,
                    None => return Err(conflict(token)),
                },
                PointerChange::Remove if at < items.len() => drop(items.remove(at)),
                PointerChange::Add(_) | PointerChange::Remove => {
                    return Err(conflict(token));
                }
            }
            Ok(Value::list(items))
        }
        _ => Err(conflict(token)),
    }
}
