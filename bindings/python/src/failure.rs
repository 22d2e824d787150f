//! Errors as exceptions.

use pyo3::exceptions::{PyException, PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict, PyTuple, PyType};

pyo3::create_exception!(
    interpolate,
    Error,
    PyException,
    "Everything that went wrong in an operation, which then changed nothing.\n\n\
     `str` prints each problem with its places and hints; `rendered` shows the lines, too."
);

/// A place in a text.
#[pyclass(frozen, get_all, eq, module = "interpolate")]
#[derive(Clone, PartialEq)]
pub(crate) struct Place {
    /// The name of the text.
    name: String,
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// A note about the place.
    note: String,
}

/// One error or warning.
#[pyclass(frozen, module = "interpolate")]
#[derive(Clone)]
pub(crate) struct Problem {
    /// The message.
    #[pyo3(get)]
    message: String,
    /// The places, the most important one first.
    #[pyo3(get)]
    places: Vec<Place>,
    /// Suggestions.
    #[pyo3(get)]
    hints: Vec<String>,
    printed: String,
}

impl Place {
    pub(crate) fn new(place: interpolate::Place) -> Place {
        let interpolate::Place { name, line, column, note, .. } = place;
        Place { name, line, column, note }
    }
}

#[pymethods]
impl Place {
    fn __str__(&self) -> String {
        format!("{}:{}:{}", self.name, self.line, self.column)
    }

    fn __repr__(&self) -> String {
        format!("<Place {}>", self.__str__())
    }
}

impl Problem {
    pub(crate) fn new(problem: interpolate::Problem) -> Problem {
        let printed = problem.to_string();
        let places = problem.places.into_iter();
        Problem {
            message: problem.message,
            places: places.map(Place::new).collect(),
            hints: problem.hints,
            printed,
        }
    }
}

#[pymethods]
impl Problem {
    fn __str__(&self) -> &str {
        &self.printed
    }

    fn __repr__(&self) -> String {
        format!("<Problem {:?}>", self.message)
    }
}

/// Returns the exception of an error.
pub(crate) fn raised(error: interpolate::Error) -> PyErr {
    Python::attach(|py| {
        let class = py.get_type::<Error>();
        exception(&class, &error).unwrap_or_else(|failed| failed)
    })
}

/// Returns the exception of an error about a place that does not exist.
pub(crate) fn missing(error: interpolate::Error) -> PyErr {
    Python::attach(|py| {
        let made = not_found_type(py).and_then(|class| exception(&class, &error));
        made.unwrap_or_else(|failed| failed)
    })
}

/// Returns the exception of a key that does not exist, of a type that no pointer names.
pub(crate) fn no_key(key: &Bound<'_, PyAny>) -> PyErr {
    let shown = key.repr().map_or_else(|_| String::new(), |shown| format!(" {shown}"));
    not_found(&format!("there is no key{shown}"))
}

/// Returns the exception of something that does not exist, without a place.
pub(crate) fn not_found(message: &str) -> PyErr {
    Python::attach(|py| {
        let made = not_found_type(py).and_then(|class| told(&class, message));
        made.unwrap_or_else(|failed| failed)
    })
}

/// Returns the exception of an entry that a pointer cannot name.
pub(crate) fn ambiguous() -> PyErr {
    let message = "the key is a collection, or one of another type has the same text";
    Python::attach(|py| {
        told(&py.get_type::<Error>(), message).unwrap_or_else(|failed| failed)
    })
}

/// The class `NotFound`: an `Error` that is also what a dict and a list raise.
pub(crate) fn not_found_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let bases = PyTuple::new(
            py,
            [
                py.get_type::<Error>(),
                py.get_type::<PyKeyError>(),
                py.get_type::<PyIndexError>(),
            ],
        )?;
        // The one of KeyError quotes the message.
        let str = py.get_type::<PyException>().getattr("__str__")?;
        let members: Bound<'_, PyDict> = [("__str__", str)].into_py_dict(py)?;
        members.set_item("__module__", "interpolate")?;
        members.set_item("__doc__", "A key, an item or a place that does not exist.")?;
        let made = py.get_type::<PyType>().call1(("NotFound", bases, members))?;
        Ok::<_, PyErr>(made.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py).clone())
}

fn exception(class: &Bound<'_, PyType>, error: &interpolate::Error) -> PyResult<PyErr> {
    let problems: Vec<Problem> = error.problems().into_iter().map(Problem::new).collect();
    let first = problems.first();
    let message = first.map_or_else(String::new, |first| first.message.clone());
    let places = problems.iter().flat_map(|problem| problem.places.clone());
    let made = class.call1((error.to_string(),))?;
    made.setattr("message", message)?;
    made.setattr("places", places.collect::<Vec<_>>())?;
    made.setattr("problems", problems)?;
    made.setattr("rendered", error.render(false))?;
    Ok(PyErr::from_value(made))
}

/// Returns an exception without a place.
fn told(class: &Bound<'_, PyType>, message: &str) -> PyResult<PyErr> {
    let made = class.call1((message,))?;
    made.setattr("message", message)?;
    made.setattr("places", Vec::<Place>::new())?;
    made.setattr("problems", Vec::<Problem>::new())?;
    made.setattr("rendered", format!("error: {message}"))?;
    Ok(PyErr::from_value(made))
}
