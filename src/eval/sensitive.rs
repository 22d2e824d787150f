//! Sensitive values: they can be used but are shown as `<<REDACTED>>`.

use super::Context;
use super::hidden_text::REDACTED;
use crate::eval::python::{
    self, Arguments, Key, Object, Result, Secrecy, Stamp, Str, Value, item, iterate,
    length, time,
};

/// A sensitive value that is not a text. A text carries the mark in its stamp.
#[derive(Debug)]
struct Sensitive(Value);

/// Marks a value as sensitive. Numbers, booleans and null cannot be marked.
pub(super) fn mark(value: &Value, context: &Context) -> Result<Value> {
    context.raise_secrecy(Secrecy::Sensitive);
    Ok(mark_new(&value.force()?))
}

/// Marks a value, when the context knows already that there are sensitive values.
pub(super) fn mark_new(value: &Value) -> Value {
    match value {
        Value::Str(text) => {
            let stamp =
                Stamp { secrecy: Secrecy::Sensitive, quoted: true, ..text.stamp() };
            Value::Str(Str::stamped(text.shared(), stamp))
        }
        Value::List(_) | Value::Dict(_) | Value::Set(_) => sealed(value),
        Value::Bytes(_) | Value::Tuple(_) => sealed(value),
        Value::Object(_) if time::is_time(value) => sealed(value),
        other => other.clone(),
    }
}

fn sealed(value: &Value) -> Value {
    Value::object(Sensitive(value.clone()))
}

pub(super) fn is_marked(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.is_sensitive(),
        other => other.downcast::<Sensitive>().is_some(),
    }
}

/// Returns a value without its mark.
pub(super) fn bare(value: &Value) -> Value {
    under(value).unwrap_or(value).clone()
}

/// Returns the value under the mark, if it is not a text.
pub(super) fn under(value: &Value) -> Option<&Value> {
    value.downcast::<Sensitive>().map(|marked| &marked.0)
}

fn member(value: &Value, key: &Value) -> Result<Option<Value>> {
    match (value, Key::new(key.clone())) {
        (Value::Dict(entries), Ok(key)) => entries.get(&key),
        _ => Ok(item(value, key).ok()),
    }
}

impl Sensitive {
    /// Marks a member of a marked value. The bytes of a marked value are sealed, too,
    /// although numbers cannot be marked otherwise.
    fn within(&self, found: &Value) -> Result<Value> {
        let found = found.force()?;
        Ok(match (&self.0, &found) {
            (Value::Bytes(_) | Value::Object(_), Value::Int(_)) => sealed(&found),
            _ => mark_new(&found),
        })
    }
}

impl Object for Sensitive {
    fn type_name(&self) -> &str {
        self.0.type_name()
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        member(&self.0, key)?.map(|found| self.within(&found)).transpose()
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let found = match member(&self.0, &Value::text(name))? {
            None if time::is_time(&self.0) => python::attribute(&self.0, name)?,
            found => found,
        };
        found.map(|found| self.within(&found)).transpose()
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        let members = iterate(&self.0)?;
        Ok(Some(members.iter().map(|member| self.within(member)).collect::<Result<_>>()?))
    }

    fn length(&self) -> Option<usize> {
        length(&self.0).ok()
    }

    fn display(&self) -> Result<String> {
        Ok(REDACTED.to_owned())
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        let method = self.attribute(name)?.unwrap_or(Value::None);
        python::call(&method, arguments).and_then(|made| self.within(&made))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(crate::eval::python::equal(&self.0, &bare(other)).unwrap_or(false))
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::text(REDACTED))
    }
}
