//! `list_concat`, `list_concat_unique`, `filter` and `contains`: lists come in, one goes out,
//! or whether something is in it.

use super::Call;
use super::argument::{incorrect, of_type, unpack};
use crate::eval::python::json::{JsonStyle, dump};
use crate::eval::python::{self, Class, Exception, Key, Result, Value, room};
use crate::hot::Stack;

/// `list_concat`
pub(super) fn concat(call: &Call, stack: &Stack) -> Result<Value> {
    all(call, stack).map(Value::list)
}

/// `list_concat_unique`: of equal items, the first.
pub(super) fn concat_unique(call: &Call, stack: &Stack) -> Result<Value> {
    let mut unique = Seen::default();
    for item in all(call, stack)? {
        unique.add(stack, item)?;
    }
    Ok(Value::list(unique.all))
}

fn all(call: &Call, stack: &Stack) -> Result<Vec<Value>> {
    let lists = stack.resolve(&call.arguments)?;
    let Value::List(items) = &lists else {
        let example = format!(
            "\"{}\" : [ [ <value 1>, <value 2> ], [ <value 3>, <value 4> ] ]",
            call.name()
        );
        return Err(incorrect(Class::Type, call, &example));
    };
    let mut all = Vec::new();
    for list in items.items()? {
        match list {
            Value::None => {}
            Value::List(items) => {
                room(all.len() + items.len())?;
                all.extend(items.items()?);
            }
            other => {
                let json = |value: &Value| {
                    dump(value, &JsonStyle { default: as_list, ..JsonStyle::default() })
                };
                return Err(of_type(format!(
                    "Incorrect arguments: Items to concat must be lists. \
                     {} contains an item that is not a list: {}",
                    json(&lists)?,
                    json(&other)?
                )));
            }
        }
    }
    Ok(all)
}

/// A set, which JSON has not.
fn as_list(value: &Value) -> Result<Option<Value>> {
    match value {
        Value::Set(_) => python::iterate(value).map(Value::list).map(Some),
        _ => Ok(None),
    }
}

/// Items among which others are looked for. What can be a key is found as one.
#[derive(Default)]
struct Seen {
    all: Vec<Value>,
    keys: std::collections::HashSet<Key>,
    others: Vec<Value>,
}

impl Seen {
    fn has(&self, stack: &Stack, item: &Value) -> Result<bool> {
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

/// `filter`: values and a list, which goes out without them.
pub(super) fn check_filter(call: &Call) -> Result<()> {
    let name = call.name();
    match &call.arguments {
        Value::List(parts) if parts.len() == 2 => Ok(()),
        Value::List(parts) => Err(Exception::of_value(format!(
            "\"{name}\" expected 2 arguments of the form [values, sequence] \
             but got {} arguments instead",
            parts.len()
        ))),
        _ => Err(of_type(format!("Argument to \"{name}\" must be a list"))),
    }
}

pub(super) fn filter(call: &Call, stack: &Stack) -> Result<Value> {
    let [values, sequence] = unpack(&call.arguments)?;
    let sequence = stack.resolve(&sequence)?;
    if !python::truth(&sequence)? {
        return Ok(sequence);
    }
    let Value::List(items) = &sequence else {
        return Err(of_type(format!("\"{}\" only works with lists", call.name())));
    };
    let values = stack.resolve(&values)?;
    if !python::truth(&values)? {
        return Ok(sequence);
    }
    let Value::List(values) = values else {
        return Err(of_type(format!("\"{}\" filters a list of values", call.name())));
    };
    let mut unwanted = Seen::default();
    for value in values.items()? {
        unwanted.add(stack, value)?;
    }
    let mut left = Vec::new();
    for item in items.items()? {
        if !unwanted.has(stack, &item)? {
            left.push(item);
        }
    }
    Ok(Value::list(left))
}

/// `contains`: a value, and a list or a text that it may be in.
pub(super) fn check_contains(call: &Call) -> Result<()> {
    let example =
        format!("\"{}\" : [ \"value1\", [ \"value1\", \"value2\"]]", call.name());
    match &call.arguments {
        Value::List(parts) if parts.len() == 2 => Ok(()),
        Value::List(parts) if !parts.is_empty() => Err(Exception::of_value(format!(
            "Arguments to \"{}\" must be of the form: [value1, [value1, value2]]",
            call.name()
        ))),
        _ => Err(incorrect(Class::Type, call, &example)),
    }
}

pub(super) fn contains(call: &Call, stack: &Stack) -> Result<Value> {
    let [value, sequence] = unpack(&call.arguments)?;
    let (value, sequence) = (stack.resolve(&value)?, stack.resolve(&sequence)?);
    match sequence {
        Value::List(_) | Value::Str(_) => {
            python::contains(&sequence, &value).map(Value::Bool)
        }
        _ => Err(of_type(format!(
            "Second argument to \"{}\" should be a sequence.",
            call.name()
        ))),
    }
}
