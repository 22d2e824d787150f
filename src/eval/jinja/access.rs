//! `value.name` and `value[key]`. A missing member gives an undefined value that names it.

use crate::diagnostic::work_of_near;
use crate::eval::python::{self, Class, Exception, Key, Result, Value};

use super::undefined::{Undefined, caught};

/// Methods of integers that templates may call although their names begin with `_`, with
/// their operators. Ansible allows them because Jinja has no bitwise operators.
pub(super) const BITWISE: [(&str, &str); 5] = [
    ("__and__", "&"),
    ("__lshift__", "<<"),
    ("__or__", "|"),
    ("__rshift__", ">>"),
    ("__xor__", "^"),
];

/// Returns `value.name`: an attribute, else an item, else an undefined value.
pub(super) fn attribute(value: &Value, name: &str) -> Result<Value> {
    if value.downcast::<Undefined>().is_some() {
        return Ok(value.clone());
    }
    let value = value.force()?;
    let safe = !name.starts_with('_');
    if safe && let Some(found) = python::attribute(&value, name)? {
        return Ok(found);
    }
    let found = match &value {
        Value::Dict(entries) => entries.get_text(name),
        Value::Object(object) => object.item(&Value::text(name)),
        _ => Ok(None),
    };
    match found {
        Ok(Some(found)) => Ok(found),
        Ok(None) if safe => Ok(missing(&value, &format!("'{name}'"))),
        Ok(None) => Ok(Undefined::because(format!(
            "access to attribute '{name}' of '{}' object is unsafe.",
            value.type_name()
        ))),
        Err(exception) => caught(Err(exception)),
    }
}

/// Returns `value[key]`: an item, else an attribute, else an undefined value.
pub(super) fn item(value: &Value, key: &Value) -> Result<Value> {
    for one in [value, key] {
        if one.downcast::<Undefined>().is_some() {
            return Ok(one.clone());
        }
    }
    let value = value.force()?;
    let found = match &value {
        Value::Dict(entries) => match Key::new(key.clone()) {
            Ok(key) => entries.get(&key),
            Err(_) => Ok(None),
        },
        _ => match python::item(&value, key) {
            Err(exception) if is_lookup(&exception) => Ok(None),
            found => found.map(Some),
        },
    };
    match found {
        Ok(Some(found)) => return Ok(found),
        Ok(None) => {}
        Err(exception) => return caught(Err(exception)),
    }
    if let Some(name) = key.as_str()
        && !name.starts_with('_')
        && let Some(found) = python::attribute(&value, name)?
    {
        return Ok(found);
    }
    Ok(missing(&value, &python::repr(key)?))
}

/// Returns true if a member is missing. An exception with places comes from evaluating a
/// member that exists.
fn is_lookup(exception: &Exception) -> bool {
    let classes = [Class::Type, Class::Key, Class::Index, Class::Attribute];
    exception.places.is_empty() && classes.contains(&exception.class)
}

fn missing(value: &Value, what: &str) -> Value {
    let message =
        format!("object of type '{}' has no attribute {what}", value.type_name());
    let exception = Exception::new(Class::Undefined, message);
    let wanted = what.trim_matches('\'');
    let Value::Dict(entries) = value else { return Undefined::of(exception) };
    let entries = entries.read();
    let names = entries.keys().filter_map(Key::as_str);
    python::charge_suggestion(work_of_near(names.clone(), wanted));
    Undefined::of(exception.did_you_mean(names, wanted))
}
