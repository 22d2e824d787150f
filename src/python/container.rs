//! `list`, `dict` and `set`. Their readers work out lazy members and put what they find in
//! their place; nothing is locked while that happens.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;

use super::{Exception, Result, Value};

/// A list.
#[derive(Clone, Debug, Default)]
pub struct List(Arc<RwLock<Vec<Value>>>);

/// A dict; its keys keep the order they came in.
#[derive(Clone, Debug, Default)]
pub struct Dict(Arc<RwLock<IndexMap<Key, Value>>>);

/// A set, in the order its members came in. It never changes.
#[derive(Clone, Debug, Default)]
pub struct Set(pub Arc<IndexSet<Key>>);

/// A value that can be a key: equal keys are one key, so `1`, `1.0` and `True` are.
#[derive(Clone, Debug)]
pub struct Key(Value);

impl List {
    /// Looks at the items as they are, lazy ones too.
    pub fn read(&self) -> RwLockReadGuard<'_, Vec<Value>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the items.
    pub fn write(&self) -> RwLockWriteGuard<'_, Vec<Value>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a place.
    pub fn get(&self, at: usize) -> Result<Option<Value>> {
        let found = self.read().get(at).cloned();
        let Some(found @ Value::Lazy(_)) = found else { return Ok(found) };
        let value = found.force()?;
        if let Some(slot @ Value::Lazy(_)) = self.write().get_mut(at) {
            *slot = value.clone();
        }
        Ok(Some(value))
    }

    /// Every item.
    pub fn items(&self) -> Result<Vec<Value>> {
        let items = self.read().clone();
        if !items.iter().any(|item| matches!(item, Value::Lazy(_))) {
            return Ok(items);
        }
        (0..items.len()).map(|at| Ok(self.get(at)?.unwrap_or(Value::None))).collect()
    }

    /// Whether two names stand for one list.
    pub fn is(&self, other: &List) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> List {
        List(Arc::new(RwLock::new(items.into_iter().collect())))
    }
}

impl Dict {
    /// Looks at the entries as they are, lazy ones too.
    pub fn read(&self) -> RwLockReadGuard<'_, IndexMap<Key, Value>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the entries.
    pub fn write(&self) -> RwLockWriteGuard<'_, IndexMap<Key, Value>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &Key) -> Result<Option<Value>> {
        let found = self.read().get(key).cloned();
        let Some(found @ Value::Lazy(_)) = found else { return Ok(found) };
        let value = found.force()?;
        if let Some(slot @ Value::Lazy(_)) = self.write().get_mut(key) {
            *slot = value.clone();
        }
        Ok(Some(value))
    }

    /// The value of a string key.
    pub fn get_text(&self, key: &str) -> Result<Option<Value>> {
        self.get(&Key::text(key))
    }

    /// Whether there is such a string key.
    pub fn has_text(&self, key: &str) -> bool {
        self.read().contains_key(&Key::text(key))
    }

    /// Sets the value of a key; a new one comes last.
    pub fn set(&self, key: Key, value: Value) {
        self.write().insert(key, value);
    }

    /// The keys.
    pub fn keys(&self) -> Vec<Value> {
        self.read().keys().map(|key| key.0.clone()).collect()
    }

    /// The entries.
    pub fn entries(&self) -> Result<Vec<(Key, Value)>> {
        let keys: Vec<Key> = self.read().keys().cloned().collect();
        let entry = |key: Key| Ok((key.clone(), self.get(&key)?.unwrap_or(Value::None)));
        keys.into_iter().map(entry).collect()
    }

    /// Whether two names stand for one dict.
    pub fn is(&self, other: &Dict) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl FromIterator<(Key, Value)> for Dict {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Dict {
        Dict(Arc::new(RwLock::new(entries.into_iter().collect())))
    }
}

impl FromIterator<Key> for Set {
    fn from_iter<I: IntoIterator<Item = Key>>(members: I) -> Set {
        Set(Arc::new(members.into_iter().collect()))
    }
}

impl Key {
    /// A value as a key.
    ///
    /// # Errors
    /// It cannot be one: it can change.
    pub fn new(value: Value) -> Result<Key> {
        match &value {
            Value::List(_) | Value::Dict(_) | Value::Set(_) => Err(Exception::of_type(
                format!("unhashable type: '{}'", value.type_name()),
            )),
            Value::Tuple(members) => {
                members.iter().try_for_each(|m| Key::new(m.clone()).map(drop))?;
                Ok(Key(value))
            }
            Value::Lazy(lazy) => Key::new(lazy.force()?),
            _ => Ok(Key(value)),
        }
    }

    /// A string as a key.
    pub fn text(text: &str) -> Key {
        Key(Value::text(text))
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        same(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        digest(&self.0, state);
    }
}

/// Whether two keys are one. Tuples nest no deeper than what was written in one expression.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Range(a), Value::Range(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(other)) => Arc::ptr_eq(a, other) || a.equals(b),
        (Value::Object(a), _) => a.equals(b),
        (_, Value::Object(b)) => b.equals(a),
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
    }
}

/// A number, so that equal ones are the same.
#[derive(PartialEq, Hash)]
enum Number {
    Whole(BigInt),
    Other(u64),
}

fn number(value: &Value) -> Option<Number> {
    Some(match value {
        Value::Bool(x) => Number::Whole(i64::from(*x).into()),
        Value::Int(x) => Number::Whole((*x).into()),
        Value::Big(x) => Number::Whole((**x).clone()),
        Value::Float(x) if x.fract() == 0.0 => {
            num_traits::FromPrimitive::from_f64(*x).map(Number::Whole)?
        }
        Value::Float(x) => Number::Other(x.to_bits()),
        _ => return None,
    })
}

fn digest<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Str(text) => text.hash(state),
        Value::Bytes(bytes) => bytes.hash(state),
        Value::Tuple(members) => members.iter().for_each(|m| digest(m, state)),
        Value::Bool(x) => i64::from(*x).hash(state),
        Value::Int(x) => x.hash(state),
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 9e18 => (*x as i64).hash(state),
        other => number(other).hash(state),
    }
}
