//! The Python module `interpolate`: the public library for Python, and nothing beyond it.
//!
//! | file | holds |
//! | --- | --- |
//! | `node` | `Node`: a place of a document |
//! | `mapping`, `list` | `MappingNode` and `ListNode`: nodes that look like a dict and a list |
//! | `document` | `Document`: a node, the root, that is patched, saved and printed |
//! | `argument` | what a caller may leave out, and texts from files |
//! | `state` | what a document and its nodes share |
//! | `versions` | `diff` and `merge` |
//! | `history` | what `explain` returns |
//! | `failure` | `Error` and `NotFound` with their places |
//! | `data` | Python objects and YAML values, through serde |

mod argument;
mod data;
mod document;
mod failure;
mod history;
mod list;
mod mapping;
mod node;
mod state;
mod versions;

use pyo3::prelude::*;

/// Edits YAML and keeps every byte that it was not asked to change.
#[pymodule]
#[pyo3(name = "interpolate")]
fn exports(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<failure::Error>())?;
    module.add("NotFound", failure::not_found_type(py)?)?;
    document::export(module)?;
    module.add_class::<failure::Place>()?;
    module.add_class::<failure::Problem>()?;
    module.add_class::<history::Event>()?;
    module.add_class::<history::PlaceHistory>()?;
    module.add_class::<versions::Conflict>()?;
    module.add_class::<versions::Merge>()?;
    module.add_function(wrap_pyfunction!(document::load, module)?)?;
    module.add_function(wrap_pyfunction!(versions::diff, module)?)?;
    module.add_function(wrap_pyfunction!(versions::merge, module)?)
}
