//! A text with its edits.

use interpolate::{Job, Kind, Patch, Reader, Variables};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict, PyTuple, PyType};

use crate::argument::{Text, document_of};
use crate::data::Value;
use crate::failure::{Problem, raised};
use crate::history::PlaceHistory;
use crate::list::ListNode;
use crate::mapping::MappingNode;
use crate::node::Node;
use crate::state::State;

/// A text in YAML or JSON, and the edits laid over it: the root of its first document.
///
/// `load` returns a `MappingDocument`, which is also a dict, or a `ListDocument`, which is also
/// a list. If the text is a single scalar, it is neither.
#[pyclass(frozen, subclass, extends = Node, module = "interpolate")]
pub(crate) struct Document;

/// Parses a text: a str, bytes, a `pathlib.Path` or an open file. A str is a text, never the
/// name of a file.
///
/// `name` is its name in messages, by default that of the file; `dialect` is `core` (YAML 1.2),
/// `go` or `yaml-1.1`.
///
///     >>> doc = interpolate.load("name: shop   # the name\n")
///     >>> doc["name"] = "store"
///     >>> doc.dump()
///     'name: store   # the name\n'
///     >>> interpolate.load(b"- 1\n")[0]
///     1
#[pyfunction]
#[pyo3(signature = (source, *, name = None, dialect = None))]
pub(crate) fn load<'py>(
    source: &Bound<'py, PyAny>,
    name: Option<String>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let reader = match dialect {
        Some(name) => {
            let dialect = name.parse().map_err(PyValueError::new_err::<String>)?;
            Reader::new().dialect(dialect)
        }
        None => Reader::new(),
    };
    let Some(text) = Text::of(source)? else {
        let message = format!(
            "load takes str, bytes, a path or an open file, not {}",
            source.get_type()
        );
        return Err(PyTypeError::new_err(message));
    };
    let name = name.or_else(|| text.name.clone()).unwrap_or_else(|| "document".into());
    Document::made(source.py(), text.parse(&reader, &name)?)
}

/// The classes of documents that are mappings or lists, too. Only Python makes classes with
/// two bases.
struct Classes {
    mapping: Py<PyType>,
    list: Py<PyType>,
}

impl Classes {
    fn of(py: Python<'_>) -> PyResult<&'static Classes> {
        static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
        CLASSES.get_or_try_init(py, || {
            Ok(Classes {
                mapping: class(
                    py,
                    "MappingDocument",
                    "A document that is a mapping, or empty: a `collections.abc.MutableMapping`.",
                    &py.get_type::<MappingNode>(),
                )?,
                list: class(
                    py,
                    "ListDocument",
                    "A document that is a list: a `collections.abc.MutableSequence`.",
                    &py.get_type::<ListNode>(),
                )?,
            })
        })
    }
}

fn class(
    py: Python<'_>,
    name: &str,
    about: &str,
    base: &Bound<'_, PyType>,
) -> PyResult<Py<PyType>> {
    let bases = PyTuple::new(py, [&py.get_type::<Document>(), base])?;
    let members = [("__module__", "interpolate"), ("__doc__", about)].into_py_dict(py)?;
    members.set_item("__slots__", PyTuple::empty(py))?;
    let made = py.get_type::<PyType>().call1((name, bases, members))?;
    Ok(made.cast_into::<PyType>()?.unbind())
}

/// Adds the classes of nodes and documents to the module, and tells Python what they are like.
pub(crate) fn export(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Document>()?;
    module.add_class::<Node>()?;
    module.add_class::<MappingNode>()?;
    module.add_class::<ListNode>()?;
    let classes = Classes::of(py)?;
    module.add("MappingDocument", classes.mapping.bind(py))?;
    module.add("ListDocument", classes.list.bind(py))?;
    let abc = py.import("collections.abc")?;
    let mapping = abc.getattr("MutableMapping")?;
    mapping.call_method1("register", (py.get_type::<MappingNode>(),))?;
    let list = abc.getattr("MutableSequence")?;
    list.call_method1("register", (py.get_type::<ListNode>(),))?;
    Ok(())
}

impl Document {
    /// Returns the Python object of a document.
    pub(crate) fn made(
        py: Python<'_>,
        document: interpolate::Document,
    ) -> PyResult<Bound<'_, PyAny>> {
        let root = document.root();
        let kind = root.kind();
        let is_empty = root.is_null();
        let node = Bound::new(py, Node::root(State::new(document)))?;
        let classes = Classes::of(py)?;
        match kind {
            Kind::Sequence => classes.list.bind(py).call1((node,)),
            Kind::Scalar if !is_empty => py.get_type::<Document>().call1((node,)),
            Kind::Mapping | Kind::Scalar => classes.mapping.bind(py).call1((node,)),
        }
    }

    /// Returns another document with the same content.
    fn copied<'py>(document: &Bound<'py, Document>) -> PyResult<Bound<'py, PyAny>> {
        let copy = document.as_super().get().state()?.document.clone();
        Document::made(document.py(), copy)
    }
}

#[pymethods]
impl Document {
    #[new]
    fn new(root: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Document>> {
        // Nobody else has a node that is no mapping and no list.
        match root.cast_exact::<Node>() {
            Ok(root) => {
                Ok(PyClassInitializer::from(root.get().again()).add_subclass(Document))
            }
            Err(_) => Err(PyTypeError::new_err("`interpolate.load` makes documents")),
        }
    }

    /// Returns all that a JSONPath query selects.
    ///
    ///     >>> interpolate.load("jobs: [{name: web, n: 1}, {name: db, n: 2}]\n").select("$..name")
    ///     ['web', 'db']
    fn select(slf: &Bound<'_, Self>, query: &str) -> PyResult<Vec<Py<PyAny>>> {
        let root = slf.as_super().get();
        let found = root.state()?.select(query).map_err(raised)?;
        let found = found.iter().map(|pointer| root.found(pointer)?.object(slf.py()));
        found.collect()
    }

    /// Sets what stands at a path; see `at`. In one that begins with `/`, `?` makes what is
    /// missing: `/env?/proxy`. In others missing mappings at the end are made.
    ///
    ///     >>> doc = interpolate.load("image: {tag: '1.9'}   # ours\n")
    ///     >>> doc.set("image.tag", "1.10")
    ///     >>> doc.set("/env?/proxy", "p")
    ///     >>> print(doc.dump(), end="")
    ///     image: {tag: '1.10'}   # ours
    ///     env:
    ///       proxy: p
    fn set(slf: &Bound<'_, Self>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Value::of(value)?;
        slf.as_super().get().apply_at(path, Patch::new().replace(path, value))
    }

    /// Removes what stands at a path; see `at`. With `?` at its end it may be missing.
    fn delete(slf: &Bound<'_, Self>, path: &str) -> PyResult<()> {
        slf.as_super().get().apply_at(path, Patch::new().remove(path))
    }

    /// Applies an ops-file, a JSON Patch or an OpenAPI Overlay: plain data, or a text as `load`
    /// takes it. `name` is its name in messages.
    ///
    ///     >>> doc = interpolate.load("n: 1   # how many\n")
    ///     >>> doc.patch([{"type": "replace", "path": "/n", "value": 2}])
    ///     >>> doc.dump()
    ///     'n: 2   # how many\n'
    #[pyo3(signature = (ops, *, name = None))]
    fn patch(
        slf: &Bound<'_, Self>,
        ops: &Bound<'_, PyAny>,
        name: Option<String>,
    ) -> PyResult<()> {
        let node = slf.as_super().get();
        let Some(text) = Text::of(ops)? else {
            // As JSON, whose texts take the quotes of those that they replace.
            let text = document_of(ops)?.to_json().map_err(raised)?;
            let name = name.unwrap_or_else(|| "ops".into());
            return node.apply(Patch::parse(&name, &text));
        };
        let name = name.or_else(|| text.name.clone()).unwrap_or_else(|| "ops".into());
        let text = text.parse(&Reader::new(), &name)?.to_string();
        node.apply(Patch::parse(&name, &text))
    }

    /// Applies the merge directives of the document: keys such as `+/path`.
    fn expand(slf: &Bound<'_, Self>) -> PyResult<()> {
        let root = slf.as_super().get();
        let directives = Patch::directives(&root.state()?.document);
        root.apply(directives)
    }

    /// Replaces the `((names))` that have a value.
    ///
    ///     >>> doc = interpolate.load("url: ((host)):80\n")
    ///     >>> doc.fill({"host": "db"})
    ///     >>> doc["url"]
    ///     'db:80'
    fn fill(slf: &Bound<'_, Self>, values: &Bound<'_, PyDict>) -> PyResult<()> {
        let variables = variables(values)?;
        slf.as_super().get().state()?.fill(&variables).map_err(raised)
    }

    /// Puts edited data back: changes the text as little as possible, so that it has this
    /// value. Merge directives stay, and so do `((names))` that still have their value in
    /// `values`, and templates if `evaluate` is true. Returns notes about what could not be
    /// kept.
    ///
    ///     >>> doc = interpolate.load("b: 2   # two\na: 1   # one\n")
    ///     >>> doc.put({"a": 1, "b": 3})
    ///     []
    ///     >>> doc.dump()
    ///     'b: 3   # two\na: 1   # one\n'
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

    /// Returns the text: what no edit changed keeps its bytes.
    fn dump(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(slf.as_super().get().state()?.document.to_string())
    }

    /// Tells who made the values at a path what they are; see `at`. A JSONPath may lead to
    /// several.
    fn explain(slf: &Bound<'_, Self>, path: &str) -> PyResult<Vec<PlaceHistory>> {
        let found = slf.as_super().get().state()?.explain(path).map_err(raised)?;
        Ok(found.into_iter().map(PlaceHistory::new).collect())
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Document::copied(slf)
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        _memo: &Bound<'_, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Document::copied(slf)
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Document::dump(slf)
    }

    // The text may have secrets.
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<interpolate.{}>", slf.get_type().name()?))
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
