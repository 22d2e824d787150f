//! A value with lazy members → the same with every member worked out, without those that
//! ask to be left out.

use crate::python::{Class, DEPTH, Exception, Result, Value, width};

/// Works out everything in a value, however it nests.
///
/// # Errors
/// What evaluating a member raises; nesting beyond [`DEPTH`]; more members than
/// [`WIDTH`](crate::python::WIDTH), each counted once for every place it stands in.
pub fn complete(value: &Value) -> Result<Value> {
    let whole = value.force()?;
    let (mut todo, mut count) = (vec![(whole.clone(), 0)], 0);
    while let Some((value, depth)) = todo.pop() {
        if depth > DEPTH {
            let message = format!("a value nests deeper than {DEPTH}");
            return Err(Exception::new(Class::Recursion, message));
        }
        let members = members(&value)?;
        count += members.len();
        width(count)?;
        todo.extend(members.into_iter().map(|member| (member, depth + 1)));
    }
    Ok(whole)
}

/// The members of a container, which loses those that ask for it.
fn members(value: &Value) -> Result<Vec<Value>> {
    match value {
        Value::List(items) => {
            let length = items.len();
            let all = (0..length).map(|at| Ok(items.get(at)?.unwrap_or(Value::None)));
            let kept: Vec<Value> = all.filter_map(kept).collect::<Result<_>>()?;
            if kept.len() < length {
                items.write().clone_from(&kept);
            }
            Ok(kept)
        }
        Value::Dict(entries) => {
            let keys: Vec<_> = entries.read().keys().cloned().collect();
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                match kept(entries.get(&key)) {
                    Some(value) => found.extend(value?),
                    None => drop(entries.write().shift_remove(&key)),
                }
            }
            Ok(found)
        }
        Value::Tuple(items) => items.iter().map(Value::force).collect(),
        _ => Ok(Vec::new()),
    }
}

/// What became of a member, unless it is to be left out.
fn kept<T>(member: Result<T>) -> Option<Result<T>> {
    match member {
        Err(exception) if exception.class == Class::Omitted => None,
        member => Some(member),
    }
}
