//! Keys of dicts and members of sets, and the texts of these.
//!
//! Dicts and sets of yaql are immutable, so they can be keys, unlike those of Python.

use std::cell::Cell;

use crate::eval::python::{
    Exception, Key, Object, Result, Set, Value, View, equal, limit_depth, limit_members,
    max_members, repr, str,
};

/// A key that holds a dict or a set.
#[derive(Debug)]
struct Frozen(Value);

/// Converts a value to a key. Raises a `TypeError` if it holds a mutable list or a view.
pub fn key(value: &Value) -> Result<Key> {
    if holds_collections(value)? {
        Key::new(Value::object(Frozen(value.clone())))
    } else {
        Key::new(value.clone())
    }
}

/// Returns the value of a key.
pub fn thaw(key: &Value) -> Value {
    match key.downcast::<Frozen>() {
        Some(frozen) => frozen.0.clone(),
        None => key.clone(),
    }
}

pub fn set(values: impl IntoIterator<Item = Value>) -> Result<Set> {
    values.into_iter().map(|value| key(&value)).collect()
}

pub fn members(set: &Set) -> Vec<Value> {
    set.0.iter().map(|key| thaw(key.value())).collect()
}

/// Returns true if a value holds a dict or a set. Fails with a `TypeError` if it holds a
/// value that cannot be part of a key.
fn holds_collections(value: &Value) -> Result<bool> {
    // Iterative: the value may nest deeper than the stack allows.
    let mut found = false;
    let mut seen = 0;
    let mut todo = vec![(value.clone(), 0)];
    while let Some((value, depth)) = todo.pop() {
        let before = todo.len();
        match &value {
            Value::Tuple(members) => {
                todo.extend(members.iter().map(|member| (member.clone(), depth + 1)));
            }
            Value::Dict(entries) => {
                found = true;
                for (key, value) in entries.read().iter() {
                    let entry = [thaw(key.value()), value.clone()];
                    todo.extend(entry.map(|part| (part, depth + 1)));
                }
            }
            Value::Set(_) => found = true,
            Value::List(_) => return Err(unhashable("list")),
            other if is_set(other) => return Err(unhashable(view_name(other))),
            _ => {}
        }
        seen += todo.len() - before;
        // A value with too many members is refused in the same words.
        limit_depth(
            if seen > max_members() { usize::MAX } else { depth },
            "while hashing",
        )?;
    }
    Ok(found)
}

/// Returns Python's error for a value that cannot be a key.
pub fn unhashable(name: &str) -> Box<Exception> {
    Exception::of_type(format!("unhashable type: '{name}'"))
}

impl Object for Frozen {
    fn type_name(&self) -> &str {
        self.0.type_name()
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let other = other.downcast::<Frozen>();
        Some(other.is_some_and(|other| equal(&self.0, &other.0).unwrap_or(false)))
    }

    fn display(&self) -> Result<String> {
        repr(&self.0)
    }
}

/// Returns true for a set, and for the keys and the items of a dict.
pub fn is_set(value: &Value) -> bool {
    matches!(value, Value::Set(_))
        || value.downcast::<View>().is_some() && value.type_name() != "dict_values"
}

pub fn view_name(view: &Value) -> &'static str {
    match view.type_name() {
        "dict_keys" => "KeysView",
        "dict_values" => "ValuesView",
        _ => "ItemsView",
    }
}

/// Returns `str(value)`.
pub fn show(value: &Value) -> Result<String> {
    str(&displayed(value, 0, &Cell::new(0))?)
}

#[derive(Debug)]
struct FixedText {
    type_name: &'static str,
    text: String,
}

/// Returns a value with a fixed text.
pub fn fixed_text(type_name: &'static str, text: String) -> Value {
    Value::object(FixedText { type_name, text })
}

impl Object for FixedText {
    fn type_name(&self) -> &str {
        self.type_name
    }

    fn display(&self) -> Result<String> {
        Ok(self.text.clone())
    }
}

/// Replaces sets and views by values that show as those of yaql.
fn displayed(value: &Value, depth: usize, count: &Cell<usize>) -> Result<Value> {
    count.set(count.get() + 1);
    // Python shows a shared value each time it occurs.
    limit_members(count.get())?;
    limit_depth(depth, "while getting the repr of an object")?;
    let depth = depth + 1;
    let text = match value {
        Value::Tuple(items) => return show_all(items, depth, count).map(Value::tuple),
        Value::List(items) => {
            return show_all(&items.items()?, depth, count).map(Value::list);
        }
        Value::Dict(entries) => {
            let entries = entries.entries()?.into_iter();
            let shown = entries.map(|(key, v)| Ok((key, displayed(&v, depth, count)?)));
            return Ok(Value::Dict(shown.collect::<Result<_>>()?));
        }
        Value::Set(set) if set.0.is_empty() => "frozenset()".to_owned(),
        Value::Set(set) => {
            let members = show_all(&members(set), depth, count)?;
            let members: Vec<String> = members.iter().map(repr).collect::<Result<_>>()?;
            format!("frozenset({{{}}})", members.join(", "))
        }
        other => {
            let Some(view) = other.downcast::<View>() else { return Ok(other.clone()) };
            let dict = displayed(&Value::Dict(view.dict().clone()), depth, count)?;
            format!("{}({})", view_name(other), repr(&dict)?)
        }
    };
    Ok(fixed_text("object", text))
}

fn show_all(values: &[Value], depth: usize, count: &Cell<usize>) -> Result<Vec<Value>> {
    values.iter().map(|value| displayed(value, depth, count)).collect()
}
