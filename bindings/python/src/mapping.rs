//! A mapping of a document, which looks like a dict.

use std::collections::{HashMap, hash_map};

use interpolate::{JsonPointer, Kind, Patch};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString, PyTuple};

use crate::argument::Fallback;
use crate::data::Value;
use crate::failure::{ambiguous, missing, no_key, not_found, raised};
use crate::node::{Found, Node, plain};

/// A mapping of a document: a `collections.abc.MutableMapping`.
///
/// A key has a type, as in a dict: `doc[80]` is not `doc["80"]`.
///
///     >>> doc = interpolate.load("web: {port: 80}   # public\n")
///     >>> doc["web"]["port"] = 8080
///     >>> doc["web"].update(tls=True, hosts=["a", "b"])
///     >>> print(doc.dump(), end="")
///     web: {port: 8080, tls: true, hosts: [a, b]}   # public
#[pyclass(frozen, subclass, extends = Node, module = "interpolate")]
pub(crate) struct MappingNode;

/// The entries of a mapping.
struct Entries<'n> {
    node: &'n Node,
    at: JsonPointer,
}

impl<'n> Entries<'n> {
    fn of(mapping: &'n Bound<'_, MappingNode>) -> PyResult<Entries<'n>> {
        let node = mapping.as_super().get();
        Ok(Entries { node, at: node.pointer(Kind::Mapping)? })
    }

    /// Returns the keys, each with the place of its value.
    fn all(&self) -> PyResult<Vec<KeyedEntry>> {
        let state = self.node.state()?;
        let mapping = state.document.at(&self.at).map_err(missing)?;
        let mut entries: Vec<KeyedEntry> = Vec::new();
        let mut named: HashMap<String, usize> = HashMap::new();
        for (key, value) in mapping.entries() {
            let name = value.pointer().tokens.pop().unwrap_or_default();
            let at = self.at.child(&name);
            let is_text = key.as_str().is_some();
            let is_named = key.kind() == Kind::Scalar;
            let key = key.deserialize().map_err(raised)?;
            let number = entries.len();
            let mut place = EntryPlace::At(at);
            match named.entry(name) {
                _ if !is_named => place = EntryPlace::Hidden(number),
                // A pointer leads to the string of two keys with one text.
                hash_map::Entry::Occupied(mut other) if is_text => {
                    let hidden = other.insert(number);
                    if let Some(other) = entries.get_mut(hidden) {
                        other.place = EntryPlace::Hidden(hidden);
                    }
                }
                hash_map::Entry::Occupied(_) => place = EntryPlace::Hidden(number),
                hash_map::Entry::Vacant(free) => drop(free.insert(number)),
            }
            entries.push(KeyedEntry { key, place });
        }
        Ok(entries)
    }

    /// Returns a dict of what stands in the mapping now.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let places = self.all()?;
        let mark = self.node.mark_now()?;
        let state = self.node.state()?;
        let mapping = state.document.at(&self.at).map_err(missing)?;
        let mut found = Vec::new();
        for (entry, (_, value)) in places.into_iter().zip(mapping.entries()) {
            let is_hidden = matches!(entry.place, EntryPlace::Hidden(_));
            if is_hidden && value.kind() != Kind::Scalar {
                return Err(ambiguous());
            }
            let value = self.node.found_node(&value, || mark.child(&value))?;
            found.push((entry.key, value));
        }
        drop(state);
        let dict = PyDict::new(py);
        for (key, value) in found {
            dict.set_item(key.key(py)?, value.object(py)?)?;
        }
        Ok(dict)
    }

    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let keys = self.all()?.into_iter().map(|entry| entry.key.key(py));
        PyList::new(py, keys.collect::<PyResult<Vec<_>>>()?)
    }

    fn len(&self) -> PyResult<usize> {
        let state = self.node.state()?;
        Ok(state.document.at(&self.at).map_err(missing)?.len())
    }

    /// Returns the entry with a key.
    fn get(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<EntryPlace>> {
        match key.cast::<PyString>() {
            Ok(text) => self.with_text(&text.to_cow()?),
            Err(_) => self.with_other(key),
        }
    }

    /// Returns the entry whose key is a string.
    fn with_text(&self, text: &str) -> PyResult<Option<EntryPlace>> {
        let at = self.at.child(text);
        let state = self.node.state()?;
        let key = state.document.at(&at).ok().and_then(|node| node.key());
        let is_text = key.is_some_and(|key| key.as_str().is_some());
        Ok(is_text.then_some(EntryPlace::At(at)))
    }

    /// Returns the entry whose key is no string. In Python, 1 and True are equal; a document
    /// that has both is asked for the type, too.
    fn with_other(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<EntryPlace>> {
        // As a dict does, which refuses a list.
        key.hash()?;
        let mut equal = None;
        for entry in self.all()? {
            if matches!(entry.key, Value::Text(_)) {
                continue;
            }
            let other = entry.key.key(key.py())?.into_bound(key.py());
            if other.eq(key)? {
                if other.get_type().is(key.get_type()) {
                    return Ok(Some(entry.place));
                }
                equal = Some(entry.place);
            }
        }
        Ok(equal)
    }

    /// Returns what stands at the place of an entry.
    fn value(&self, place: EntryPlace) -> PyResult<Found> {
        let number = match place {
            EntryPlace::At(pointer) => return self.node.found(&pointer),
            EntryPlace::Hidden(number) => number,
        };
        let state = self.node.state()?;
        let mapping = state.document.at(&self.at).map_err(missing)?;
        match mapping.entries().nth(number) {
            Some((_, value)) if value.kind() == Kind::Scalar => {
                value.deserialize().map(Found::Scalar).map_err(raised)
            }
            _ => Err(ambiguous()),
        }
    }

    fn required(&self, key: &Bound<'_, PyAny>) -> PyResult<EntryPlace> {
        self.get(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns the exception of a key that does not exist.
    fn missing(&self, key: &Bound<'_, PyAny>) -> PyErr {
        let text = key.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
        let at = text.map(|text| self.at.child(text));
        let state = at.and_then(|at| Some((at, self.node.state().ok()?)));
        let error = state.and_then(|(at, state)| state.document.at(&at).err());
        // The hint of the library suggests another key.
        error.map_or_else(|| no_key(key), missing)
    }

    /// Sets an entry.
    fn set(&self, key: &Bound<'_, PyAny>, value: Value) -> PyResult<()> {
        if let Some(entry) = self.get(key)? {
            return self.node.replace(entry.pointer()?, &value);
        }
        self.node.edit(self.added(Patch::new(), key, value)?)
    }

    /// Adds the ops that add an entry to a patch.
    fn added(
        &self,
        patch: Patch,
        key: &Bound<'_, PyAny>,
        value: Value,
    ) -> PyResult<interpolate::Result<Patch>> {
        let entry = Value::Mapping(vec![(Value::of(key)?, value)]);
        let state = self.node.state()?;
        if state.document.at(&self.at).map_err(missing)?.is_null() && patch.is_empty() {
            return Ok(patch.replace_at(self.at.clone(), &entry));
        }
        // A pointer names a key by its text.
        let made = interpolate::Document::from_value(&entry).map_err(raised)?;
        let names = made.root().entries().map(|(_, value)| value.pointer().tokens);
        for name in names.flatten() {
            if state.document.at(&self.at.child(name)).is_ok() {
                return Err(ambiguous());
            }
        }
        let Value::Mapping(mut entries) = entry else { return Ok(Ok(patch)) };
        Ok(match entries.pop() {
            Some((Value::Text(name), value)) => patch.add_at(self.at.child(name), &value),
            Some(entry) => patch.merge_at(self.at.clone(), Value::Mapping(vec![entry])),
            None => Ok(patch),
        })
    }

    /// Sets all entries of a dict, or none.
    fn update(&self, new: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut patch = Patch::new();
        for (key, value) in new {
            let value = Value::of(&value)?;
            let edited = match self.get(&key)? {
                Some(entry) => patch.replace_at(entry.pointer()?, &value),
                None => self.added(patch, &key, value)?,
            };
            patch = edited.map_err(raised)?;
        }
        self.node.edit(Ok(patch))
    }
}

/// An entry of a mapping with its key.
struct KeyedEntry {
    key: Value,
    place: EntryPlace,
}

/// The place of a value in a mapping.
enum EntryPlace {
    At(JsonPointer),
    /// The number of an entry without a pointer: its key is a collection, or another key has its
    /// text.
    Hidden(usize),
}

impl EntryPlace {
    /// Returns the place to edit.
    fn pointer(self) -> PyResult<JsonPointer> {
        match self {
            EntryPlace::At(pointer) => Ok(pointer),
            EntryPlace::Hidden(_) => Err(ambiguous()),
        }
    }
}

#[pymethods]
impl MappingNode {
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Entries::of(slf)?.len()
    }

    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let entries = Entries::of(slf)?;
        entries.value(entries.required(key)?)?.object(slf.py())
    }

    fn __setitem__(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = Value::of(value)?;
        Entries::of(slf)?.set(key, value)
    }

    fn __delitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let entries = Entries::of(slf)?;
        let at = entries.required(key)?.pointer()?;
        entries.node.state()?.remove(at).map_err(raised)
    }

    fn __contains__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(Entries::of(slf)?.get(key)?.is_some())
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        Entries::of(slf)?.keys(slf.py())?.try_iter()
    }

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let keys = Entries::of(slf)?.keys(slf.py())?;
        keys.reverse()?;
        keys.try_iter()
    }

    /// Returns the keys of now, in a view as that of a dict.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let keys = Entries::of(slf)?.keys(slf.py())?;
        let dict = slf.py().get_type::<PyDict>();
        dict.call_method1("fromkeys", (keys,))?.call_method0("keys")
    }

    /// Returns the values of now, in a view as that of a dict.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Entries::of(slf)?.snapshot(slf.py())?.call_method0("values")
    }

    /// Returns the keys of now with their values, in a view as that of a dict.
    ///
    ///     >>> dict(interpolate.load("{a: 1, b: 2}\n").items())
    ///     {'a': 1, 'b': 2}
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Entries::of(slf)?.snapshot(slf.py())?.call_method0("items")
    }

    /// Returns the value of a key, or `default`. It is a key, never a path: `at` takes paths.
    ///
    ///     >>> doc = interpolate.load("{a/b: 1}\n")
    ///     >>> doc.get("a/b"), doc.get("/a/b"), doc.get("c", 5)
    ///     (1, None, 5)
    #[pyo3(signature = (key, default = None))]
    fn get(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let entries = Entries::of(slf)?;
        match entries.get(key)? {
            Some(place) => entries.value(place)?.object(slf.py()).map(Some),
            None => Ok(default),
        }
    }

    /// Returns the value of a key, which gets the value `default` if it is missing.
    ///
    ///     >>> doc = interpolate.load("a: 1\n")
    ///     >>> doc.setdefault("labels", {})["app"] = "shop"
    ///     >>> print(doc.dump(), end="")
    ///     a: 1
    ///     labels:
    ///       app: shop
    #[pyo3(signature = (key, default = None))]
    fn setdefault(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        default: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let entries = Entries::of(slf)?;
        if entries.get(key)?.is_none() {
            entries.set(key, default.map_or(Ok(Value::Null), Value::of)?)?;
        }
        MappingNode::__getitem__(slf, key)
    }

    /// Removes a key and returns its value as plain data, or `default`; without one a missing
    /// key raises `NotFound`.
    ///
    ///     >>> doc = interpolate.load("a: [1]   # gone\nb: 2   # stays\n")
    ///     >>> doc.pop("a"), doc.pop("c", None)
    ///     ([1], None)
    ///     >>> print(doc.dump(), end="")
    ///     b: 2   # stays
    #[pyo3(signature = (key, default = Fallback::Raise), text_signature = "(self, key, default=...)")]
    fn pop(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        default: Fallback,
    ) -> PyResult<Py<PyAny>> {
        let entries = Entries::of(slf)?;
        let at = match (entries.get(key)?, default) {
            (Some(entry), _) => entry.pointer()?,
            (None, Fallback::Value(default)) => return Ok(default),
            (None, Fallback::Raise) => return Err(entries.missing(key)),
        };
        let data = entries.node.plain_at(slf.py(), &at)?;
        entries.node.state()?.remove(at).map_err(raised)?;
        Ok(data)
    }

    /// Removes the last entry. Returns its key and its value as plain data.
    fn popitem<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = Entries::of(slf)?;
        let Some(KeyedEntry { key, place }) = entries.all()?.pop() else {
            return Err(not_found("popitem(): the mapping is empty"));
        };
        let at = place.pointer()?;
        let data = entries.node.plain_at(slf.py(), &at)?;
        entries.node.state()?.remove(at).map_err(raised)?;
        PyTuple::new(slf.py(), [key.key(slf.py())?, data])
    }

    /// Sets the entries of a mapping, of pairs and of keywords, as that of a dict does: all of
    /// them, or none if one of them is refused.
    #[pyo3(signature = (*others, **entries))]
    fn update(
        slf: &Bound<'_, Self>,
        others: &Bound<'_, PyTuple>,
        entries: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let new = PyDict::new(slf.py());
        new.call_method("update", others, entries)?;
        Entries::of(slf)?.update(&new)
    }

    fn __or__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        plain(slf)?.bitor(plain(other)?)
    }

    fn __ror__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        other.bitor(plain(slf)?)
    }

    fn __ior__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        MappingNode::update(slf, &PyTuple::new(slf.py(), [other])?, None)
    }

    /// Removes all entries.
    fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        let entries = Entries::of(slf)?;
        let mut patch = Patch::new();
        for entry in entries.all()? {
            patch = patch.remove_at(entry.place.pointer()?);
        }
        entries.node.edit(Ok(patch))
    }
}
