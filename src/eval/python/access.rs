//! Access to what a value contains: truth, length, members, items, attributes and calls.

use super::number::Number;
use super::{
    Arguments, Class, Exception, Key, Method, Result, Value, limit, limit_members,
    method, repr, text,
};

pub fn truth(value: &Value) -> Result<bool> {
    Ok(match value {
        Value::None => false,
        Value::Bool(x) => *x,
        Value::Int(x) => *x != 0,
        Value::Big(_) => true,
        Value::Float(x) => *x != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::Lazy(lazy) => return truth(&lazy.force()?),
        Value::Object(object) => return object.truth(),
        container => length(container)? > 0,
    })
}

pub fn length(value: &Value) -> Result<usize> {
    let length = match value {
        Value::Str(text) => Some(text.character_count()),
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::List(items) => Some(items.len()),
        Value::Tuple(items) => Some(items.len()),
        Value::Dict(dict) => Some(dict.len()),
        Value::Set(set) => Some(set.0.len()),
        Value::Range(range) => Some(range.len()),
        Value::Lazy(lazy) => return length(&lazy.force()?),
        Value::Object(object) => object.length(),
        _ => None,
    };
    length.ok_or_else(|| Exception::of_type_of(value, "object of type '{}' has no len()"))
}

/// The members that a `for` loop iterates over.
/// Raises a `TypeError` if the value is not iterable; a limit error for too many members.
pub fn iterate(value: &Value) -> Result<Vec<Value>> {
    let value = value.force()?;
    // An object makes its members itself, and charges for them.
    let count = match &value {
        Value::Str(_) | Value::Object(_) => 0,
        other => length(other).unwrap_or(0),
    };
    if matches!(value, Value::Bytes(_) | Value::Range(_)) {
        limit_members(count)?;
    }
    limit::charge_members(count);
    limit::charge_work(0)?;
    let members = match &value {
        Value::Str(text) => {
            limit_members(text.len())?;
            let chars = text.chars().map(String::from);
            Some(chars.map(|c| Value::Str(text::derived(c, [text]))).collect())
        }
        Value::Bytes(bytes) => {
            Some(bytes.iter().map(|byte| Value::Int((*byte).into())).collect())
        }
        Value::List(items) => Some(items.items()?),
        Value::Tuple(items) => {
            Some(items.iter().map(Value::force).collect::<Result<_>>()?)
        }
        Value::Dict(dict) => Some(dict.keys()),
        Value::Set(set) => Some(set.0.iter().map(|key| key.value().clone()).collect()),
        Value::Range(range) => Some(
            (0..range.len()).filter_map(|at| range.get(at)).map(Value::Int).collect(),
        ),
        Value::Object(object) => object.iterate()?,
        _ => None,
    };
    members.ok_or_else(|| Exception::of_type_of(&value, "'{}' object is not iterable"))
}

/// Returns the first `most` members of each iterable, which are held at the same time.
/// Raises a limit error before there are too many.
pub fn columns(iterables: &[Value], most: usize) -> Result<Vec<Vec<Value>>> {
    let mut columns = Vec::with_capacity(iterables.len());
    let mut held = 0usize;
    for iterable in iterables {
        let iterable = iterable.force()?;
        // A value without a length shows it only in its members.
        let expected = length(&iterable).unwrap_or(0).min(most);
        limit::limit_held(held.saturating_add(expected))?;
        let column = match &iterable {
            Value::Range(range) => {
                let count = range.len().min(most);
                limit_members(count)?;
                limit::charge_members(count);
                limit::charge_work(0)?;
                (0..count).filter_map(|at| range.get(at)).map(Value::Int).collect()
            }
            other => {
                let mut members = iterate(other)?;
                members.truncate(most);
                members
            }
        };
        held = held.saturating_add(column.len());
        columns.push(column);
    }
    Ok(columns)
}

/// `a, b = value`. Raises a `TypeError` for no members, a `ValueError` for another count.
pub fn unpack<const N: usize>(value: &Value) -> Result<[Value; N]> {
    let members = unpack_count(value, N)?;
    members.try_into().map_err(|members: Vec<Value>| wrong_count(N, members.len()))
}

/// [`unpack`] for a count that is known only at run time.
pub fn unpack_count(value: &Value, count: usize) -> Result<Vec<Value>> {
    let message = "cannot unpack non-iterable {} object";
    let members = iterate(value).map_err(|error| error.or_type_of(value, message))?;
    if members.len() == count {
        Ok(members)
    } else {
        Err(wrong_count(count, members.len()))
    }
}

/// Returns the `ValueError` for `count` members that are unpacked into `expected` names.
pub fn wrong_count(expected: usize, count: usize) -> Box<Exception> {
    Exception::of_value(if count < expected {
        format!("not enough values to unpack (expected {expected}, got {count})")
    } else {
        format!("too many values to unpack (expected {expected})")
    })
}

/// `value[key]`. Raises a `KeyError`, an `IndexError` or, without items, a `TypeError`.
pub fn item(value: &Value, key: &Value) -> Result<Value> {
    let value = value.force()?;
    let key = key.force()?;
    match &value {
        Value::Dict(dict) => match dict.get(&Key::new(key.clone())?)? {
            Some(found) => Ok(found),
            None => Err(Exception::new(Class::Key, repr(&key)?)),
        },
        Value::Object(object) => match object.item(&key)? {
            Some(found) => Ok(found),
            None => Err(not_subscriptable(&value)),
        },
        Value::List(items) => {
            let at = index("list indices", "list index", items.len(), &key)?;
            Ok(items.get(at)?.unwrap_or(Value::None))
        }
        Value::Tuple(items) => {
            let at = index("tuple indices", "tuple index", items.len(), &key)?;
            items.get(at).unwrap_or(&Value::None).force()
        }
        Value::Str(text) => {
            let length = text.character_count();
            let at = index("string indices", "string index", length, &key)?;
            let c = text.character(at);
            Ok(Value::Str(text::derived(c.into_iter().collect(), [text])))
        }
        Value::Bytes(bytes) => {
            let at = index("byte indices", "index", bytes.len(), &key)?;
            Ok(bytes.get(at).map_or(Value::None, |byte| Value::Int((*byte).into())))
        }
        Value::Range(range) => {
            let at = index("range indices", "range object index", range.len(), &key)?;
            Ok(range.get(at).map_or(Value::None, Value::Int))
        }
        other => Err(not_subscriptable(other)),
    }
}

pub(super) fn not_subscriptable(value: &Value) -> Box<Exception> {
    Exception::of_type_of(value, "'{}' object is not subscriptable")
}

/// Returns the position of an index, which counts from the end if it is negative.
fn index(what: &str, name: &str, length: usize, key: &Value) -> Result<usize> {
    let message = match Number::of(key) {
        Some(Number::Small(at)) => match member_index(at, length) {
            Some(place) => return Ok(place),
            None => format!("{name} out of range"),
        },
        Some(Number::Big(_)) => "cannot fit 'int' into an index-sized integer".to_owned(),
        _ => {
            return Err(Exception::of_type(match (what, key.type_name()) {
                // Only `str` does not mention slices, in Python 3.11.
                ("string indices", of) => format!("{what} must be integers, not '{of}'"),
                (_, of) => format!("{what} must be integers or slices, not {of}"),
            }));
        }
    };
    Err(Exception::new(Class::Index, message))
}

/// Returns the member that an index selects, which counts from the end if it is negative.
pub(super) fn member_index(at: i64, length: usize) -> Option<usize> {
    let place = if at < 0 { at.saturating_add_unsigned(length as u64) } else { at };
    usize::try_from(place).ok().filter(|place| *place < length)
}

/// `value.name`; `None` if there is no such attribute.
pub fn attribute(value: &Value, name: &str) -> Result<Option<Value>> {
    let value = value.force()?;
    Ok(match (&value, name) {
        (Value::Object(object), _) => object.attribute(name)?,
        (Value::Range(range), "start") => Some(Value::Int(range.start)),
        (Value::Range(range), "stop") => Some(Value::Int(range.stop)),
        (Value::Range(range), "step") => Some(Value::Int(range.step)),
        (Value::Float(_), "real") => Some(value),
        (Value::Float(_), "imag") => Some(Value::Float(0.0)),
        (Value::Bool(x), "real" | "numerator") => Some(Value::Int(i64::from(*x))),
        (Value::Int(_) | Value::Big(_), "real" | "numerator") => Some(value),
        (Value::Bool(_) | Value::Int(_) | Value::Big(_), "imag") => Some(Value::Int(0)),
        (Value::Bool(_) | Value::Int(_) | Value::Big(_), "denominator") => {
            Some(Value::Int(1))
        }
        _ => method::find(&value, name).map(|it| Value::object(Method::new(value, it))),
    })
}

pub fn call_method(value: &Value, name: &str, arguments: Arguments) -> Result<Value> {
    let value = value.force()?;
    match &value {
        Value::Object(object) => object.call_method(name, arguments),
        _ => method::call(&value, name, arguments),
    }
}

/// Returns the `AttributeError` for a value without an attribute.
pub fn no_attribute(value: &Value, name: &str) -> Box<Exception> {
    no_attribute_of(value.type_name(), name)
}

pub(super) fn no_attribute_of(of: &str, name: &str) -> Box<Exception> {
    Exception::new(Class::Attribute, format!("'{of}' object has no attribute '{name}'"))
}

pub fn call(value: &Value, arguments: Arguments) -> Result<Value> {
    match &value.force()? {
        Value::Object(object) => object.call(arguments),
        other => Err(Exception::of_type_of(other, "'{}' object is not callable")),
    }
}
