//! Lookups that rearrange the terms they are given.

use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Dict, Exception, Key, Result, Value, room};

/// The terms as they are.
pub(super) fn list(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::list(arguments.positional))
}

/// The terms, and the items of those that are lists.
pub(super) fn items(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    flat(arguments.positional).map(Value::list)
}

/// The same with their numbers.
pub(super) fn indexed_items(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let numbered = flat(arguments.positional)?.into_iter().zip(0..);
    Ok(Value::list(numbered.map(|(item, n)| Value::tuple([Value::Int(n), item]))))
}

/// The entries of dicts.
pub(super) fn dict(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut entries = Vec::new();
    for term in arguments.positional {
        let Value::Dict(dict) = term else {
            let message = format!(
                "the 'dict' lookup plugin expects a dictionary, got '{}'",
                python::str(&term)?
            );
            return Err(Exception::of_value(message));
        };
        entries.extend(dict.entries()?.into_iter().map(|(key, value)| {
            let pair = [("key", key.value().clone()), ("value", value)];
            let pair = pair.into_iter().map(|(name, value)| (Key::text(name), value));
            Value::Dict(pair.collect::<Dict>())
        }));
    }
    Ok(Value::list(entries))
}

/// Every way to take one item of each term. The reference takes lists apart once for each term
/// that joins a way and once more at the end.
pub(super) fn nested(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let [first, others @ ..] = &arguments.positional[..] else {
        let message = "with_nested requires at least one element in the nested list";
        return Err(Exception::of_value(message));
    };
    let mut ways = python::iterate(first)?;
    for term in others {
        let items = python::iterate(term)?;
        room(ways.len().saturating_mul(items.len()))?;
        let longer = |way: &Value, item: &Value| {
            flat(vec![way.clone(), item.clone()]).map(Value::list)
        };
        ways = ways
            .iter()
            .flat_map(|way| items.iter().map(move |item| longer(way, item)))
            .collect::<Result<_>>()?;
    }
    let way = |way: &Value| flat(python::iterate(way)?).map(Value::list);
    Ok(Value::list(ways.iter().map(way).collect::<Result<Vec<_>>>()?))
}

/// The first items of all terms, the second ones, and so on; a shorter term has `None`.
pub(super) fn together(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let columns: Vec<Vec<Value>> =
        arguments.positional.iter().map(python::iterate).collect::<Result<_>>()?;
    let Some(length) = columns.iter().map(Vec::len).max() else {
        let message = "with_together requires at least one element in each list";
        return Err(Exception::of_value(message));
    };
    room(length.saturating_mul(columns.len()))?;
    let row = |at: usize| -> Result<Value> {
        let cells = columns.iter().map(|column| column.get(at).cloned());
        flat(cells.map(|cell| cell.unwrap_or(Value::None)).collect()).map(Value::list)
    };
    Ok(Value::list((0..length).map(row).collect::<Result<Vec<_>>>()?))
}

/// Each element of a list within each item, beside the item without that list.
pub(super) fn subelements(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let (elements, path, skip) = match &arguments.positional[..] {
        [elements, path] => (elements, path, false),
        [elements, path, options] => (elements, path, skips(options)?),
        _ => {
            let message = "subelements lookup expects a list of two or three items";
            return Err(Exception::of_value(message));
        }
    };
    let keys: Vec<String> = python::str(path)?.split('.').map(str::to_owned).collect();
    let elements = match elements {
        Value::Dict(dict) => {
            dict.entries()?.into_iter().map(|(_, value)| value).collect()
        }
        Value::List(list) => list.items()?,
        _ => {
            let message = "subelements lookup expects a list or a dictionary first";
            return Err(Exception::of_value(message));
        }
    };
    let mut pairs = Vec::new();
    for element in elements {
        let Value::Dict(dict) = &element else {
            let message = format!(
                "subelements lookup expects a dictionary, got '{}'",
                python::str(&element)?
            );
            return Err(Exception::of_value(message));
        };
        if dict.get_text("skipped")?.is_some_and(|v| matches!(v, Value::Bool(true))) {
            continue;
        }
        let Some((item, list)) = without(dict, &keys, skip)? else { continue };
        pairs.extend(list.into_iter().map(|each| Value::tuple([item.clone(), each])));
        room(pairs.len())?;
    }
    Ok(Value::list(pairs))
}

/// One of the terms.
pub(super) fn random_choice(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        return Ok(Value::list([]));
    }
    let terms = Value::list(arguments.positional);
    Ok(Value::list([call.filter("random", Arguments::of([terms]))?]))
}

/// The terms, and the items of those that are lists.
fn flat(terms: Vec<Value>) -> Result<Vec<Value>> {
    let mut items = Vec::new();
    for term in terms {
        match &term {
            Value::List(list) => items.extend(list.items()?),
            Value::Tuple(tuple) => items.extend(tuple.iter().cloned()),
            _ => items.push(term),
        }
        room(items.len())?;
    }
    Ok(items)
}

fn skips(options: &Value) -> Result<bool> {
    let Value::Dict(options) = options else {
        let message = "the optional third item must be a dict with flags";
        return Err(Exception::of_value(message));
    };
    options.get_text("skip_missing")?.map_or(Ok(false), |skip| python::truth(&skip))
}

/// A dict without the list at a path of keys, and the items of that list; nothing if it is
/// not there and may be missing.
fn without(
    dict: &Dict,
    keys: &[String],
    skip: bool,
) -> Result<Option<(Value, Vec<Value>)>> {
    let Some((last, path)) = keys.split_last() else { return Ok(None) };
    let whole: Dict = dict.entries()?.into_iter().collect();
    let mut level = whole.clone();
    for key in path {
        let inner = match level.get_text(key)? {
            Some(Value::Dict(inner)) => inner.entries()?.into_iter().collect::<Dict>(),
            None if skip => return Ok(None),
            Some(_) => return Err(unlike(key, "dictionary", &level)),
            None => return Err(absent(key, &level)),
        };
        level.set(Key::text(key), Value::Dict(inner.clone()));
        level = inner;
    }
    match level.get_text(last)? {
        Some(Value::List(list)) => {
            level.write().shift_remove(&Key::text(last));
            Ok(Some((Value::Dict(whole), list.items()?)))
        }
        None if skip => Ok(None),
        None => Err(absent(last, &level)),
        Some(_) => Err(unlike(last, "list", &level)),
    }
}

fn absent(key: &str, within: &Dict) -> Box<Exception> {
    let within = python::str(&Value::Dict(within.clone())).unwrap_or_default();
    Exception::of_value(format!("could not find '{key}' key in iterated item '{within}'"))
}

fn unlike(key: &str, what: &str, within: &Dict) -> Box<Exception> {
    let found = within.get_text(key).ok().flatten().unwrap_or(Value::None);
    let found = python::str(&found).unwrap_or_default();
    Exception::of_value(format!("the key {key} should point to a {what}, got '{found}'"))
}
