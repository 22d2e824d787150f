//! A place of a document, which looks like a dict or a list.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use interpolate::{JsonPointer, Kind, Patch};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString};

use crate::data::{Object, Value, hashable};
use crate::failure::{ambiguous, missing, no_key, raised};
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

    /// Returns the items or entries, and the keys of the latter.
    fn children(&self) -> PyResult<Vec<(Option<Object>, Child)>> {
        let document = self.state()?.document.clone();
        let node = document.at(&self.pointer).map_err(missing)?;
        let items = node.items().map(|item| Ok((None, Child::At(item.pointer()))));
        let entries = node.entries().map(|(key, value)| {
            let child = Child::of(&document, &key, &value)?;
            Ok((Some(key.deserialize().map_err(raised)?), child))
        });
        items.chain(entries).collect()
    }

    /// Returns an item or the entry with a key.
    fn child(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Child>> {
        if self.kind()? == Kind::Sequence {
            let at = self.item(key)?;
            self.state()?.document.at(&at).map_err(missing)?;
            return Ok(Some(Child::At(at)));
        }
        match key.cast::<PyString>() {
            Ok(text) => self.text_child(&text.to_cow()?),
            Err(_) => self.other_child(key),
        }
    }

    /// Returns the entry whose key is a string.
    fn text_child(&self, text: &str) -> PyResult<Option<Child>> {
        let at = self.pointer.child(text);
        let state = self.state()?;
        let key = state.document.at(&at).ok().and_then(|node| node.key());
        let is_text = key.is_some_and(|key| key.as_str().is_some());
        Ok(is_text.then_some(Child::At(at)))
    }

    /// Returns the entry whose key is no string. In Python, 1 and True are equal; a document
    /// that has both is asked for the type, too.
    fn other_child(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Child>> {
        // As a dict does, which refuses a list.
        key.hash()?;
        let mut equal = None;
        for (known, child) in self.children()? {
            let Some(Object(known)) = known else { continue };
            let known = hashable(known.into_bound(key.py()))?;
            if known.eq(key)? {
                if known.get_type().is(key.get_type()) {
                    return Ok(Some(child));
                }
                equal = Some(child);
            }
        }
        Ok(equal)
    }

    /// Returns the exception of a key that does not exist.
    fn missing_key(&self, key: &Bound<'_, PyAny>) -> PyErr {
        let text = key.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
        let at = text.map(|text| self.pointer.child(text));
        let state = at.and_then(|at| Some((at, self.state().ok()?)));
        let error = state.and_then(|(at, state)| state.document.at(&at).err());
        // That of the library suggests another key.
        error.map_or_else(|| no_key(key), missing)
    }

    fn item(&self, index: &Bound<'_, PyAny>) -> PyResult<JsonPointer> {
        let Ok(index) = index.extract::<isize>() else {
            return Err(PyTypeError::new_err("the index of a list is an integer"));
        };
        let length = if index < 0 { self.__len__()? } else { 0 };
        let position = index.saturating_add_unsigned(length);
        Ok(self.pointer.child(position.to_string()))
    }

    /// Refuses a new entry whose text an existing key of another type has.
    fn check_new(&self, at: &JsonPointer) -> PyResult<()> {
        match self.state()?.document.at(at) {
            Ok(_) => Err(ambiguous()),
            Err(_) => Ok(()),
        }
    }
}

/// A child of a mapping or a list.
enum Child {
    At(JsonPointer),
    /// An entry whose pointer leads to another one, which has a key of the same text: its
    /// value, if it is a scalar.
    Hidden(Option<Object>),
}

impl Child {
    /// Returns an entry.
    fn of(
        document: &interpolate::Document,
        key: &interpolate::Node<'_>,
        value: &interpolate::Node<'_>,
    ) -> PyResult<Child> {
        let at = value.pointer();
        let found = document.at(&at).ok().and_then(|node| node.key());
        let is_same = |found: interpolate::Node<'_>| {
            found.origin() == key.origin()
                && found.as_str().is_some() == key.as_str().is_some()
        };
        if found.is_some_and(is_same) {
            return Ok(Child::At(at));
        }
        let is_scalar = value.kind() == Kind::Scalar;
        let data = is_scalar.then(|| value.deserialize().map_err(raised));
        data.transpose().map(Child::Hidden)
    }

    /// Returns what stands there in a document.
    fn value(self, py: Python<'_>, parent: &Node) -> PyResult<Py<PyAny>> {
        match self {
            Child::At(pointer) => parent.value(py, pointer),
            Child::Hidden(data) => data.map(|Object(data)| data).ok_or_else(ambiguous),
        }
    }

    /// Returns the place to edit.
    fn pointer(self) -> PyResult<JsonPointer> {
        match self {
            Child::At(pointer) => Ok(pointer),
            Child::Hidden(_) => Err(ambiguous()),
        }
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
        let child = self.child(key)?.ok_or_else(|| self.missing_key(key))?;
        child.value(key.py(), self)
    }

    fn __setitem__(
        &self,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if let Some(child) = self.child(key)? {
            let (at, value) = (child.pointer()?, Value::of(value)?);
            return self.state()?.replace(at, &value).map_err(raised);
        }
        match (self.kind()?, key.cast::<PyString>()) {
            (Kind::Mapping, Ok(text)) => {
                let at = self.pointer.child(text.to_cow()?);
                self.check_new(&at)?;
                self.add(at, value)
            }
            (Kind::Mapping, Err(_)) => {
                Err(PyTypeError::new_err("the key of a new entry is a string"))
            }
            (Kind::Sequence | Kind::Scalar, _) => Err(self.missing_key(key)),
        }
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let child = self.child(key)?.ok_or_else(|| self.missing_key(key))?;
        let at = child.pointer()?;
        self.state()?.remove(at).map_err(raised)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.kind()? {
            Kind::Mapping => self.child(key).map(|child| child.is_some()),
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
        let keys = self.children()?.into_iter().filter_map(|(key, _)| key);
        let keys = keys.map(|Object(key)| hashable(key.into_bound(py)));
        PyList::new(py, keys.collect::<PyResult<Vec<_>>>()?)
    }

    /// The values of a mapping, or the items of a list.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let children = self.children()?.into_iter();
        let values = children.map(|(_, child)| child.value(py, self));
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
