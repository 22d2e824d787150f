//! A text with its edits.

use interpolate::{Job, Patch, Reader, Variables};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::data::Value;
use crate::failure::{Problem, raised};
use crate::history::PlaceHistory;
use crate::node::Node;
use crate::state::State;

/// A text in YAML or JSON, and the edits laid over it. It is the root of its first document.
#[pyclass(frozen, extends = Node, module = "interpolate")]
pub(crate) struct Document;

/// Parses a text. `name` is its name in messages; `dialect` is `core` (YAML 1.2), `go` or
/// `yaml-1.1`.
#[pyfunction]
#[pyo3(signature = (text, *, name = "document", dialect = None))]
pub(crate) fn load<'py>(
    py: Python<'py>,
    text: &str,
    name: &str,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, Document>> {
    let reader = Reader::new();
    let reader = match dialect {
        Some(name) => {
            reader.dialect(name.parse().map_err(PyValueError::new_err::<String>)?)
        }
        None => reader,
    };
    Document::made(py, reader.parse(name, text).map_err(raised)?)
}

impl Document {
    pub(crate) fn made(
        py: Python<'_>,
        document: interpolate::Document,
    ) -> PyResult<Bound<'_, Document>> {
        let root = Node::new(State::new(document));
        Bound::new(py, PyClassInitializer::from(root).add_subclass(Document))
    }
}

/// Returns a document: itself, that of a text, or that of plain data.
pub(crate) fn document_of(value: &Bound<'_, PyAny>) -> PyResult<interpolate::Document> {
    if let Ok(document) = value.cast::<Document>() {
        return Ok(document.as_super().get().state()?.document.clone());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return interpolate::Document::parse(text.to_cow()?).map_err(raised);
    }
    interpolate::Document::from_value(Value::of(value)?).map_err(raised)
}

#[pymethods]
impl Document {
    /// Returns what stands at a path of an ops-file, such as `/jobs/name=web/azs/-1`, or
    /// `default`.
    #[pyo3(signature = (path, default = None))]
    fn get(
        slf: &Bound<'_, Self>,
        path: &str,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let root = slf.as_super().get();
        let found = root.state()?.document.get(path).map(|node| node.pointer());
        match found {
            Some(pointer) => root.value(slf.py(), pointer).map(Some),
            None => Ok(default),
        }
    }

    /// Returns what stands at a path, which must exist.
    fn find(slf: &Bound<'_, Self>, path: &str) -> PyResult<Py<PyAny>> {
        let root = slf.as_super().get();
        let found = root.state()?.document.find(path).map(|node| node.pointer());
        root.value(slf.py(), found.map_err(crate::failure::missing)?)
    }

    /// Returns all that a JSONPath query selects.
    fn select(slf: &Bound<'_, Self>, query: &str) -> PyResult<Vec<Py<PyAny>>> {
        let root = slf.as_super().get();
        let found = root.state()?.select(query).map_err(raised)?;
        found.into_iter().map(|pointer| root.value(slf.py(), pointer)).collect()
    }

    /// Sets what stands at a path. `?` makes what is missing: `/env?/proxy`.
    fn set(slf: &Bound<'_, Self>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Value::of(value)?;
        slf.as_super().get().apply(Patch::new().replace(path, value))
    }

    /// Removes what stands at a path. With `?` at its end it may be missing.
    fn remove(slf: &Bound<'_, Self>, path: &str) -> PyResult<()> {
        slf.as_super().get().apply(Patch::new().remove(path))
    }

    /// Applies an ops-file, a JSON Patch or an OpenAPI Overlay: a text or plain data.
    #[pyo3(signature = (ops, *, name = "ops"))]
    fn patch(slf: &Bound<'_, Self>, ops: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
        let text = match ops.cast::<PyString>() {
            Ok(text) => text.to_cow()?.into_owned(),
            // As JSON, whose texts take the quotes of those that they replace.
            Err(_) => document_of(ops)?.to_json().map_err(raised)?,
        };
        slf.as_super().get().apply(Patch::parse(name, &text))
    }

    /// Applies the merge directives of the document: keys such as `+/path`.
    fn expand(slf: &Bound<'_, Self>) -> PyResult<()> {
        let root = slf.as_super().get();
        let directives = Patch::directives(&root.state()?.document);
        root.apply(directives)
    }

    /// Replaces the `((names))` that have a value.
    fn fill(slf: &Bound<'_, Self>, values: &Bound<'_, PyDict>) -> PyResult<()> {
        slf.as_super().get().state()?.fill(&variables(values)?).map_err(raised)
    }

    /// Puts edited data back: changes the text as little as possible, so that it has this
    /// value. Merge directives stay, and so do `((names))` that still have their value in
    /// `values`, and templates if `evaluate` is true. Returns notes about what could not be
    /// kept.
    #[pyo3(signature = (data, *, values = None, evaluate = false))]
    fn put(
        slf: &Bound<'_, Self>,
        data: &Bound<'_, PyAny>,
        values: Option<&Bound<'_, PyDict>>,
        evaluate: bool,
    ) -> PyResult<Vec<Problem>> {
        let edited = document_of(data)?;
        let variables = values.map(variables).transpose()?.unwrap_or_default();
        let job = Job::new().variables(variables).templates(evaluate);
        let notes = slf.as_super().get().state()?.put(&edited, &job).map_err(raised)?;
        Ok(notes.into_iter().map(Problem::new).collect())
    }

    /// Returns the text.
    fn dump(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(slf.as_super().get().state()?.document.to_string())
    }

    /// Tells who made the values at a path what they are: a path, `jobs[name=web].port` or a
    /// JSONPath.
    fn explain(slf: &Bound<'_, Self>, path: &str) -> PyResult<Vec<PlaceHistory>> {
        let found = slf.as_super().get().state()?.explain(path).map_err(raised)?;
        Ok(found.into_iter().map(PlaceHistory::new).collect())
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Document::dump(slf)
    }

    // The text may have secrets.
    fn __repr__(&self) -> &'static str {
        "<interpolate.Document>"
    }
}

/// Returns variables by their names.
fn variables(values: &Bound<'_, PyDict>) -> PyResult<Variables> {
    let mut variables = Variables::new();
    for (name, value) in values {
        let name: String = name.extract()?;
        variables.set(&name, Value::of(&value)?).map_err(raised)?;
    }
    Ok(variables)
}
