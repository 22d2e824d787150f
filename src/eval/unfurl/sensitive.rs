//! Values that are never shown: a value comes in, the same under a mark goes out.

use crate::python::{
    Class, Exception, Object, Result, Stamp, Str, Value, iterate, length,
};

/// What stands in their place.
pub(in crate::eval) const REDACTED: &str = "<<REDACTED>>";

/// A value that has no stamp of its own, marked.
#[derive(Debug)]
struct Sensitive(Value);

/// Marks a value. Numbers, booleans and null cannot be marked.
pub(super) fn mark(value: &Value) -> Result<Value> {
    Ok(match value.force()? {
        Value::Str(text) => {
            let stamp = Stamp { sensitive: true, quoted: true, ..text.stamp() };
            Value::Str(Str::stamped(text.shared(), stamp))
        }
        held @ (Value::List(_) | Value::Dict(_) | Value::Bytes(_) | Value::Tuple(_)) => {
            Value::object(Sensitive(held))
        }
        other => other,
    })
}

/// Whether a value is marked.
pub(super) fn is_marked(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.is_sensitive(),
        other => other.downcast::<Sensitive>().is_some(),
    }
}

/// What is under the mark.
pub(super) fn bare(value: &Value) -> Value {
    match value.downcast::<Sensitive>() {
        Some(marked) => marked.0.clone(),
        None => value.clone(),
    }
}

/// What is found in a marked value is marked as well.
fn within(found: Option<Value>) -> Result<Option<Value>> {
    found.as_ref().map(mark).transpose()
}

impl Object for Sensitive {
    fn type_name(&self) -> &str {
        self.0.type_name()
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        within(super::step::child(&self.0, key)?)
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        within(super::step::child(&self.0, &Value::text(name))?)
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        let members = iterate(&self.0)?;
        Ok(Some(members.iter().map(mark).collect::<Result<_>>()?))
    }

    fn length(&self) -> Option<usize> {
        length(&self.0).ok()
    }

    fn display(&self) -> Result<String> {
        Ok(REDACTED.to_owned())
    }

    fn call(&self, _arguments: crate::python::Arguments) -> Result<Value> {
        Err(Exception::new(Class::Type, "a sensitive value is not callable"))
    }

    fn equals(&self, other: &Value) -> bool {
        crate::python::equal(&self.0, &bare(other)).unwrap_or(false)
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::text(REDACTED))
    }
}
