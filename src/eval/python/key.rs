//! [`Key`]: a hashable value, as a key of a dict or a member of a set.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::Equivalent;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::compare::comparable;
use super::{Exception, Number, Result, Value, limit, too_large};

/// A hashable value. Equal values are one key: `1`, `1.0` and `True`.
#[derive(Clone, Debug)]
pub struct Key(Value);

impl Key {
    /// Makes a key of a value. Raises a `TypeError` for a value that is not hashable.
    pub fn new(value: Value) -> Result<Key> {
        let value = value.force()?;
        comparable(&value)?;
        limit::charge_key(size(&value))?;
        if let Value::Tuple(_) = &value {
            check_tuple(&value)?;
        } else if !hashable(&value) {
            return Err(unhashable(&value));
        }
        Ok(Key(value))
    }

    /// Makes a key of a string.
    pub fn text(text: &str) -> Key {
        Key(Value::text(text))
    }

    /// Returns the value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the value.
    pub fn into_value(self) -> Value {
        self.0
    }

    /// Returns the text of a string key.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }
}

/// A text that is looked up as the key it would be, without making one.
pub(super) struct TextKey<'a>(pub(super) &'a str);

impl Hash for TextKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Equivalent<Key> for TextKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        key.as_str() == Some(self.0)
    }
}

/// Returns the number of bytes that a hash of the value reads, without the members of a
/// tuple.
fn size(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Big(number) => (number.bits() / 8) as usize,
        _ => 0,
    }
}

fn hashable(value: &Value) -> bool {
    !matches!(value, Value::List(_) | Value::Dict(_) | Value::Set(_))
}

fn unhashable(value: &Value) -> Box<Exception> {
    Exception::of_type_of(value, "unhashable type: '{}'")
}

/// Checks that all members of a tuple are hashable, and that there are not too many.
fn check_tuple(tuple: &Value) -> Result<()> {
    let mut todo = vec![(tuple, 0)];
    let mut count = 0;
    // Each lookup hashes all of them.
    let most = limit::max_bytes() >> 4;
    while let Some((value, depth)) = todo.pop() {
        match value {
            Value::Tuple(members) => {
                limit::charge_members(members.len());
                todo.extend(members.iter().map(|m| (m, depth + 1)));
            }
            other if hashable(other) => limit::charge_bytes(size(other)),
            other => return Err(unhashable(other)),
        }
        count += 1;
        if count > most {
            let message = format!("a tuple of more than {most} parts is no key");
            return Err(too_large(message));
        }
        limit::limit_depth(depth, "while hashing a tuple")?;
    }
    // It is hashed in one piece.
    limit::charge_work(0)
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

// Recursion is safe: `Key::new` refuses tuples deeper than `max_depth`.
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
        (Value::Object(a), Value::Object(other)) => {
            // Those that are compared by value have one hash.
            limit::charge_members(1);
            Arc::ptr_eq(a, other) || a.equals(b) == Some(true)
        }
        (Value::Object(a), _) => a.equals(b) == Some(true),
        (_, Value::Object(b)) => b.equals(a) == Some(true),
        // A NaN is found again as the same key.
        (Value::Float(a), Value::Float(b)) => a == b || a.to_bits() == b.to_bits(),
        _ => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => a.order(&b) == Some(Ordering::Equal),
            _ => false,
        },
    }
}

/// The floats that fit 64-bit integers once their fraction is 0.
const INT_RANGE: std::ops::Range<f64> =
    -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;

// An integer, a bool and a whole float that are equal need one hash, and a `Str` the hash
// of `TextKey`.
fn digest<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Str(text) => text.hash(state),
        Value::Bytes(bytes) => bytes.hash(state),
        Value::Tuple(members) => members.iter().for_each(|m| digest(m, state)),
        Value::Bool(x) => i64::from(*x).hash(state),
        Value::Int(x) => x.hash(state),
        Value::Range(range) => range.ends().hash(state),
        Value::Object(object) if object.equals(&Value::None).is_none() => {
            Arc::as_ptr(object).cast::<()>().hash(state);
        }
        Value::Float(x) if x.fract() == 0.0 && INT_RANGE.contains(x) => {
            (*x as i64).hash(state);
        }
        Value::Big(x) => x.hash(state),
        Value::Float(x) => match BigInt::from_f64(*x).filter(|_| x.fract() == 0.0) {
            Some(whole) => whole.hash(state),
            None => x.to_bits().hash(state),
        },
        Value::None | Value::List(_) | Value::Dict(_) | Value::Set(_) => {}
        Value::Lazy(_) | Value::Object(_) => {}
    }
}
