//! Keys of dicts and members of sets.
//!
//! Dicts and sets of yaql are immutable, so they can be keys, unlike those of Python.

use crate::eval::python::{
    Class, Exception, Key, MAX_DEPTH, MAX_MEMBERS, Object, Result, Set, Value, View,
    equal, repr,
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
    let (mut found, mut seen, mut todo) = (false, 0, vec![(value.clone(), 0)]);
    while let Some((value, depth)) = todo.pop() {
        let before = todo.len();
        let mut hold = |value: &Value| todo.push((value.clone(), depth + 1));
        match &value {
            Value::Tuple(members) => members.iter().for_each(&mut hold),
            Value::Dict(entries) => {
                found = true;
                for (key, value) in entries.read().iter() {
                    hold(&thaw(key.value()));
                    hold(value);
                }
            }
            Value::Set(_) => found = true,
            Value::List(_) => return Err(unhashable("list")),
            other if is_set(other) => return Err(unhashable(view_name(other))),
            _ => {}
        }
        seen += todo.len() - before;
        if depth > MAX_DEPTH || seen > MAX_MEMBERS {
            let message = "maximum recursion depth exceeded while hashing";
            return Err(Exception::new(Class::Recursion, message));
        }
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

    fn is_compared_by_value(&self) -> bool {
        true
    }

    fn equals(&self, other: &Value) -> bool {
        let other = other.downcast::<Frozen>();
        other.is_some_and(|other| equal(&self.0, &other.0).unwrap_or(false))
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
