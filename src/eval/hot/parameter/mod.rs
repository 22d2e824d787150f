//! The parameters of a template: their schemas and what was given come in, values go out.

use indexmap::IndexMap;

use crate::python::{Class, Exception, Result, Value};

/// Every parameter, by name.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    values: IndexMap<String, Value>,
}

impl Parameters {
    /// The value of a parameter.
    pub(super) fn value(&self, name: &str) -> Result<Value> {
        self.values.get(name).cloned().ok_or_else(|| missing(name))
    }
}

fn missing(name: &str) -> Box<Exception> {
    let message = format!("The Parameter ({name}) was not provided.");
    Exception::new(Class::Missing, message)
}
