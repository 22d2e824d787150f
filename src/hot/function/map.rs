//! `map_merge` and `map_replace`: maps come in, one goes out.

use super::Call;
use super::argument::{cut, incorrect, of_type, taken};
use crate::eval::python::{self, Class, Dict, Exception, Key, Result, Value};
use crate::hot::Stack;

/// `map_merge`: later maps win.
pub(super) fn merge(call: &Call, stack: &Stack) -> Result<Value> {
    let maps = match stack.resolve(&call.arguments)? {
        maps @ (Value::List(_) | Value::Str(_)) => python::iterate(&maps)?,
        _ => {
            let example = format!(
                "\"{}\" : [ {{ \"key1\": \"val1\" }}, {{ \"key2\": \"val2\" }} ]",
                call.name()
            );
            return Err(incorrect(Class::Type, call, &example));
        }
    };
    let merged = Dict::default();
    for map in maps {
        match &map {
            Value::None => {}
            Value::Dict(map) => {
                stack.context.spend(map.len() as u64)?;
                merged.write().extend(map.entries()?);
            }
            other => {
                return Err(of_type(format!(
                    "Incorrect arguments: Items to merge must be maps. \
                     {} is type <class '{}'> instead of a dict",
                    cut(other)?,
                    other.type_name()
                )));
            }
        }
    }
    Ok(Value::Dict(merged))
}

/// `map_replace`: a map, and which of its keys and values become others.
pub(super) fn replace(call: &Call, stack: &Stack) -> Result<Value> {
    let mut arguments = taken(stack.resolve(&call.arguments)?)?.into_iter();
    let mut next =
        || map(call, arguments.next().ok_or_else(|| wrong(call, Class::Type))?);
    let (input, replacements) = (next()?, next()?);
    if arguments.next().is_some() {
        return Err(wrong(call, Class::Type));
    }
    if replacements.keys().iter().any(|k| !matches!(k.as_str(), Some("keys" | "values")))
    {
        return Err(wrong(call, Class::Value));
    }
    let part =
        |name: &str| map(call, replacements.get_text(name)?.unwrap_or(Value::None));
    let (keys, values) = (part("keys")?, part("values")?);
    let output = Dict::default();
    for (key, value) in input.entries()? {
        stack.context.spend(1)?;
        let new = renamed(&key, &keys, &input, &output)?;
        let other = match Key::new(value.clone()) {
            Ok(known) => values.get(&known)?,
            Err(_) => None,
        };
        output.set(new, other.unwrap_or(value));
    }
    Ok(Value::Dict(output))
}

fn map(call: &Call, value: Value) -> Result<Dict> {
    match value {
        Value::None => Ok(Dict::default()),
        Value::Dict(map) => Ok(map),
        _ => Err(of_type(format!(
            "Incorrect arguments: to \"{}\", arguments must be a list of maps. \
             Example:  {}",
            call.name(),
            example(call)
        ))),
    }
}

fn wrong(call: &Call, class: Class) -> Box<Exception> {
    incorrect(class, call, &example(call))
}

fn example(call: &Call) -> String {
    format!(
        "\"{}\" : [ {{ \"key1\": \"val1\" }}, \
         {{\"keys\": {{\"key1\": \"key2\"}}, \"values\": {{\"val1\": \"val2\"}}}}]",
        call.name()
    )
}

/// The key that comes in the place of another. It must not be one of those that came in.
fn renamed(key: &Key, keys: &Dict, input: &Dict, output: &Dict) -> Result<Key> {
    let new = match keys.get(key)? {
        None | Some(Value::None) => return Ok(key.clone()),
        Some(new) => Key::new(new)?,
    };
    let collides = |map: &str| {
        Err(Exception::of_value(format!(
            "key replacement {} collides with a key in the {map} map",
            python::str(new.value())?
        )))
    };
    if new != *key && input.get(&new)?.is_some() {
        return collides("input");
    }
    if output.get(&new)?.is_some() { collides("output") } else { Ok(new) }
}
