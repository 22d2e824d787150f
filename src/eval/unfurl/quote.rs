//! Data that is never evaluated: a value comes in, the same with every text and key marked
//! so goes out.

use crate::eval::python::{Dict, Key, List, Result, Stamp, Str, Value};
use crate::eval::{Context, complete};

/// Marks a value, however it nests.
pub(super) fn quote(value: &Value, context: &Context) -> Result<Value> {
    let whole = complete(value, context)?;
    let mut todo = Vec::new();
    let quoted = member(&whole, &mut todo);
    while let Some(pair) = todo.pop() {
        match pair {
            Pair::Dict(from, to) => {
                for (key, value) in from.entries()? {
                    let key = Key::new(member(key.value(), &mut todo))?;
                    to.set(key, member(&value, &mut todo));
                }
            }
            Pair::List(from, to) => {
                let items = from.items()?;
                let items = items.iter().map(|item| member(item, &mut todo)).collect();
                *to.write() = items;
            }
        }
    }
    Ok(quoted)
}

/// A container and the one its members are to stand in.
enum Pair {
    Dict(Dict, Dict),
    List(List, List),
}

fn member(value: &Value, todo: &mut Vec<Pair>) -> Value {
    match value {
        Value::Str(text) => Value::Str(Str::stamped(
            text.shared(),
            Stamp { quoted: true, ..text.stamp() },
        )),
        Value::Dict(from) => {
            let to = Dict::default();
            todo.push(Pair::Dict(from.clone(), to.clone()));
            Value::Dict(to)
        }
        Value::List(from) => {
            let to = List::default();
            todo.push(Pair::List(from.clone(), to.clone()));
            Value::List(to)
        }
        other => other.clone(),
    }
}
