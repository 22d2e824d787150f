//! Data → yaql's values, whose lists never change; and back: yaql's values → data, with
//! every iterator worked out.

use std::sync::Arc;

use super::engine::Engine;
use super::iterable::{is_iterable, limit, stream};
use super::key::{is_set, key, set, thaw, unhashable};
use crate::eval::python::{Class, DEPTH, Exception, Key, Result, Value, room};

/// Data as yaql sees it.
///
/// # Errors
/// It nests too deeply; what working it out raises.
pub fn from_data(value: &Value) -> Result<Value> {
    Converter { engine: None, depth: 0, met: 0 }.value(value)
}

/// A result as data.
///
/// # Errors
/// It holds too much, or a set of what can change; what working it out raises.
pub fn to_data(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    engine.check_size(value)?;
    let data = Converter { engine: Some(engine), depth: 0, met: 0 }.value(value)?;
    engine.check_size(&data)?;
    Ok(data)
}

/// A walk through a value; on the way out there is an engine.
struct Converter<'e> {
    engine: Option<&'e Arc<Engine>>,
    depth: usize,
    /// How many values were met; what stands in many places is met in each.
    met: usize,
}

impl Converter<'_> {
    fn value(&mut self, value: &Value) -> Result<Value> {
        (self.depth, self.met) = (self.depth + 1, self.met + 1);
        room(self.met)?;
        if self.depth > DEPTH {
            let message = "maximum recursion depth exceeded: a value nests too deeply";
            return Err(Exception::new(Class::Recursion, message));
        }
        let value = value.force()?;
        let converted = match self.engine {
            None => self.import(&value)?,
            Some(engine) => self.export(engine, &value)?,
        };
        self.depth -= 1;
        Ok(converted)
    }

    fn all(&mut self, values: &[Value]) -> Result<Vec<Value>> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn import(&mut self, value: &Value) -> Result<Value> {
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

    fn export(&mut self, engine: &Arc<Engine>, value: &Value) -> Result<Value> {
        if let Value::Dict(entries) = value {
            engine.check_length(entries.len())?;
            let mut given = Vec::new();
            for (name, value) in entries.entries()? {
                given.push((self.export_key(name.value())?, self.value(&value)?));
            }
            return Ok(Value::Dict(given.into_iter().collect()));
        }
        if !is_iterable(value) {
            return Ok(value.clone());
        }
        // One after the other: what is taken from an iterator is gone for those behind.
        let (mut members, is_set) = (stream(&limit(engine, value)?)?, is_set(value));
        let (mut all, mut parts) = (Vec::new(), Vec::new());
        while let Some(member) = members.next()? {
            if is_set {
                parts.push(self.export_key(&member)?.into_value());
            } else {
                all.push(self.value(&member)?);
            }
            room(all.len() + parts.len())?;
        }
        if is_set { set(parts).map(Value::Set) } else { Ok(Value::list(all)) }
    }

    /// A key or a member of a set: data that cannot change.
    fn export_key(&mut self, part: &Value) -> Result<Key> {
        match thaw(part) {
            Value::Tuple(_) | Value::List(_) => Err(unhashable("list")),
            Value::Dict(_) => Err(unhashable("dict")),
            Value::Set(_) => Err(unhashable("set")),
            other => key(&self.value(&other)?),
        }
    }
}
