//! Forces a whole value. A value with lazy members in, the same value with every member
//! evaluated out; members that evaluate to `omit` are left out.

use hashbrown::HashMap;

use super::Context;
use super::container_path::ContainerPath;
use super::finalize::finalize;
use crate::eval::python::{Class, Dict, Key, List, Result, Value, limit_members};

/// Evaluates every member of a value and makes it storable. If a member is to be left out, the result is a
/// copy: the value itself may be shared. Each member costs a step.
///
/// # Errors
/// The exception of a member; nesting beyond `max_depth`; more members than
/// `max_members`, where a member
/// that stands in several places counts once for each; no steps are left.
pub fn complete(value: &Value, context: &Context) -> Result<Value> {
    let whole = value.force()?;
    let mut todo = vec![CompleteStep::Enter(whole.clone())];
    let mut path = ContainerPath::default();
    let mut count = 0;
    let mut all = true;
    let mut is_plain = true;
    while let Some(step) = todo.pop() {
        let value = match step {
            CompleteStep::Enter(value) => value,
            CompleteStep::Leave(value) => {
                path.leave(&value);
                continue;
            }
        };
        is_plain &= !matches!(value, Value::Object(_) | Value::Range(_));
        let more = length(&value);
        count += more;
        limit_members(count)?;
        context.spend(more as u64)?;
        if more > 0 {
            path.enter(&value)?;
            todo.push(CompleteStep::Leave(value.clone()));
        }
        for member in members(&value) {
            match member {
                Ok(member) => todo.push(CompleteStep::Enter(member)),
                Err(exception) if exception.class == Class::Omitted => all = false,
                Err(exception) => return Err(exception),
            }
        }
    }
    let whole = if all { whole } else { copy(&whole, Value::clone) };
    if is_plain { Ok(whole) } else { finalize(&whole) }
}

/// A step of the walk over a value.
enum CompleteStep {
    Enter(Value),
    /// All members of a container were visited.
    Leave(Value),
}

fn length(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Dict(entries) => entries.read().len(),
        Value::Tuple(items) => items.len(),
        _ => 0,
    }
}

fn members(value: &Value) -> Vec<Result<Value>> {
    match value {
        Value::List(items) => {
            (0..items.len()).map(|at| Ok(items.get(at)?.unwrap_or(Value::None))).collect()
        }
        Value::Dict(entries) => {
            let keys: Vec<_> = entries.read().keys().cloned().collect();
            keys.iter().map(|key| Ok(entries.get(key)?.unwrap_or(Value::None))).collect()
        }
        Value::Tuple(items) => items.iter().map(Value::force).collect(),
        _ => Vec::new(),
    }
}

/// Copies a value without the members to leave out; `scalar` copies what is no list or
/// mapping. A shared container stays shared.
pub(super) fn copy(whole: &Value, scalar: impl Fn(&Value) -> Value) -> Value {
    let mut made = HashMap::new();
    let mut todo = Vec::new();
    let mut place = |value: &Value, todo: &mut Vec<(Value, Value)>| {
        let (address, new) = match value {
            Value::List(items) => (items.address(), Value::List(List::default())),
            Value::Dict(entries) => (entries.address(), Value::Dict(Dict::default())),
            other => return scalar(other),
        };
        // Aliases and cycles: a container that was copied is not copied again.
        let known = made.entry(address).or_insert_with(|| {
            todo.push((value.clone(), new.clone()));
            new
        });
        known.clone()
    };
    let copy = place(whole, &mut todo);
    while let Some((from, to)) = todo.pop() {
        match (&from, &to) {
            (Value::List(from), Value::List(to)) => {
                let items = from.read().clone();
                let items = items.iter().filter_map(|item| item.force().ok());
                to.extend(items.map(|item| place(&item, &mut todo)).collect());
            }
            (Value::Dict(from), Value::Dict(to)) => {
                for (key, value) in from.read().clone() {
                    let new = Key::new(scalar(key.value())).unwrap_or(key);
                    if let Ok(value) = value.force() {
                        to.set(new, place(&value, &mut todo));
                    }
                }
            }
            _ => {}
        }
    }
    copy
}
