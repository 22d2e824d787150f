//! A place of a document, which looks like a dict or a list.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use interpolate::{JsonPointer, Kind, Patch};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString};

use crate::data::{Object, Value, hashable};
use crate::failure::{missing, raised};
use crate::state::State;

/// A mapping or a list of a document. It is a place: after an edit, it is whatever stands
/// there then.
#[pyclass(frozen, subclass, module = "interpolate")]
pub(crate) struct Node {
    state: Arc<Mutex<State>>,
    pointer: JsonPointer,
}

impl Node {
    pub(crate) fn new(state: State) -> Node {
        Node { state: Arc::new(Mutex::new(state)), pointer: JsonPointer::default() }
    }

    /// Borrows the document. Python code that runs while it is borrowed must not ask again.
    pub(crate) fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(PoisonError::into_inner(state)),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the document is in use"))
            }
        }
    }

    /// Returns the value as plain data.
    pub(crate) fn data(&self) -> PyResult<Py<PyAny>> {
        // A copy, since Python may run anything while it makes objects.
        let document = self.state()?.document.clone();
        let node = document.at(&self.pointer).map_err(missing)?;
        let Object(data) = node.deserialize().map_err(raised)?;
        Ok(data)
    }

    /// Returns what stands at a pointer: a scalar as plain data, a collection as a node.
    pub(crate) fn value(
        &self,
        py: Python<'_>,
        pointer: JsonPointer,
    ) -> PyResult<Py<PyAny>> {
        let state = self.state()?;
        let node = state.document.at(&pointer).map_err(missing)?;
        if node.kind() == Kind::Scalar {
            let Object(data) = node.deserialize().map_err(raised)?;
            return Ok(data);
        }
        drop(state);
        let node = Node { state: Arc::clone(&self.state), pointer };
        Ok(Py::new(py, node)?.into_any())
    }

    pub(crate) fn apply(&self, patch: interpolate::Result<Patch>) -> PyResult<()> {
        let patch = patch.map_err(raised)?;
        self.state()?.apply(patch).map_err(raised)
    }

    fn add(&self, at: JsonPointer, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Value::of(value)?;
        self.state()?.add(at, &value).map_err(raised)
    }

    fn kind(&self) -> PyResult<Kind> {
        let state = self.state()?;
        Ok(state.document.at(&self.pointer).map_err(missing)?.kind())
    }

    /// Returns the pointers of the items or entries, and the keys of the latter.
    fn children(&self) -> PyResult<Vec<(JsonPointer, Option<Object>)>> {
        let document = self.state()?.document.clone();
        let node = document.at(&self.pointer).map_err(missing)?;
        let items = node.items().map(|item| Ok((item.pointer(), None)));
        let entries = node.entries().map(|(key, value)| {
            let key = key.deserialize().map_err(raised)?;
            Ok((value.pointer(), Some(key)))
        });
        items.chain(entries).collect()
    }

    /// Returns the pointer of an existing item or entry, or that of a new entry.
    fn child(&self, key: &Bound<'_, PyAny>) -> PyResult<JsonPointer> {
        if self.kind()? == Kind::Sequence {
            return self.item(key);
        }
        if let Ok(text) = key.cast::<PyString>() {
            return Ok(self.pointer.child(text.to_cow()?));
        }
        for (pointer, known) in self.children()? {
            let Some(Object(known)) = known else { continue };
            if hashable(known.into_bound(key.py()))?.eq(key)? {
                return Ok(pointer);
            }
        }
        Ok(self.pointer.child(key.str()?.to_cow()?))
    }

    fn item(&self, index: &Bound<'_, PyAny>) -> PyResult<JsonPointer> {
        let Ok(index) = index.extract::<isize>() else {
            return Err(PyTypeError::new_err("the index of a list is an integer"));
        };
        let length = if index < 0 { self.__len__()? } else { 0 };
        let position = index.saturating_add_unsigned(length);
        Ok(self.pointer.child(position.to_string()))
    }

    fn has(&self, pointer: &JsonPointer) -> PyResult<bool> {
        Ok(self.state()?.document.at(pointer).is_ok())
    }
}

#[pymethods]
impl Node {
    fn __len__(&self) -> PyResult<usize> {
        let state = self.state()?;
        let node = state.document.at(&self.pointer).map_err(missing)?;
        Ok(node.items().count() + node.entries().count())
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.value(key.py(), self.child(key)?)
    }

    fn __setitem__(
        &self,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let at = self.child(key)?;
        if self.has(&at)? {
            let value = Value::of(value)?;
            return self.state()?.replace(at, &value).map_err(raised);
        }
        match self.kind()? {
            Kind::Mapping if key.is_instance_of::<PyString>() => self.add(at, value),
            Kind::Mapping => {
                Err(PyTypeError::new_err("the key of a new entry is a string"))
            }
            // Tells that there is no such item.
            Kind::Sequence | Kind::Scalar => self.value(key.py(), at).map(drop),
        }
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let at = self.child(key)?;
        let mut state = self.state()?;
        state.document.at(&at).map_err(missing)?;
        state.remove(at).map_err(raised)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.kind()? {
            Kind::Mapping => self.has(&self.child(key)?),
            Kind::Sequence | Kind::Scalar => self.data()?.bind(key.py()).contains(key),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        match self.kind()? {
            Kind::Mapping => self.keys(py)?.try_iter(),
            Kind::Sequence | Kind::Scalar => self.values(py)?.try_iter(),
        }
    }

    /// The keys of a mapping.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let keys = self.children()?.into_iter().filter_map(|(_, key)| key);
        let keys = keys.map(|Object(key)| hashable(key.into_bound(py)));
        PyList::new(py, keys.collect::<PyResult<Vec<_>>>()?)
    }

    /// The values of a mapping, or the items of a list.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = self.children()?.into_iter().map(|(at, _)| self.value(py, at));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The keys of a mapping, each with its value.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let keys = self.keys(py)?;
        let pairs = keys.iter().zip(self.values(py)?.iter());
        PyList::new(py, pairs.collect::<Vec<_>>())
    }

    /// Appends an item to a list.
    fn append(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.add(self.pointer.child("-"), value)
    }

    /// Inserts an item into a list, before that with the index.
    fn insert(&self, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let length = self.__len__()?;
        let from_start =
            if index < 0 { index.saturating_add_unsigned(length) } else { index };
        let position = from_start.clamp(0, isize::try_from(length)?);
        self.add(self.pointer.child(position.to_string()), value)
    }

    /// Appends all items to a list.
    fn extend(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let values: Vec<Bound<'_, PyAny>> =
            values.try_iter()?.collect::<PyResult<_>>()?;
        values.iter().try_for_each(|value| self.append(value))
    }

    /// The value as plain data.
    fn to_data(&self) -> PyResult<Py<PyAny>> {
        self.data()
    }

    /// The path, which `get` of the document understands: `/jobs/0/name`.
    #[getter]
    fn path(&self) -> PyResult<String> {
        let state = self.state()?;
        Ok(state.document.at(&self.pointer).map_err(missing)?.path())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let data = self.data()?;
        match other.cast::<Node>() {
            Ok(node) => data.bind(other.py()).eq(node.get().data()?),
            Err(_) => data.bind(other.py()).eq(other),
        }
    }

    fn __str__(&self) -> PyResult<String> {
        let state = self.state()?;
        Ok(state.document.at(&self.pointer).map_err(missing)?.to_string())
    }

    // The value may be a secret.
    fn __repr__(&self) -> String {
        format!("<interpolate.Node at '{}'>", self.pointer)
    }
}
