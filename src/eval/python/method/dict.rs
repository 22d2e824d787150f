//! The methods of `dict`.

use super::super::view::{Part, View};
use super::super::{
    Arguments, Class, Dict, Exception, Key, Result, Value, iterate, length, repr, room,
};
use super::{Given, Table, Takes, entry};

pub(super) const DICT: Table<Dict> = &[
    entry("clear", Takes::Nothing, |dict, _| {
        let entries = std::mem::take(&mut *dict.write());
        drop(entries);
        Ok(Value::None)
    }),
    entry("copy", Takes::Nothing, |dict, _| {
        Ok(Value::Dict(dict.read().clone().into_iter().collect()))
    }),
    entry("fromkeys", Takes::Between(1, 2), |_, given| {
        let keys = iterate(&given.value(0))?.into_iter();
        let entry = |key| Ok((Key::new(key)?, given.value(1)));
        Ok(Value::Dict(keys.map(entry).collect::<Result<_>>()?))
    }),
    entry("get", Takes::Between(1, 2), |dict, given| {
        Ok(dict.get(&Key::new(given.value(0))?)?.unwrap_or(given.value(1)))
    }),
    entry("items", Takes::Nothing, |dict, _| view(dict, Part::Items)),
    entry("keys", Takes::Nothing, |dict, _| view(dict, Part::Keys)),
    entry("pop", Takes::Between(1, 2), pop),
    entry("popitem", Takes::Nothing, |dict, _| {
        let last = dict.write().pop();
        match last {
            Some((key, value)) => Ok(Value::tuple([key.into_value(), value.force()?])),
            None => Err(Exception::new(Class::Key, "'popitem(): dictionary is empty'")),
        }
    }),
    entry("setdefault", Takes::Between(1, 2), |dict, given| {
        let key = Key::new(given.value(0))?;
        if let Some(value) = dict.get(&key)? {
            return Ok(value);
        }
        room(dict.len() + 1)?;
        dict.set(key, given.value(1));
        Ok(given.value(1))
    }),
    entry("update", Takes::Any, update),
    entry("values", Takes::Nothing, |dict, _| view(dict, Part::Values)),
];

fn view(dict: &Dict, part: Part) -> Result<Value> {
    Ok(Value::object(View::new(dict, part)))
}

fn pop(dict: &Dict, given: &Given) -> Result<Value> {
    let removed = dict.write().shift_remove(&Key::new(given.value(0))?);
    match (removed, given.get(1)) {
        (Some(value), _) => value.force(),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(Exception::new(Class::Key, repr(&given.value(0))?)),
    }
}

fn update(dict: &Dict, given: &Given) -> Result<Value> {
    if given.values.len() > 1 {
        let count = given.values.len();
        let message = format!("update expected at most 1 argument, got {count}");
        return Err(Exception::of_type(message));
    }
    let mut more = match given.get(0) {
        Some(other) => entries(other)?,
        None => Vec::new(),
    };
    let named = given.keywords.iter();
    more.extend(named.map(|(name, value)| (Key::text(name), value.clone())));
    room(dict.len() + more.len())?;
    dict.write().extend(more);
    Ok(Value::None)
}

/// `dict(...)`: of another dict or of pairs, and of what is given by name.
///
/// # Errors
/// They are no pairs.
pub fn dict(mut arguments: Arguments) -> Result<Dict> {
    let count = arguments.positional.len();
    if count > 1 {
        let message = format!("dict expected at most 1 argument, got {count}");
        return Err(Exception::of_type(message));
    }
    let mut all = match arguments.positional.pop() {
        Some(other) => entries(&other)?,
        None => Vec::new(),
    };
    all.extend(arguments.keywords.into_iter().map(|(name, v)| (Key::text(&name), v)));
    Ok(all.into_iter().collect())
}

/// The entries of a dict, or of pairs.
fn entries(value: &Value) -> Result<Vec<(Key, Value)>> {
    if let Value::Dict(dict) = value.force()? {
        let entries = dict.read();
        return Ok(entries.iter().map(|(key, v)| (key.clone(), v.clone())).collect());
    }
    let pairs = iterate(value)?.into_iter().enumerate();
    pairs.map(|(at, pair)| entry_of(at, &pair)).collect()
}

fn entry_of(at: usize, pair: &Value) -> Result<(Key, Value)> {
    let sequence = "dictionary update sequence element";
    let members = iterate(pair).map_err(|_| {
        let message = format!("cannot convert {sequence} #{at} to a sequence");
        Exception::of_type(message)
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
