//! Values that are never shown: a value comes in, the same under a mark goes out.

use super::Context;
use super::secret::Guard;
use crate::python::{
    Class, Exception, Key, Object, Result, Stamp, Str, Value, item, iterate, length,
};

/// What stands in their place.
pub(super) const REDACTED: &str = "<<REDACTED>>";

/// A value that has no stamp of its own, marked.
#[derive(Debug)]
struct Sensitive(Value);

/// Marks a value. Numbers, booleans and null cannot be marked.
pub(super) fn mark(value: &Value, context: &Context) -> Result<Value> {
    context.guard_more(Guard::Marked);
    Ok(mark_new(&value.force()?))
}

/// Marks a value, where something was marked before.
pub(super) fn mark_new(value: &Value) -> Value {
    match value {
        Value::Str(text) => {
            let stamp = Stamp { sensitive: true, quoted: true, ..text.stamp() };
            Value::Str(Str::stamped(text.shared(), stamp))
        }
        Value::List(_) | Value::Dict(_) | Value::Set(_) => sealed(value),
        Value::Bytes(_) | Value::Tuple(_) => sealed(value),
        other => other.clone(),
    }
}

fn sealed(value: &Value) -> Value {
    Value::object(Sensitive(value.clone()))
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
    under(value).unwrap_or(value).clone()
}

/// What is under the mark of a value that has no stamp of its own.
pub(super) fn under(value: &Value) -> Option<&Value> {
    value.downcast::<Sensitive>().map(|marked| &marked.0)
}

/// What is found in a marked value is marked as well.
fn within(found: Option<Value>) -> Result<Option<Value>> {
    let found = found.map(|found| found.force()).transpose()?;
    Ok(found.as_ref().map(mark_new))
}

fn member(value: &Value, key: &Value) -> Result<Option<Value>> {
    match (value, Key::new(key.clone())) {
        (Value::Dict(entries), Ok(key)) => entries.get(&key),
        _ => Ok(item(value, key).ok()),
    }
}

impl Object for Sensitive {
    fn type_name(&self) -> &str {
        self.0.type_name()
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        within(member(&self.0, key)?)
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        within(member(&self.0, &Value::text(name))?)
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        let members = iterate(&self.0)?;
        let marked = members.iter().map(|member| Ok(mark_new(&member.force()?)));
        Ok(Some(marked.collect::<Result<_>>()?))
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
