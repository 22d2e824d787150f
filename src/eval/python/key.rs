//! A value as a key of a dict or a member of a set comes in; which keys are one, goes out.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::Equivalent;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::compare::comparable;
use super::{Class, Exception, MAX_BYTES, MAX_DEPTH, Result, Value, limit};

/// A value that can be a key: equal keys are one key, so `1`, `1.0` and `True` are.
#[derive(Clone, Debug)]
pub struct Key(Value);

impl Key {
    /// A value as a key.
    ///
    /// # Errors
    /// It cannot be one: it can change.
    pub fn new(value: Value) -> Result<Key> {
        let value = value.force()?;
        comparable(&value)?;
        if let Value::Tuple(_) = &value {
            freeze(&value)?;
        } else if !hashable(&value) {
            return Err(unhashable(&value));
        }
        Ok(Key(value))
    }

    /// A string as a key.
    pub fn text(text: &str) -> Key {
        Key(Value::text(text))
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The value, taken out.
    pub fn into_value(self) -> Value {
        self.0
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }
}

/// A text that stands for the key it would be.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Equivalent<Key> for Text<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        key.as_str() == Some(self.0)
    }
}

fn hashable(value: &Value) -> bool {
    !matches!(value, Value::List(_) | Value::Dict(_) | Value::Set(_))
}

fn unhashable(value: &Value) -> Box<Exception> {
    Exception::of_type(format!("unhashable type: '{}'", value.type_name()))
}

/// The most parts of a tuple that is a key.
const LARGEST: usize = MAX_BYTES >> 4;

/// Makes sure that nothing in a tuple changes, and that it is small enough to be compared.
fn freeze(tuple: &Value) -> Result<()> {
    let (mut todo, mut seen) = (vec![(tuple, 0)], 0);
    while let Some((value, depth)) = todo.pop() {
        match value {
            Value::Tuple(members) => {
                limit::charge_members(members.len());
                todo.extend(members.iter().map(|m| (m, depth + 1)));
            }
            other if hashable(other) => {}
            other => return Err(unhashable(other)),
        }
        seen += 1;
        if seen > LARGEST {
            let message = format!("a tuple of more than {LARGEST} parts is no key");
            return Err(Exception::new(Class::Limit, message));
        }
        if depth > MAX_DEPTH {
            let message = "maximum recursion depth exceeded while hashing a tuple";
            return Err(Exception::new(Class::Recursion, message));
        }
    }
    Ok(())
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

/// Whether two keys are one. Tuples are no deeper than [`MAX_DEPTH`].
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Range(a), Value::Range(b)) => a.same(b),
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.is(b)
                || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
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
        Value::Float(x) if x.fract() == 0.0 => BigInt::from_f64(*x).map(Number::Whole)?,
        Value::Float(x) => Number::Other(x.to_bits()),
        _ => return None,
    })
}

/// The floats that are integers of 64 bits.
const SMALL: std::ops::Range<f64> =
    -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;

fn digest<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Str(text) => text.hash(state),
        Value::Bytes(bytes) => bytes.hash(state),
        Value::Tuple(members) => members.iter().for_each(|m| digest(m, state)),
        Value::Bool(x) => i64::from(*x).hash(state),
        Value::Int(x) => x.hash(state),
        Value::Float(x) if x.fract() == 0.0 && SMALL.contains(x) => {
            (*x as i64).hash(state);
        }
        other => number(other).hash(state),
    }
}
