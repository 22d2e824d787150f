//! Arguments: what a caller may leave out, and the texts that are read from many things.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::data::Value;
use crate::document::Document;
use crate::failure::raised;

/// The answer of a call if there is nothing.
pub(crate) enum Fallback {
    /// Nothing: it raises.
    Raise,
    /// A value, which may be None.
    Value(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Fallback {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Fallback> {
        Ok(Fallback::Value(object.to_owned().unbind()))
    }
}

/// A text that a caller passes: a str, bytes, a path or an open file.
pub(crate) struct Text {
    /// The name of the file, if it is one.
    pub(crate) name: Option<String>,
    stored: Stored,
}

enum Stored {
    Text(String),
    Bytes(Vec<u8>),
}

impl Text {
    /// Reads a text; None if the object is none.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Text>> {
        if let Some(stored) = Stored::of(object)? {
            return Ok(Some(Text { name: None, stored }));
        }
        if object.hasattr("__fspath__")? {
            let os = object.py().import("os")?;
            let name: String = os.call_method1("fsdecode", (object,))?.extract()?;
            let io = object.py().import("io")?;
            let file = io.call_method1("open", (object, "rb"))?;
            let read = file.call_method0("read");
            file.call_method0("close")?;
            let stored = Stored::Bytes(read?.extract()?);
            return Ok(Some(Text { name: Some(name), stored }));
        }
        if object.hasattr("read")? {
            let read = object.call_method0("read")?;
            let Some(stored) = Stored::of(&read)? else {
                let message =
                    format!("a file gives str or bytes, not {}", read.get_type());
                return Err(PyTypeError::new_err(message));
            };
            let name = object.getattr("name").and_then(|name| name.extract()).ok();
            return Ok(Some(Text { name, stored }));
        }
        Ok(None)
    }

    /// Parses it.
    pub(crate) fn parse(
        self,
        reader: &interpolate::Reader,
        name: &str,
    ) -> PyResult<interpolate::Document> {
        let parsed = match self.stored {
            Stored::Text(text) => reader.parse(name, text),
            Stored::Bytes(stored) => reader.parse_bytes(name, stored),
        };
        parsed.map_err(raised)
    }
}

impl Stored {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Stored>> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Some(Stored::Text(text.to_cow()?.into_owned())));
        }
        let is_bytes = object.is_instance_of::<PyBytes>();
        if is_bytes || object.is_instance_of::<PyByteArray>() {
            return Ok(Some(Stored::Bytes(object.extract()?)));
        }
        Ok(None)
    }
}

/// Returns a document: itself, that of a text, or that of plain data.
pub(crate) fn document_of(value: &Bound<'_, PyAny>) -> PyResult<interpolate::Document> {
    if let Ok(document) = value.cast::<Document>() {
        return Ok(document.as_super().get().state()?.document.clone());
    }
    if let Some(text) = Text::of(value)? {
        let name = text.name.clone().unwrap_or_else(|| "document".into());
        return text.parse(&interpolate::Reader::new(), &name);
    }
    interpolate::Document::from_value(Value::of(value)?).map_err(raised)
}
