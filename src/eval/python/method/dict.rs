//! The methods of `dict`.

use super::super::{
    Arguments, Bound, Class, Dict, Exception, Key, Result, Signature, Str, Value, View,
    ViewKind, iterate, length, limit, limit_members, repr,
};
use super::dispatch::{MethodTable, method, plain};

pub const DICT: MethodTable<Dict> = &[
    plain("clear", |dict, _| {
        dict.clear();
        Ok(Value::None)
    }),
    plain("copy", |dict, _| Ok(Value::Dict(dict.copied()))),
    method(
        Signature::positional("fromkeys", &["iterable"], &["value"]),
        |_, arguments| {
            let keys = iterate(&arguments.value(0))?.into_iter();
            let entries = keys.map(|key| Ok((Key::new(key)?, arguments.value(1))));
            Ok(Value::Dict(entries.collect::<Result<_>>()?))
        },
    ),
    method(Signature::positional("get", &["key"], &["default"]), |dict, arguments| {
        Ok(dict.get(&Key::new(arguments.value(0))?)?.unwrap_or(arguments.value(1)))
    }),
    plain("items", |dict, _| evaluated(dict, ViewKind::Items)),
    plain("keys", |dict, _| Ok(View::value(dict, ViewKind::Keys))),
    method(Signature::positional("pop", &["key"], &["default"]), pop),
    plain("popitem", |dict, _| {
        let last = dict.write().pop();
        match last {
            Some((key, value)) => Ok(Value::tuple([key.into_value(), value.force()?])),
            None => Err(Exception::new(Class::Key, "'popitem(): dictionary is empty'")),
        }
    }),
    method(
        Signature::positional("setdefault", &["key"], &["default"]),
        |dict, arguments| {
            let key = Key::new(arguments.value(0))?;
            if let Some(value) = dict.get(&key)? {
                return Ok(value);
            }
            // Checked before the change: a dict that exceeds the limit must not stay.
            limit_members(dict.len() + 1)?;
            dict.set(key, arguments.value(1));
            Ok(arguments.value(1))
        },
    ),
    method(Signature::any("update"), update),
    plain("values", |dict, _| evaluated(dict, ViewKind::Values)),
];

/// Returns a view of the values, with all of them evaluated: what cannot be is raised here.
fn evaluated(dict: &Dict, kind: ViewKind) -> Result<Value> {
    let is_lazy = dict.read().values().any(|value| matches!(value, Value::Lazy(_)));
    if is_lazy {
        dict.entries()?;
    }
    Ok(View::value(dict, kind))
}

fn pop(dict: &Dict, arguments: &Bound) -> Result<Value> {
    let key = Key::new(arguments.value(0))?;
    // The lock is released before the value is forced, which may read the dict again.
    let removed = {
        let mut entries = dict.write();
        let behind = entries.get_index_of(&key).map_or(0, |at| entries.len() - at);
        limit::charge_moved(behind);
        entries.shift_remove(&key)
    };
    match (removed, arguments.get(1)) {
        (Some(value), _) => value.force(),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(Exception::new(Class::Key, repr(&arguments.value(0))?)),
    }
}

fn update(dict: &Dict, arguments: &Bound) -> Result<Value> {
    let more = given("update", &arguments.rest, &arguments.keywords)?;
    limit_members(dict.len() + more.len())?;
    dict.extend(more);
    Ok(Value::None)
}

/// `dict(...)`: makes a dict of another one or of pairs, and of keyword arguments.
pub fn dict(arguments: Arguments) -> Result<Dict> {
    Ok(given("dict", &arguments.positional, &arguments.keywords)?.into_iter().collect())
}

/// Returns the entries that the arguments of a function give.
fn given(
    function: &str,
    positional: &[Value],
    keywords: &[(Str, Value)],
) -> Result<Vec<(Key, Value)>> {
    let mut all = match positional {
        [] => Vec::new(),
        [other] => entries(other)?,
        more => {
            let count = more.len();
            let message = format!("{function} expected at most 1 argument, got {count}");
            return Err(Exception::of_type(message));
        }
    };
    all.extend(keywords.iter().map(|(name, value)| (Key::text(name), value.clone())));
    Ok(all)
}

/// Returns the entries of a dict, or of an iterable of pairs.
fn entries(value: &Value) -> Result<Vec<(Key, Value)>> {
    if let Value::Dict(dict) = value.force()? {
        return dict.entries();
    }
    let pairs = iterate(value)?.into_iter().enumerate();
    pairs.map(|(at, pair)| entry_of(at, &pair)).collect()
}

fn entry_of(at: usize, pair: &Value) -> Result<(Key, Value)> {
    let sequence = "dictionary update sequence element";
    let members = iterate(pair).map_err(|_| {
        Exception::of_type(format!("cannot convert {sequence} #{at} to a sequence"))
    })?;
    match <[Value; 2]>::try_from(members) {
        Ok([key, value]) => Ok((Key::new(key)?, value)),
        Err(_) => {
            let count = length(pair)?;
            let message = format!("{sequence} #{at} has length {count}; 2 is required");
            Err(Exception::of_value(message))
        }
    }
}
