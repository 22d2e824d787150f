//! Data ⇄ values of yaql.
//!
//! Lists of yaql are immutable, so they are tuples here. Results hold no iterators.

use std::sync::Arc;

use super::engine::Engine;
use super::iterable::{is_iterable, limit, stream};
use super::key::{is_set, key, set, thaw, unhashable};
use crate::eval::python::{
    Class, Exception, Key, MAX_DEPTH, Result, Value, limit_members,
};

/// Converts data to values of yaql. Raises a `RecursionError` if it nests too deeply.
pub fn from_data(value: &Value) -> Result<Value> {
    Converter { engine: None, depth: 0, count: 0 }.value(value)
}

/// Converts a result to data. Raises a `TypeError` for a set with mutable members.
pub fn to_data(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    engine.check_size(value)?;
    let data = Converter { engine: Some(engine), depth: 0, count: 0 }.value(value)?;
    engine.check_size(&data)?;
    Ok(data)
}

/// A recursive conversion: to data with an engine, from data without.
struct Converter<'e> {
    engine: Option<&'e Arc<Engine>>,
    depth: usize,
    /// Number of converted values. A shared value counts each time.
    count: usize,
}

impl Converter<'_> {
    fn value(&mut self, value: &Value) -> Result<Value> {
        (self.depth, self.count) = (self.depth + 1, self.count + 1);
        // A small value may be huge when it is copied: shared lists of shared lists.
        limit_members(self.count)?;
        if self.depth > MAX_DEPTH {
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
            // yaql takes every sequence but a string as a list.
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
            let mut exported = Vec::new();
            for (name, value) in entries.entries()? {
                exported.push((self.export_key(name.value())?, self.value(&value)?));
            }
            return Ok(Value::Dict(exported.into_iter().collect()));
        }
        if !is_iterable(value) {
            return Ok(value.clone());
        }
        // Members are converted one by one: what a nested iterator takes from this one
        // must be gone for the next member.
        let (mut members, is_set) = (stream(&limit(engine, value)?)?, is_set(value));
        let (mut all, mut parts) = (Vec::new(), Vec::new());
        while let Some(member) = members.next()? {
            if is_set {
                parts.push(self.export_key(&member)?.into_value());
            } else {
                all.push(self.value(&member)?);
            }
            limit_members(all.len() + parts.len())?;
        }
        if is_set { set(parts).map(Value::Set) } else { Ok(Value::list(all)) }
    }

    /// Converts a key or a member of a set. It must be immutable data.
    fn export_key(&mut self, part: &Value) -> Result<Key> {
        match thaw(part) {
            Value::Tuple(_) | Value::List(_) => Err(unhashable("list")),
            Value::Dict(_) => Err(unhashable("dict")),
            Value::Set(_) => Err(unhashable("set")),
            other => key(&self.value(&other)?),
        }
    }
}
