//! References to parameters, resources and their attributes, files, and the resource that
//! the template implements.

use crate::eval::python::{self, Class, Dict, Exception, Key, Result, Value};
use crate::hot::exception::Placed;
use crate::hot::input::File;
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Resource, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::ResourceFacade", |c, s| facade_value(s, facade_part(c, OLD_FACADE_PARTS)?))
        .until(Version::Icehouse).check(|c| facade_part(c, OLD_FACADE_PARTS).map(drop)),
    function("get_attr", one_attribute).until(Version::Kilo).check(check_attribute)
        .validate(|c, s| validate_named(c, s, false)).resource(resource),
    function("get_attr", any_attribute).since(Version::Liberty).check(check_any_attribute)
        .validate(|c, s| validate_named(c, s, true)).resource(resource),
    function("get_file", get_file),
    function("get_param", get_param).in_conditions(Version::Newton),
    function("get_resource", get_resource).resource(|c, s| s.resolve(&c.arguments).map(Some)),
    function("resource_facade", |c, s| facade_value(s, facade_part(c, FACADE_PARTS)?))
        .check(|c| facade_part(c, FACADE_PARTS).map(drop)),
];

/// Implements `get_param: name` and `get_param: [name, path…]`.
fn get_param(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let arguments = stack.resolve(&call.arguments)?;
    if !python::truth(&arguments)? {
        return Err(call.value_error("Function \"{}\" must have arguments"));
    }
    let (parameter, path) = match &arguments {
        Value::Str(_) => (arguments, Vec::new()),
        Value::List(items) => {
            let mut path = items.items()?;
            (path.remove(0), path)
        }
        _ => return Err(call.type_error("Argument to \"{}\" must be string or list")),
    };
    let parameter = call.text(&parameter, "Parameter name in \"{}\" must be string")?;
    let mut value = stack.parameters.value(parameter)?;
    for key in &path {
        let step = step(&value, key);
        let found = step.map_or(Ok(None), |step| member(&value, &step))?;
        let Some(found) = found else { return Ok(Value::text("")) };
        value = found;
    }
    Ok(value)
}

/// Returns the item of a collection that a segment of a path selects, if there is one.
fn member(collection: &Value, step: &Value) -> Result<Option<Value>> {
    // Heat looks up only these; an attribute path ends at any other value.
    if !matches!(collection, Value::Dict(_) | Value::List(_) | Value::Str(_))
        || !matches!(step, Value::Str(_) | Value::Int(_) | Value::Big(_) | Value::Bool(_))
    {
        return Ok(None);
    }
    match python::item(collection, step) {
        Err(raised)
            if [Class::Key, Class::Index, Class::Type].contains(&raised.class) =>
        {
            Ok(None)
        }
        member => member.map(Some),
    }
}

/// Converts a segment of a path to an index if the collection is a list or a string.
fn step(collection: &Value, key: &Value) -> Option<Value> {
    match (collection, key) {
        // Heat converts with `int()` and gives an empty string if that fails.
        (Value::List(_) | Value::Str(_), Value::Str(_)) => python::int(key).ok(),
        _ => Some(key.clone()),
    }
}

pub(super) fn get_resource(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let resource = stack.resource(&stack.resolve(&call.arguments)?)?;
    match &resource.id {
        Some(id) => Ok(id.clone()),
        None => stack.unresolved(call, Value::text(&*resource.name)),
    }
}

/// Checks `get_attr: [resource, attribute, path…]`.
fn check_attribute(call: &IntrinsicCall) -> Result<()> {
    let form = "Arguments to \"{}\" must be of the form [resource_name, attribute, \
                (path), ...]";
    call.check_list(2.., form, "Argument to \"{}\" must be a list", Class::Type)
}

/// Checks `get_attr: [resource]` and `[resource, attribute, path…]`; the attribute is
/// optional since 2015-10-15.
fn check_any_attribute(call: &IntrinsicCall) -> Result<()> {
    match &call.arguments {
        Value::List(parts) if !parts.is_empty() => Ok(()),
        // A string of one character unpacks as a list of one name does.
        Value::Str(text) if text.chars().count() == 1 => Ok(()),
        arguments
            if IntrinsicCall::of(arguments).is_none() && !python::truth(arguments)? =>
        {
            Err(call.value_error(
                "Arguments to \"{}\" can be of the next forms: [resource_name] or \
                 [resource_name, attribute, (path), ...]",
            ))
        }
        _ => Err(call.type_error("Argument to \"{}\" must be a list")),
    }
}

/// Returns the names of the resource and the attribute, and the path; not resolved.
fn parts(call: &IntrinsicCall) -> (Value, Value, Value) {
    let parts = match &call.arguments {
        Value::List(parts) => parts.read().clone(),
        other => vec![other.clone()],
    };
    let mut parts = parts.into_iter();
    let resource = parts.next().unwrap_or(Value::None);
    let attribute = parts.next().unwrap_or(Value::None);
    (resource, attribute, Value::list(parts))
}

fn resource(call: &IntrinsicCall, stack: &Stack) -> Result<Option<Value>> {
    stack.resolve(&parts(call).0).map(Some)
}

/// Checks that the resource exists and, if its attributes are known, has the attribute.
fn validate_named(call: &IntrinsicCall, stack: &Stack, optional: bool) -> Result<()> {
    stack.validate_arguments(call)?;
    let (resource, attribute, _) = parts(call);
    let found = stack.resource(&stack.resolve(&resource)?)?;
    if optional && matches!(attribute, Value::None) {
        return Ok(());
    }
    let attribute = stack.resolve(&attribute)?;
    if found.is_live() { attribute_of(found, &attribute).map(drop) } else { Ok(()) }
}

fn attribute_of(resource: &Resource, attribute: &Value) -> Result<Value> {
    let attributes = resource.attributes.as_ref();
    let known = match attributes {
        Some(attributes) => attributes.get(&Key::new(attribute.clone())?)?,
        None => None,
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let name = &resource.name;
    let attribute = python::str(attribute)?;
    let message = format!("The Referenced Attribute ({name} {attribute}) is incorrect.");
    let raised = Exception::new(Class::Missing, message);
    Err(match attributes {
        Some(attributes) => {
            let names = attributes.keys();
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            let only = format!("`--attrs` gives '{name}' only: {}", names.join(", "));
            raised.did_you_mean(names, &attribute).or_hint(only)
        }
        None => raised.hint(format!("`--attrs` says nothing of '{name}'")),
    })
}

/// Returns an attribute, or what a path leads to in it; null if it leads nowhere.
fn one_attribute(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let (resource, attribute, path) = parts(call);
    let attribute = stack.resolve(&attribute)?;
    let path = stack.resolve(&path)?;
    let resource = stack.resource(&stack.resolve(&resource)?)?;
    if !resource.is_live() {
        // A resource that does not exist yet may have any attribute.
        return stack.unresolved(call, Value::None);
    }
    let mut value = attribute_of(resource, &attribute)?;
    for step in python::iterate(&path)? {
        let Some(member) = member(&value, &step)? else { return Ok(Value::None) };
        value = member;
    }
    Ok(value)
}

/// Returns an attribute, or a mapping of all attributes.
fn any_attribute(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let (resource, attribute, _) = parts(call);
    if !matches!(attribute, Value::None) {
        return one_attribute(call, stack);
    }
    let resource = stack.resource(&stack.resolve(&resource)?)?;
    if !resource.is_live() {
        return stack.unresolved(call, Value::None);
    }
    let mut all = match &resource.attributes {
        Some(attributes) => attributes.entries()?,
        None => Vec::new(),
    };
    // `show` is the raw answer of the service; Heat leaves it out of the mapping.
    all.retain(|(name, _)| name.as_str() != Some("show"));
    Ok(Value::Dict(all.into_iter().collect::<Dict>()))
}

fn get_file(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let name = stack.resolve(&call.arguments)?;
    stack.file(call, call.text(&name, "Argument to \"{}\" must be a string")?)
}

/// Names of the parts for `resource_facade`.
const FACADE_PARTS: [&str; 3] = ["metadata", "deletion_policy", "update_policy"];

/// Names of the parts for `Fn::ResourceFacade`.
const OLD_FACADE_PARTS: [&str; 3] = ["Metadata", "DeletionPolicy", "UpdatePolicy"];

fn facade_part(call: &IntrinsicCall, names: [&str; 3]) -> Result<&'static str> {
    let asked = names.iter().position(|name| call.arguments.as_str() == Some(name));
    asked.and_then(|at| FACADE_PARTS.get(at).copied()).ok_or_else(|| {
        let names = names.join(", ");
        call.value_error(&format!(
            "Incorrect arguments to \"{{}}\" should be one of: {names}"
        ))
    })
}

/// Warns of entries in the given facade that no template can ask for.
pub(in crate::hot) fn validate_facade(stack: &Stack) -> Result<()> {
    for entry in stack.input.facade.as_ref().map_or(Ok(Vec::new()), File::entries)? {
        let name = python::str(entry.key.value())?;
        if !FACADE_PARTS.contains(&&*name) {
            let message = format!("nothing asks for '{name}' of a resource");
            let raised =
                Exception::new(Class::Missing, message).did_you_mean(FACADE_PARTS, &name);
            stack.warn(*raised.placed(entry.place.key));
        }
    }
    Ok(())
}

fn facade_value(stack: &Stack, part: &str) -> Result<Value> {
    let Some(parent) = &stack.input.facade else {
        let message = "the template stands for no resource";
        let hint = "`--facade FILE` says what it stands for";
        return Err(Exception::new(Class::Missing, message).hint(hint));
    };
    let mut entries = parent.entries()?.into_iter();
    let known = entries.find(|entry| entry.key.as_str() == Some(part));
    Ok(match known.map_or(Value::None, |entry| entry.value) {
        Value::None if part == "deletion_policy" => Value::from("Delete"),
        Value::None => Value::Dict(Dict::default()),
        known => known,
    })
}
