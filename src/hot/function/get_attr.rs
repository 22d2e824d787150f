//! `get_attr`: the name of a resource, perhaps that of an attribute and a path into it come
//! in; what is there goes out, or null.

use super::Call;
use super::argument::{member, of_type};
use crate::eval::python::{self, Class, Dict, Exception, Result, Value};
use crate::hot::exception::meant;
use crate::hot::{Resource, Stack};

/// An attribute has to be named.
pub(super) fn check(call: &Call) -> Result<()> {
    let name = call.name();
    match &call.arguments {
        Value::List(parts) if parts.len() >= 2 => Ok(()),
        Value::List(_) => Err(Exception::of_value(format!(
            "Arguments to \"{name}\" must be of the form \
             [resource_name, attribute, (path), ...]"
        ))),
        _ => Err(of_type(format!("Argument to \"{name}\" must be a list"))),
    }
}

/// From 2015-10-15 on, without one all attributes are meant.
pub(super) fn check_all(call: &Call) -> Result<()> {
    let name = call.name();
    match &call.arguments {
        Value::List(parts) if !parts.is_empty() => Ok(()),
        // A text of one character is as good as a list with it, to Python.
        Value::Str(text) if text.chars().count() == 1 => Ok(()),
        arguments if Call::of(arguments).is_none() && !python::truth(arguments)? => {
            Err(Exception::of_value(format!(
                "Arguments to \"{name}\" can be of the next forms: [resource_name] or \
                 [resource_name, attribute, (path), ...]"
            )))
        }
        _ => Err(of_type(format!("Argument to \"{name}\" must be a list"))),
    }
}

/// The name of the resource, that of the attribute and the path; not resolved.
fn parts(call: &Call) -> (Value, Value, Value) {
    let parts = match &call.arguments {
        Value::List(parts) => parts.read().clone(),
        other => vec![other.clone()],
    };
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or(Value::None);
    (next(), next(), Value::list(parts))
}

/// The name of the resource.
pub(super) fn resource(call: &Call, stack: &Stack) -> Result<Option<Value>> {
    stack.resolve(&parts(call).0).map(Some)
}

pub(super) fn validate(call: &Call, stack: &Stack) -> Result<()> {
    named(call, stack, false)
}

pub(super) fn validate_all(call: &Call, stack: &Stack) -> Result<()> {
    named(call, stack, true)
}

/// What is not there yet may have any attribute.
fn named(call: &Call, stack: &Stack, optional: bool) -> Result<()> {
    stack.validate_arguments(call)?;
    let (resource, attribute, _) = parts(call);
    let found = stack.resource(&stack.resolve(&resource)?)?;
    if optional && matches!(attribute, Value::None) {
        return Ok(());
    }
    let attribute = stack.resolve(&attribute)?;
    if found.is_live() { get(found, &attribute).map(drop) } else { Ok(()) }
}

fn get(resource: &Resource, attribute: &Value) -> Result<Value> {
    let attributes = resource.attributes.as_ref();
    let known = match attributes {
        Some(attributes) => attributes.get(&python::Key::new(attribute.clone())?)?,
        None => None,
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let (name, attribute) = (&resource.name, python::str(attribute)?);
    let message = format!("The Referenced Attribute ({name} {attribute}) is incorrect.");
    let raised = Exception::new(Class::Missing, message);
    Err(match attributes {
        Some(attributes) => {
            let names = attributes.keys();
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            let raised = meant(raised, names.iter().copied(), &attribute);
            match raised.hint {
                Some(_) => raised,
                None => raised
                    .hint(format!("`--attrs` gives '{name}' only: {}", names.join(", "))),
            }
        }
        None => raised.hint(format!("`--attrs` says nothing of '{name}'")),
    })
}

/// An attribute, and what a path leads to in it.
pub(super) fn one(call: &Call, stack: &Stack) -> Result<Value> {
    let (resource, attribute, path) = parts(call);
    let (attribute, path) = (stack.resolve(&attribute)?, stack.resolve(&path)?);
    let resource = stack.resource(&stack.resolve(&resource)?)?;
    if !resource.is_live() {
        return stack.unresolved(call, Value::None);
    }
    let mut value = get(resource, &attribute)?;
    for step in python::iterate(&path)? {
        let Some(member) = member(&value, &step)? else { return Ok(Value::None) };
        value = member;
    }
    Ok(value)
}

/// An attribute, or a map of all but `show`, which is all that the service tells.
pub(super) fn any(call: &Call, stack: &Stack) -> Result<Value> {
    let (resource, attribute, _) = parts(call);
    if !matches!(attribute, Value::None) {
        return one(call, stack);
    }
    let resource = stack.resource(&stack.resolve(&resource)?)?;
    if !resource.is_live() {
        return stack.unresolved(call, Value::None);
    }
    let mut all = match &resource.attributes {
        Some(attributes) => attributes.entries()?,
        None => Vec::new(),
    };
    all.retain(|(name, _)| name.as_str() != Some("show"));
    Ok(Value::Dict(all.into_iter().collect::<Dict>()))
}
