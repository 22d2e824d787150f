//! Functions of lists and mappings: `list_join`, `list_concat`, `filter`, `contains`,
//! `map_merge`, `map_replace` and relatives.

use std::ops::RangeBounds;

use hashbrown::HashSet;

use crate::eval::python::json::{JsonStyle, KeyOrder, dump};
use crate::eval::python::{
    self, Class, Dict, Exception, Key, Result, Value, limit_bytes, limit_members,
};
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::Join", join).until(Version::Icehouse).check(|c| check_join(c, 2..=2, "")),
    function("contains", contains).since(Version::Pike).in_conditions(Version::Pike).check(check_contains),
    function("filter", filter).since(Version::Ocata).check(check_filter),
    function("list_concat", concat).since(Version::Pike),
    function("list_concat_unique", concat_unique).since(Version::Pike),
    function("list_join", join).until(Version::Kilo).check(|c| check_join(c, 2..=2, "")),
    function("list_join", join_many).since(Version::Liberty).check(|c| check_join(c, 2.., " ...")),
    function("map_merge", merge).since(Version::Mitaka),
    function("map_replace", replace).since(Version::Newton),
];

fn concat(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    all(call, stack).map(Value::list)
}

/// Implements `list_concat_unique`: keeps the first of equal items.
fn concat_unique(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let mut unique = ValueSet::default();
    for item in all(call, stack)? {
        unique.add(stack, item)?;
    }
    Ok(Value::list(unique.all))
}

fn all(call: &IntrinsicCall, stack: &Stack) -> Result<Vec<Value>> {
    let lists = stack.resolve(&call.arguments)?;
    let Value::List(items) = &lists else {
        let example = "\"{}\" : [ [ <value 1>, <value 2> ], [ <value 3>, <value 4> ] ]";
        return Err(call.incorrect(Class::Type, example));
    };
    let mut all = Vec::new();
    for list in items.items()? {
        match list {
            Value::None => {}
            Value::List(items) => {
                limit_members(all.len() + items.len())?;
                all.extend(items.items()?);
            }
            other => {
                // The message shows the argument as JSON.
                let style = JsonStyle { default: as_list, ..JsonStyle::default() };
                return Err(Exception::of_type(format!(
                    "Incorrect arguments: Items to concat must be lists. \
                     {} contains an item that is not a list: {}",
                    dump(&lists, &style)?,
                    dump(&other, &style)?
                )));
            }
        }
    }
    Ok(all)
}

/// Converts a set to a list, as JSON has no sets.
fn as_list(value: &Value) -> Result<Option<Value>> {
    match value {
        Value::Set(_) => python::iterate(value).map(Value::list).map(Some),
        _ => Ok(None),
    }
}

/// A set of values by Python's equality.
#[derive(Default)]
struct ValueSet {
    all: Vec<Value>,
    // Values that can be keys.
    keys: HashSet<Key>,
    // Lists and mappings, which cannot be keys.
    others: Vec<Value>,
}

impl ValueSet {
    fn has(&self, stack: &Stack, item: &Value) -> Result<bool> {
        // Hashable items are looked up in constant time; only the others are compared one
        // by one.
        if let Ok(key) = Key::new(item.clone()) {
            return Ok(self.keys.contains(&key));
        }
        stack.context.spend(self.others.len() as u64)?;
        for other in &self.others {
            if python::equal(other, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add(&mut self, stack: &Stack, item: Value) -> Result<()> {
        if self.has(stack, &item)? {
            return Ok(());
        }
        match Key::new(item.clone()) {
            Ok(key) => drop(self.keys.insert(key)),
            Err(_) => self.others.push(item.clone()),
        }
        self.all.push(item);
        Ok(())
    }
}

fn check_filter(call: &IntrinsicCall) -> Result<()> {
    let count = if let Value::List(parts) = &call.arguments { parts.len() } else { 0 };
    let wrong_count = format!(
        "\"{{}}\" expected 2 arguments of the form [values, sequence] but got {count} \
         arguments instead"
    );
    call.check_list(2..=2, &wrong_count, "Argument to \"{}\" must be a list", Class::Type)
}

fn filter(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [values, sequence] = python::unpack(&call.arguments)?;
    let sequence = stack.resolve(&sequence)?;
    if !python::truth(&sequence)? {
        return Ok(sequence);
    }
    let items = call.items(&sequence, "\"{}\" only works with lists")?;
    let values = stack.resolve(&values)?;
    if !python::truth(&values)? {
        return Ok(sequence);
    }
    let mut unwanted = ValueSet::default();
    for value in call.items(&values, "\"{}\" filters a list of values")? {
        unwanted.add(stack, value)?;
    }
    let mut left = Vec::new();
    for item in items {
        if !unwanted.has(stack, &item)? {
            left.push(item);
        }
    }
    Ok(Value::list(left))
}

fn check_contains(call: &IntrinsicCall) -> Result<()> {
    match &call.arguments {
        Value::List(parts) if parts.len() == 2 => Ok(()),
        Value::List(parts) if !parts.is_empty() => Err(call.value_error(
            "Arguments to \"{}\" must be of the form: [value1, [value1, value2]]",
        )),
        _ => Err(call
            .incorrect(Class::Type, "\"{}\" : [ \"value1\", [ \"value1\", \"value2\"]]")),
    }
}

fn contains(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [value, sequence] = python::unpack(&call.arguments)?;
    let value = stack.resolve(&value)?;
    let sequence = stack.resolve(&sequence)?;
    match sequence {
        Value::List(_) | Value::Str(_) => {
            python::contains(&sequence, &value).map(Value::Bool)
        }
        _ => Err(call.type_error("Second argument to \"{}\" should be a sequence.")),
    }
}

fn check_join(
    call: &IntrinsicCall,
    counts: impl RangeBounds<usize>,
    more: &str,
) -> Result<()> {
    let usage = format!(
        "Incorrect arguments to \"{{}}\" should be: \"{{}}\" : [ \" \", \
         [ \"str1\", \"str2\"]{more}]"
    );
    call.check_list(counts, &usage, &usage, Class::Type)
}

/// Joins strings; null counts as an empty list or string.
fn join(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let (delimiter, lists) = delimiter_and_lists(call);
    let list = match lists.first() {
        Some(list) => stack.resolve(list)?,
        None => Value::None,
    };
    let items = match &list {
        Value::None => Vec::new(),
        list => call.items(list, NO_LIST)?,
    };
    let delimiter = stack.resolve(&delimiter)?;
    let delimiter = call.text(&delimiter, NO_DELIMITER)?;
    let texts = items.iter().map(|item| match item {
        Value::None => Ok(String::new()),
        Value::Str(text) => Ok(text.to_string()),
        other => Err(Exception::of_type(format!(
            "Items to join must be strings not {}",
            excerpt(other)?
        ))),
    });
    joined(delimiter, texts)
}

/// Joins lists without the falsy ones. Mappings and lists in them are written as JSON.
fn join_many(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let (delimiter, lists) = delimiter_and_lists(call);
    let Value::List(lists) = stack.resolve(&Value::list(lists))? else {
        return Ok(Value::text(""));
    };
    let mut all = Vec::new();
    for list in &lists.items()? {
        if python::truth(list)? {
            all.extend(call.items(list, NO_LIST)?);
        }
    }
    let delimiter = stack.resolve(&delimiter)?;
    joined(call.text(&delimiter, NO_DELIMITER)?, all.iter().map(joinable))
}

fn joinable(item: &Value) -> Result<String> {
    match item {
        Value::None => Ok(String::new()),
        Value::Str(text) => Ok(text.to_string()),
        Value::List(_) | Value::Dict(_) => match json(item) {
            Err(wrong) if wrong.class == Class::Type => Err(Exception::of_type(format!(
                "Items to join must be string, map or list. {} failed json serialization",
                excerpt(item)?
            ))),
            written => written,
        },
        other => Err(Exception::of_type(format!(
            "Items to join must be string, map or list not {}",
            excerpt(other)?
        ))),
    }
}

/// Returns the unresolved delimiter and lists. An `if` without a branch is left out of a
/// resolved list, which would make another item the delimiter.
fn delimiter_and_lists(call: &IntrinsicCall) -> (Value, Vec<Value>) {
    let all = match &call.arguments {
        Value::List(items) => items.read().clone(),
        _ => Vec::new(),
    };
    let mut all = all.into_iter();
    (all.next().unwrap_or(Value::None), all.collect())
}

const NO_LIST: &str = "\"{}\" must operate on a list";
const NO_DELIMITER: &str = "\"{}\" delimiter must be a string";

fn joined(delimiter: &str, texts: impl Iterator<Item = Result<String>>) -> Result<Value> {
    let mut out = String::new();
    for (at, text) in texts.enumerate() {
        if at > 0 {
            out.push_str(delimiter);
        }
        out.push_str(&text?);
        limit_bytes(out.len())?;
    }
    Ok(Value::text(out))
}

/// Implements `map_merge`: later entries win.
fn merge(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let maps = match stack.resolve(&call.arguments)? {
        maps @ (Value::List(_) | Value::Str(_)) => python::iterate(&maps)?,
        _ => {
            let example = "\"{}\" : [ { \"key1\": \"val1\" }, { \"key2\": \"val2\" } ]";
            return Err(call.incorrect(Class::Type, example));
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
                return Err(Exception::of_type(format!(
                    "Incorrect arguments: Items to merge must be maps. \
                     {} is type <class '{}'> instead of a dict",
                    excerpt(other)?,
                    other.type_name()
                )));
            }
        }
    }
    Ok(Value::Dict(merged))
}

/// Implements `map_replace`: replaces keys and values of a mapping.
fn replace(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let mut arguments = items_of_list(stack.resolve(&call.arguments)?)?.into_iter();
    let input = map(call, arguments.next())?;
    let replacements = map(call, arguments.next())?;
    if arguments.next().is_some() {
        return Err(call.incorrect(Class::Type, REPLACE_EXAMPLE));
    }
    if replacements.keys().iter().any(|k| !matches!(k.as_str(), Some("keys" | "values")))
    {
        return Err(call.incorrect(Class::Value, REPLACE_EXAMPLE));
    }
    let keys = map(call, replacements.get_text("keys")?.or(Some(Value::None)))?;
    let values = map(call, replacements.get_text("values")?.or(Some(Value::None)))?;
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

fn map(call: &IntrinsicCall, value: Option<Value>) -> Result<Dict> {
    match value {
        None => Err(call.incorrect(Class::Type, REPLACE_EXAMPLE)),
        Some(Value::None) => Ok(Dict::default()),
        Some(Value::Dict(map)) => Ok(map),
        _ => Err(call.type_error(&format!(
            "Incorrect arguments: to \"{{}}\", arguments must be a list of maps. \
             Example:  {REPLACE_EXAMPLE}"
        ))),
    }
}

const REPLACE_EXAMPLE: &str = "\"{}\" : [ { \"key1\": \"val1\" }, \
    {\"keys\": {\"key1\": \"key2\"}, \"values\": {\"val1\": \"val2\"}}]";

/// Returns the replacement of a key. Raises a `ValueError` if it collides with another.
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

/// Returns the items of a list; none for other values. Raises a `KeyError` for a
/// mapping: Heat takes its item 0.
pub(super) fn items_of_list(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => items.items(),
        Value::Dict(_) => Err(Exception::new(Class::Key, "0")),
        _ => Ok(Vec::new()),
    }
}

/// Returns the first 200 characters of the `repr` of a value, as many as Heat shows.
fn excerpt(value: &Value) -> Result<String> {
    Ok(python::repr(value)?.chars().take(200).collect())
}

/// Returns a value as JSON with sorted keys.
pub(super) fn json(value: &Value) -> Result<String> {
    dump(value, &JsonStyle { sort: KeyOrder::Keys, ..JsonStyle::default() })
}
