//! [`Value`]: a Python value.

use std::sync::Arc;

use num_bigint::BigInt;

use super::{Dict, Lazy, List, Object, Result, Secrecy, Set, Str, Tuple, limit};

/// A Python value. Clones share it: all of them see a change to a list or a dict.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`
    None,
    /// `True`
    Bool(bool),
    /// `1`, within 64 bits
    Int(i64),
    /// `10**30`: an integer that does not fit 64 bits; no smaller one is ever `Big`
    Big(Arc<BigInt>),
    /// `1.5`
    Float(f64),
    /// `'text'`
    Str(Str),
    /// `b'bytes'`
    Bytes(Arc<[u8]>),
    /// `[1, 2]`
    List(List),
    /// `(1, 2)`
    Tuple(Tuple),
    /// `{'a': 1}`
    Dict(Dict),
    /// `{1, 2}`
    Set(Set),
    /// `range(3)`
    Range(IntRange),
    /// A member that is not evaluated yet. Containers evaluate it before they return it.
    Lazy(Arc<dyn Lazy>),
    /// Anything else: a date, a function, an undefined name.
    Object(Arc<dyn Object>),
}

/// `range(start, stop, step)`, with a step that is not 0.
#[derive(Clone, Copy, Debug)]
pub struct IntRange {
    pub start: i64,
    /// The bound, which is not included.
    pub stop: i64,
    pub step: i64,
}

impl IntRange {
    pub fn len(&self) -> usize {
        // The distance of two `i64` needs 65 bits.
        let distance = i128::from(self.stop) - i128::from(self.start);
        let distance = (distance * i128::from(self.step.signum())).max(0);
        let step = i128::from(self.step).abs();
        usize::try_from((distance + step - 1) / step).unwrap_or(usize::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, at: usize) -> Option<i64> {
        let place = i128::from(self.start) + at as i128 * i128::from(self.step);
        i64::try_from(place).ok().filter(|_| at < self.len())
    }

    pub fn position(&self, number: i64) -> Option<usize> {
        let distance = i128::from(number) - i128::from(self.start);
        let at = usize::try_from(distance / i128::from(self.step)).ok()?;
        (self.get(at) == Some(number)).then_some(at)
    }

    /// Returns true if both have the same members, as `==` of Python's ranges.
    pub fn same(&self, other: &IntRange) -> bool {
        self.ends() == other.ends()
    }

    /// Returns the number of members, and the first and the last one.
    pub fn ends(&self) -> (usize, Option<i64>, Option<i64>) {
        (self.len(), self.get(0), self.get(self.len().wrapping_sub(1)))
    }
}

impl Value {
    /// Makes a string.
    pub fn text(text: impl Into<Str>) -> Value {
        Value::Str(text.into())
    }

    /// Makes bytes that an operation made.
    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Value {
        let bytes = bytes.into();
        limit::charge_text(bytes.len());
        Value::Bytes(bytes)
    }

    /// Makes an integer of any size.
    pub fn integer(number: BigInt) -> Value {
        match i64::try_from(&number) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(number)),
        }
    }

    /// Makes a list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        Value::List(items.into_iter().collect())
    }

    /// Makes a tuple.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(items.into_iter().collect())
    }

    /// Makes a value that a language defines.
    pub fn object(object: impl Object) -> Value {
        Value::Object(Arc::new(object))
    }

    /// Returns the value, evaluated if it is lazy.
    pub fn force(&self) -> Result<Value> {
        match self {
            Value::Lazy(lazy) => lazy.force(),
            known => Ok(known.clone()),
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(text) = self { Some(text) } else { None }
    }

    /// Returns the secrecy of a string; every other value is open.
    pub fn secrecy(&self) -> Secrecy {
        if let Value::Str(text) = self { text.secrecy() } else { Secrecy::Open }
    }

    /// Returns the object of a type that a language defines.
    pub fn downcast<T: Object>(&self) -> Option<&T> {
        match self {
            Value::Object(object) => (&**object as &dyn std::any::Any).downcast_ref(),
            _ => None,
        }
    }

    /// Returns the name of its type: `int`, `str`, `NoneType`.
    pub fn type_name(&self) -> &str {
        match self {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Big(_) => "int",
            Value::Float(_) => "float",
            Value::Str(text) if text.is_markup() => "Markup",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::Range(_) => "range",
            Value::Lazy(_) => "object",
            Value::Object(object) => object.type_name(),
        }
    }
}

impl From<bool> for Value {
    fn from(x: bool) -> Value {
        Value::Bool(x)
    }
}

impl From<i64> for Value {
    fn from(x: i64) -> Value {
        Value::Int(x)
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value::Float(x)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::text(text)
    }
}
