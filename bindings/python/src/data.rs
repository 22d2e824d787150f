//! Python objects and YAML values, through serde.
//!
//! | YAML | Python |
//! | --- | --- |
//! | null, booleans, numbers, strings | `None`, `bool`, `int`, `float`, `str` |
//! | `!!binary` | `bytes` |
//! | a sequence; as a key | `list`; `tuple` |
//! | a mapping | `dict`, and any other mapping is read |

use std::fmt;

use interpolate::MAX_VALUE_DEPTH;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple,
};
use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::node::Node;

/// A Python object that is made of a YAML value.
pub(crate) struct Object(pub(crate) Py<PyAny>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_any(ObjectVisitor)
    }
}

struct ObjectVisitor;

/// Returns the object of a Rust value.
fn object<'py, T: IntoPyObject<'py>, E: de::Error>(
    py: Python<'py>,
    value: T,
) -> Result<Object, E> {
    value.into_py_any(py).map(Object).map_err(E::custom)
}

/// Methods that make an object of a value.
macro_rules! scalars {
    ($($method:ident: $type:ty,)*) => {
        $(fn $method<E: de::Error>(self, value: $type) -> Result<Object, E> {
            Python::attach(|py| object(py, value))
        })*
    };
}

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that Python can hold")
    }

    scalars! {
        visit_bool: bool,
        visit_i64: i64,
        visit_i128: i128,
        visit_u64: u64,
        visit_u128: u128,
        visit_f64: f64,
        visit_str: &str,
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<Object, E> {
        Python::attach(|py| Ok(Object(PyBytes::new(py, value).into_any().unbind())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Object, E> {
        Python::attach(|py| Ok(Object(py.None())))
    }

    fn visit_none<E: de::Error>(self) -> Result<Object, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Object, D::Error> {
        Object::deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Object, A::Error> {
        let mut objects = Vec::new();
        while let Some(Object(item)) = items.next_element()? {
            objects.push(item);
        }
        Python::attach(|py| {
            let list = PyList::new(py, objects).map_err(de::Error::custom)?;
            Ok(Object(list.into_any().unbind()))
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Object, A::Error> {
        let dict = Python::attach(|py| PyDict::new(py).unbind());
        while let Some((Object(key), Object(value))) = entries.next_entry()? {
            Python::attach(|py| {
                let key = hashable(key.into_bound(py))?;
                dict.bind(py).set_item(key, value)
            })
            .map_err(de::Error::custom)?;
        }
        Ok(Object(dict.into_any()))
    }
}

/// Returns a key that a dict can have: a list as a tuple.
pub(crate) fn hashable(key: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    match key.cast::<PyList>() {
        Ok(list) => Ok(list.to_tuple().into_any()),
        Err(_) => Ok(key),
    }
}

/// A value of Python that becomes one of YAML. It is read before a document is borrowed:
/// reading runs code of Python, which may ask the document.
pub(crate) enum Value {
    Null,
    Bool(bool),
    Integer(i128),
    Large(u128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Mapping(Vec<(Value, Value)>),
}

impl Value {
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
            let data = node.get().data()?;
            return Value::within(data.bind(object.py()), depth - 1);
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
