//! Data → yaql's values, whose lists never change; and back: yaql's values → data, with
//! every iterator worked out.

use std::sync::Arc;

use super::engine::Engine;
use super::flow::{flow, is_iterable, limit};
use super::key::{key, set, thaw, unhashable};
use super::overload::is_set;
use crate::eval::python::{Class, DEPTH, Exception, Key, Result, Value, room};

/// Data as yaql sees it.
///
/// # Errors
/// It nests too deeply; what working it out raises.
pub(super) fn take(value: &Value) -> Result<Value> {
    Walk { engine: None, depth: 0, met: 0 }.value(value)
}

/// A result as data.
///
/// # Errors
/// It holds too much, or a set of what can change; what working it out raises.
pub(super) fn give(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    engine.weigh(value)?;
    let data = Walk { engine: Some(engine), depth: 0, met: 0 }.value(value)?;
    engine.weigh(&data)?;
    Ok(data)
}

/// A walk through a value; on the way out there is an engine.
struct Walk<'e> {
    engine: Option<&'e Arc<Engine>>,
    depth: usize,
    /// How many values were met; what stands in many places is met in each.
    met: usize,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value) -> Result<Value> {
        (self.depth, self.met) = (self.depth + 1, self.met + 1);
        room(self.met)?;
        if self.depth > DEPTH {
            let message = "maximum recursion depth exceeded: a value nests too deeply";
            return Err(Exception::new(Class::Recursion, message));
        }
        let value = value.force()?;
        let converted = match self.engine {
            None => self.taken(&value)?,
            Some(engine) => self.given(engine, &value)?,
        };
        self.depth -= 1;
        Ok(converted)
    }

    fn all(&mut self, values: &[Value]) -> Result<Vec<Value>> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn taken(&mut self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::List(items) => Value::tuple(self.all(&items.items()?)?),
            Value::Tuple(members) => Value::tuple(self.all(members)?),
            Value::Bytes(bytes) => {
                Value::tuple(bytes.iter().map(|byte| Value::Int(i64::from(*byte))))
            }
            Value::Dict(entries) => {
                let entries = entries.entries()?;
                let entry = |(k, v): &(Key, Value)| Ok((k.clone(), self.value(v)?));
                Value::Dict(entries.iter().map(entry).collect::<Result<_>>()?)
            }
            other => other.clone(),
        })
    }

    fn given(&mut self, engine: &Arc<Engine>, value: &Value) -> Result<Value> {
        if let Value::Dict(entries) = value {
            engine.admit(entries.len())?;
            let mut given = Vec::new();
            for (name, value) in entries.entries()? {
                given.push((self.part(name.value())?, self.value(&value)?));
            }
            return Ok(Value::Dict(given.into_iter().collect()));
        }
        if !is_iterable(value) {
            return Ok(value.clone());
        }
        // One after the other: what is taken from an iterator is gone for those behind.
        let (mut members, is_set) = (flow(&limit(engine, value)?)?, is_set(value));
        let (mut all, mut parts) = (Vec::new(), Vec::new());
        while let Some(member) = members.next()? {
            if is_set {
                parts.push(self.part(&member)?.into_value());
            } else {
                all.push(self.value(&member)?);
            }
            room(all.len() + parts.len())?;
        }
        if is_set { set(parts).map(Value::Set) } else { Ok(Value::list(all)) }
    }

    /// A key or a member of a set: data that cannot change.
    fn part(&mut self, part: &Value) -> Result<Key> {
        match thaw(part) {
            Value::Tuple(_) | Value::List(_) => Err(unhashable("list")),
            Value::Dict(_) => Err(unhashable("dict")),
            Value::Set(_) => Err(unhashable("set")),
            other => key(&self.value(&other)?),
        }
    }
}
