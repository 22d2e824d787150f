//! A value with lazy members → the same with every member worked out.

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
        let members = match &value {
            Value::List(items) => items.items()?,
            Value::Dict(entries) => {
                entries.entries()?.into_iter().map(|(_, value)| value).collect()
            }
            Value::Tuple(items) => items.to_vec(),
            _ => continue,
        };
        count += members.len();
        width(count)?;
        todo.extend(members.into_iter().map(|member| (member, depth + 1)));
    }
    Ok(whole)
}
