//! Rebuilds values whose members change. A value comes in, and one that can be stored goes out:
//! sequences are lists, what is to be left out is gone, and what cannot be stored is refused.

use super::container_path::ContainerPath;
use crate::eval::python::{
    Class, Dict, Exception, Result, Value, charge_new_container, limit_members,
};

/// Makes a value storable: sequences become lists, `omit` goes, undefined is raised. Lazy
/// members stay as they are.
pub(super) fn finalize(value: &Value) -> Result<Value> {
    let mut rebuilder = Rebuilder {
        object: &stored,
        stores: true,
        visits: 0,
        path: ContainerPath::default(),
    };
    Ok(rebuilder.value(value)?.unwrap_or_else(|| value.clone()))
}

/// Returns what is stored for a value that is no plain data, if it differs.
fn stored(value: &Value) -> Result<Option<Value>> {
    match value {
        Value::Object(object) => object.stored(),
        _ => Err(Exception::unstorable(value.type_name())),
    }
}

/// Returns a value with other objects in it. `change` returns the new one, if it differs.
pub(super) fn with_objects(
    value: &Value,
    change: &dyn Fn(&Value) -> Result<Option<Value>>,
) -> Result<Value> {
    let mut rebuilder = Rebuilder {
        object: change,
        stores: false,
        visits: 0,
        path: ContainerPath::default(),
    };
    Ok(rebuilder.value(value)?.unwrap_or_else(|| value.clone()))
}

struct Rebuilder<'f> {
    /// Returns the value of a member that is no plain data, if it changes.
    object: &'f dyn Fn(&Value) -> Result<Option<Value>>,
    /// True if the value is to be stored, so that only lists and mappings remain.
    stores: bool,
    /// The number of members so far. One counts at each of its places.
    visits: usize,
    path: ContainerPath,
}

impl Rebuilder<'_> {
    /// Returns the new value if it differs.
    fn value(&mut self, value: &Value) -> Result<Option<Value>> {
        self.visits += 1;
        limit_members(self.visits)?;
        self.path.enter(value)?;
        let new = self.rebuilt(value);
        self.path.leave(value);
        new
    }

    fn rebuilt(&mut self, value: &Value) -> Result<Option<Value>> {
        match value {
            Value::List(items) => {
                let items: Vec<Value> = items.read().clone();
                Ok(self.list(&items)?.map(Value::list))
            }
            Value::Tuple(items) => {
                let items = items.to_vec();
                let new = self.list(&items)?;
                if !self.stores {
                    return Ok(new.map(Value::tuple));
                }
                Ok(Some(Value::list(new.unwrap_or(items))))
            }
            Value::Set(set) if self.stores => {
                let items = set.0.iter().map(|key| key.value().clone());
                let items: Vec<Value> = items.collect();
                Ok(Some(Value::list(self.list(&items)?.unwrap_or(items))))
            }
            Value::Dict(entries) => self.dict(entries),
            Value::Range(_) | Value::Object(_) => match (self.object)(value)? {
                Some(new) if self.stores => Ok(Some(self.value(&new)?.unwrap_or(new))),
                new => Ok(new),
            },
            Value::Lazy(lazy) if self.stores => match lazy.known() {
                Some(known) => self.value(&known),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Returns the new members if one of them changes.
    fn list(&mut self, items: &[Value]) -> Result<Option<Vec<Value>>> {
        charge_new_container(items.len())?;
        let mut changed = false;
        let mut stored = Vec::with_capacity(items.len());
        for item in items {
            match self.value(item) {
                Ok(None) => stored.push(item.clone()),
                Ok(Some(new)) => {
                    changed = true;
                    stored.push(new);
                }
                Err(raised) if raised.class == Class::Omitted => changed = true,
                Err(raised) => return Err(raised),
            }
        }
        Ok(changed.then_some(stored))
    }

    fn dict(&mut self, entries: &Dict) -> Result<Option<Value>> {
        let entries: Vec<_> = {
            let entries = entries.read();
            entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        charge_new_container(entries.len())?;
        let mut changed = false;
        let mut stored = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            if self.stores
                && let Value::Tuple(_) = key.value()
            {
                return Err(Exception::unstorable(key.value().type_name()));
            }
            match self.value(&value) {
                Ok(None) => stored.push((key, value)),
                Ok(Some(new)) => {
                    changed = true;
                    stored.push((key, new));
                }
                Err(raised) if raised.class == Class::Omitted => changed = true,
                Err(raised) => return Err(raised),
            }
        }
        Ok(changed.then(|| Value::Dict(stored.into_iter().collect())))
    }
}
