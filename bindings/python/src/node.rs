//! A place of a document, and what mappings and lists have in common.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use interpolate::{Bookmark, JsonPointer, Kind, Patch};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::argument::Fallback;
use crate::data::Value;
use crate::failure::{missing, not_found, raised};
use crate::list::ListNode;
use crate::mapping::MappingNode;
use crate::state::State;

/// A mapping or a list of a document: a `MappingNode` or a `ListNode`. Scalars are plain data.
///
/// A node is a view: it shows each edit of its content, also as an item of a list that is
/// sorted. Once it is removed or replaced, each use raises `NotFound`.
#[pyclass(frozen, subclass, module = "interpolate")]
pub(crate) struct Node {
    state: Arc<Mutex<State>>,
    mark: Bookmark,
}

impl Node {
    /// Returns the root of a document.
    pub(crate) fn root(state: State) -> Node {
        let mark = state.document.root().bookmark();
        Node { state: Arc::new(Mutex::new(state)), mark }
    }

    /// Returns another object for the same place.
    pub(crate) fn again(&self) -> Node {
        Node { state: Arc::clone(&self.state), mark: self.mark.clone() }
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

    /// Returns the bookmark, which is of the document as it is now.
    pub(crate) fn mark_now(&self) -> PyResult<Bookmark> {
        let state = self.state()?;
        Ok(self.mark.find(&state.document).map_err(missing)?.bookmark())
    }

    /// Returns the way to what stands here, which has to be a mapping or a list still. An
    /// empty document is a mapping without entries.
    pub(crate) fn pointer(&self, kind: Kind) -> PyResult<JsonPointer> {
        let state = self.state()?;
        let node = self.mark.find(&state.document).map_err(missing)?;
        let pointer = node.pointer();
        let is_empty = node.is_null() && pointer.tokens.is_empty();
        if node.kind() == kind || is_empty && kind == Kind::Mapping {
            return Ok(pointer);
        }
        let now = match node.kind() {
            Kind::Scalar => "a scalar",
            Kind::Sequence => "a list",
            Kind::Mapping => "a mapping",
        };
        Err(not_found(&format!("{now} stands at '{pointer}' now: read it again")))
    }

    /// Returns the value.
    pub(crate) fn value(&self) -> PyResult<Value> {
        let state = self.state()?;
        let node = self.mark.find(&state.document).map_err(missing)?;
        node.deserialize().map_err(raised)
    }

    /// Returns the value as plain data.
    pub(crate) fn plain(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.value()?.object(py)
    }

    /// Returns what stands at a pointer as plain data.
    pub(crate) fn plain_at(
        &self,
        py: Python<'_>,
        pointer: &JsonPointer,
    ) -> PyResult<Py<PyAny>> {
        let state = self.state()?;
        let node = state.document.at(pointer).map_err(missing)?;
        let value: Value = node.deserialize().map_err(raised)?;
        drop(state);
        value.object(py)
    }

    /// Returns what stands at a pointer.
    pub(crate) fn found(&self, pointer: &JsonPointer) -> PyResult<Found> {
        let state = self.state()?;
        let node = state.document.at(pointer).map_err(missing)?;
        self.found_node(&node, || node.bookmark())
    }

    /// Returns what a node of the document is for Python.
    pub(crate) fn found_node(
        &self,
        node: &interpolate::Node<'_>,
        mark: impl FnOnce() -> Bookmark,
    ) -> PyResult<Found> {
        let kind = node.kind();
        if kind == Kind::Scalar {
            return node.deserialize().map(Found::Scalar).map_err(raised);
        }
        let node = Node { state: Arc::clone(&self.state), mark: mark() };
        Ok(if kind == Kind::Mapping { Found::Mapping(node) } else { Found::List(node) })
    }

    /// Applies the patch of one op. That its path leads nowhere is an error of its own.
    pub(crate) fn apply_at(
        &self,
        path: &str,
        patch: interpolate::Result<Patch>,
    ) -> PyResult<()> {
        let patch = patch.map_err(raised)?;
        let mut state = self.state()?;
        let applied = state.apply(patch);
        let is_missing = matches!(state.document.root().try_get(path), Ok(None));
        drop(state);
        applied.map_err(if is_missing { missing } else { raised })
    }

    /// Applies the patch of a caller.
    pub(crate) fn apply(&self, patch: interpolate::Result<Patch>) -> PyResult<()> {
        let patch = patch.map_err(raised)?;
        self.state()?.apply(patch).map_err(raised)
    }

    /// Applies the edits of one call, all or none.
    pub(crate) fn edit(&self, patch: interpolate::Result<Patch>) -> PyResult<()> {
        let patch = patch.map_err(raised)?;
        self.state()?.edit(patch).map_err(raised)
    }

    /// Replaces what stands at a pointer.
    pub(crate) fn replace(&self, at: JsonPointer, value: &Value) -> PyResult<()> {
        self.state()?.replace(at, value).map_err(raised)
    }
}

/// Returns an object, of a node its plain data.
pub(crate) fn plain<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match object.cast::<Node>() {
        Ok(node) => Ok(node.get().plain(object.py())?.into_bound(object.py())),
        Err(_) => Ok(object.clone()),
    }
}

/// The value at a place: a scalar is plain data, a collection a node.
pub(crate) enum Found {
    Scalar(Value),
    Mapping(Node),
    List(Node),
}

impl Found {
    /// Returns the Python object.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Found::Scalar(value) => value.object(py),
            Found::Mapping(node) => {
                let class = PyClassInitializer::from(node).add_subclass(MappingNode);
                Ok(Py::new(py, class)?.into_any())
            }
            Found::List(node) => {
                let class = PyClassInitializer::from(node).add_subclass(ListNode);
                Ok(Py::new(py, class)?.into_any())
            }
        }
    }
}

#[pymethods]
impl Node {
    /// Returns what stands at a path below this node, or `default`; without one a missing
    /// place raises `NotFound`.
    ///
    /// A path is that of an ops-file, a dotted one, or a JSONPath that selects one place:
    ///
    ///     >>> doc = interpolate.load("jobs: [{name: web, port: 80}]\n")
    ///     >>> doc.at("/jobs/name=web/port"), doc.at("jobs[0].port"), doc.at("$.jobs[0].port")
    ///     (80, 80, 80)
    ///     >>> doc["jobs"].at("[0].name")
    ///     'web'
    ///     >>> doc.at("jobs[1].port", None) is None
    ///     True
    #[pyo3(signature = (path, default = Fallback::Raise), text_signature = "(self, path, default=...)")]
    fn at(&self, py: Python<'_>, path: &str, default: Fallback) -> PyResult<Py<PyAny>> {
        let state = self.state()?;
        let here = self.mark.find(&state.document).map_err(missing)?;
        let found = here.try_get(path).map_err(raised)?;
        match (found, default) {
            (Some(node), _) => {
                let found = self.found_node(&node, || node.bookmark())?;
                drop(state);
                found.object(py)
            }
            (None, Fallback::Value(default)) => Ok(default),
            (None, Fallback::Raise) if here.pointer().tokens.is_empty() => {
                Err(state.document.find(path).map_or_else(missing, |_| not_found(path)))
            }
            (None, Fallback::Raise) => {
                let place = here.pointer();
                Err(not_found(&format!("there is nothing at '{path}' below '{place}'")))
            }
        }
    }

    /// The value as plain dicts, lists and scalars: a copy, for `json.dumps` and others.
    ///
    ///     >>> import json
    ///     >>> json.dumps(interpolate.load("web: {ports: [80]}   # public\n").data)
    ///     '{"web": {"ports": [80]}}'
    #[getter]
    fn data(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.plain(py)
    }

    /// The path, which `at` of the document understands: `/jobs/0/name`.
    ///
    ///     >>> interpolate.load("jobs: [{name: web}]\n")["jobs"][-1].path
    ///     '/jobs/0'
    #[getter]
    fn path(&self) -> PyResult<String> {
        let state = self.state()?;
        Ok(self.mark.find(&state.document).map_err(missing)?.path())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.plain(other.py())?.bind(other.py()).eq(plain(other)?)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.plain(py)
    }

    fn __deepcopy__(&self, memo: &Bound<'_, PyDict>) -> PyResult<Py<PyAny>> {
        self.plain(memo.py())
    }

    fn __reduce_ex__(&self, _protocol: usize) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a document is not pickled: pickle its text, `dump()`, or its `data`",
        ))
    }

    fn __str__(&self) -> PyResult<String> {
        let state = self.state()?;
        Ok(self.mark.find(&state.document).map_err(missing)?.to_string())
    }

    // The value may be a secret.
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        Ok(match slf.get().path() {
            Ok(path) => format!("<interpolate.{class} at '{path}'>"),
            Err(_) => format!("<interpolate.{class} that has gone>"),
        })
    }
}
