//! `namespace`: the one value whose attributes `{% set %}` can change.

use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{Arguments, Dict, Key, Object, Result, Value, dict};

#[derive(Debug)]
struct Namespace(Dict);

/// `namespace(a=1)`
pub(super) fn namespace(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::object(Namespace(dict(arguments)?)))
}

impl Object for Namespace {
    fn type_name(&self) -> &str {
        "Namespace"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        self.0.get_text(name)
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        self.0.get(&Key::new(key.clone())?)
    }

    fn set_attribute(&self, name: &str, value: Value) -> Result<()> {
        self.0.set(Key::text(name), value);
        Ok(())
    }
}
