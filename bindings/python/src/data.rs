//! Python objects and YAML values, through serde.
//!
//! | YAML | Python |
//! | --- | --- |
//! | null, booleans, numbers, strings | `None`, `bool`, `int`, `float`, `str` |
//! | strings; a date is written plain | a date or a time is read in ISO 8601 |
//! | `!!binary` | `bytes` |
//! | a sequence; as a key | `list`; `tuple` |
//! | a mapping | `dict`, and any other mapping is read |

use std::fmt;

use interpolate::{MAX_VALUE_DEPTH, Spelled};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple,
};
use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::node::Node;

/// A value between Python and YAML. Python may run anything while its objects are read or
/// made, and ask the document, which is not borrowed then.
pub(crate) enum Value {
    Null,
    Bool(bool),
    Integer(i128),
    Large(u128),
    Float(f64),
    Text(String),
    /// A date, which YAML 1.1 has.
    Date(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Mapping(Vec<(Value, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that Python can hold")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Value, E> {
        Ok(Value::Large(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::Bytes(value.to_vec()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        Value::deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut mapping = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            mapping.push(entry);
        }
        Ok(Value::Mapping(mapping))
    }
}

impl Value {
    /// Returns the Python object.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Value::Null => Ok(py.None()),
            Value::Bool(value) => value.into_py_any(py),
            Value::Integer(value) => value.into_py_any(py),
            Value::Large(value) => value.into_py_any(py),
            Value::Float(value) => value.into_py_any(py),
            Value::Text(text) | Value::Date(text) => text.into_py_any(py),
            Value::Bytes(bytes) => Ok(PyBytes::new(py, &bytes).into_any().unbind()),
            Value::List(items) => {
                let items = items.into_iter().map(|item| item.object(py));
                PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
            }
            Value::Mapping(entries) => {
                let dict = PyDict::new(py);
                for (key, value) in entries {
                    dict.set_item(key.key(py)?, value.object(py)?)?;
                }
                dict.into_py_any(py)
            }
        }
    }

    /// Returns the Python object as a key of a dict: a list is a tuple.
    pub(crate) fn key(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let key = self.object(py)?.into_bound(py);
        match key.cast::<PyList>() {
            Ok(list) => list.to_tuple().into_py_any(py),
            Err(_) => Ok(key.unbind()),
        }
    }

    /// Reads a value.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Value> {
        Value::within(object, 0)
    }

    fn within(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
        if object.is_none() {
            return Ok(Value::Null);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Value::Text(text.to_cow()?.into_owned()));
        }
        // In Python, True is an integer.
        if let Ok(value) = object.cast::<PyBool>() {
            return Ok(Value::Bool(value.is_true()));
        }
        if object.is_instance_of::<PyInt>() {
            return match object.extract() {
                Ok(value) => Ok(Value::Integer(value)),
                Err(_) => object.extract().map(Value::Large),
            };
        }
        if object.is_instance_of::<PyFloat>() {
            return object.extract().map(Value::Float);
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Value::Bytes(bytes.as_bytes().to_vec()));
        }
        if object.hasattr("isoformat")? {
            let text = object.call_method0("isoformat")?.extract()?;
            // A time is a number of YAML 1.1.
            let is_date = object.hasattr("year")?;
            return Ok(if is_date { Value::Date(text) } else { Value::Text(text) });
        }
        if depth == MAX_VALUE_DEPTH {
            let message =
                format!("collections are nested more than {MAX_VALUE_DEPTH} deep");
            return Err(PyValueError::new_err(message));
        }
        Value::collection(object, depth + 1)
    }

    fn collection(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
        let items = |items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
            let items = items.map(|item| Value::within(&item, depth));
            items.collect::<PyResult<_>>().map(Value::List)
        };
        if let Ok(list) = object.cast::<PyList>() {
            return items(&mut list.iter());
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return items(&mut tuple.iter());
        }
        if let Ok(node) = object.cast::<Node>() {
            return node.get().value();
        }
        let Ok(mapping) = object.cast::<PyMapping>() else {
            let message = format!("YAML has no value for {}", object.get_type());
            return Err(PyTypeError::new_err(message));
        };
        let entry = |pair: Bound<'_, PyAny>| {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            Ok((Value::within(&key, depth)?, Value::within(&value, depth)?))
        };
        let entries = mapping.items()?.iter().map(entry);
        entries.collect::<PyResult<_>>().map(Value::Mapping)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Integer(value) => serializer.serialize_i128(*value),
            Value::Large(value) => serializer.serialize_u128(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Date(text) => Spelled(text).serialize(serializer),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::List(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Value::Mapping(entries) => {
                let mut mapping = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    mapping.serialize_entry(key, value)?;
                }
                mapping.end()
            }
        }
    }
}
