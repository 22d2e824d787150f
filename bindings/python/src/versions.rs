//! Two versions of a document, and three.

use pyo3::prelude::*;

use crate::argument::document_of;
use crate::document::Document;
use crate::failure::raised;

/// Returns the ops-file that turns one document into another: texts, documents or data.
#[pyfunction]
pub(crate) fn diff(old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<String> {
    let (old, new) = (document_of(old)?, document_of(new)?);
    Ok(old.diff(&new).map_err(raised)?.to_string())
}

/// A place that both sides changed differently.
#[pyclass(frozen, module = "interpolate")]
#[derive(Clone)]
pub(crate) struct Conflict {
    /// Of a stream: which document.
    #[pyo3(get)]
    document: Option<String>,
    /// The path; empty for the whole document.
    #[pyo3(get)]
    path: String,
    printed: String,
}

/// The result of `merge`.
#[pyclass(frozen, get_all, module = "interpolate")]
pub(crate) struct Merge {
    /// The merged document, with `ours` at all conflicts.
    document: Py<PyAny>,
    /// The places that both sides changed differently.
    conflicts: Vec<Conflict>,
    /// The merged text with the conflict markers of git.
    marked: String,
}

/// Merges two versions of a document by meaning: texts, documents or data. The result is the
/// text of `ours` with what `theirs` changed since `base`.
#[pyfunction]
pub(crate) fn merge(
    base: &Bound<'_, PyAny>,
    ours: &Bound<'_, PyAny>,
    theirs: &Bound<'_, PyAny>,
) -> PyResult<Merge> {
    let (base, ours, theirs) =
        (document_of(base)?, document_of(ours)?, document_of(theirs)?);
    let merged = interpolate::merge(&base, &ours, &theirs).map_err(raised)?;
    let conflicts = merged.conflicts().iter().map(Conflict::of);
    Python::attach(|py| {
        Ok(Merge {
            document: Document::made(py, merged.document().clone())?.unbind(),
            conflicts: conflicts.collect(),
            marked: merged.marked(),
        })
    })
}

impl Conflict {
    fn of(conflict: &interpolate::Conflict) -> Conflict {
        let interpolate::Conflict { document, path, .. } = conflict;
        let (document, path) = (document.clone(), path.clone());
        Conflict { document, path, printed: conflict.to_string() }
    }
}

#[pymethods]
impl Conflict {
    fn __str__(&self) -> &str {
        &self.printed
    }

    fn __repr__(&self) -> String {
        format!("<Conflict at {}>", self.printed)
    }
}

#[pymethods]
impl Merge {
    fn __repr__(&self) -> String {
        format!("<Merge with {} conflicts>", self.conflicts.len())
    }
}
