//! `resource_facade` and `Fn::ResourceFacade`: the name of a part of the resource that a
//! template stands for comes in, that part goes out.

use super::Call;
use crate::eval::python::{self, Class, Dict, Exception, Result, Value};
use crate::hot::exception::{at, meant};
use crate::hot::{File, Stack};

/// What `resource_facade` calls the parts.
const NAMES: [&str; 3] = ["metadata", "deletion_policy", "update_policy"];

/// What `Fn::ResourceFacade` calls them.
const OLD: [&str; 3] = ["Metadata", "DeletionPolicy", "UpdatePolicy"];

pub(super) fn check(call: &Call) -> Result<()> {
    part(call, NAMES).map(drop)
}

pub(super) fn check_old(call: &Call) -> Result<()> {
    part(call, OLD).map(drop)
}

/// The part that is asked for.
fn part(call: &Call, names: [&str; 3]) -> Result<&'static str> {
    let asked = names.iter().position(|name| call.arguments.as_str() == Some(name));
    asked.and_then(|at| NAMES.get(at).copied()).ok_or_else(|| {
        Exception::of_value(format!(
            "Incorrect arguments to \"{}\" should be one of: {}",
            call.name(),
            names.join(", ")
        ))
    })
}

/// Looks at what is given: anything but the parts may be a mistake.
pub(in crate::hot) fn validate(stack: &Stack) -> Result<()> {
    for entry in stack.input.facade.as_ref().map_or(Ok(Vec::new()), File::entries)? {
        let name = python::str(entry.key.value())?;
        if !NAMES.contains(&&*name) {
            let message = format!("nothing asks for '{name}' of a resource");
            let raised = meant(Exception::new(Class::Missing, message), NAMES, &name);
            stack.warn(*at(raised, entry.place.key));
        }
    }
    Ok(())
}

pub(super) fn facade(call: &Call, stack: &Stack) -> Result<Value> {
    get(stack, part(call, NAMES)?)
}

pub(super) fn old_facade(call: &Call, stack: &Stack) -> Result<Value> {
    get(stack, part(call, OLD)?)
}

fn get(stack: &Stack, part: &str) -> Result<Value> {
    let Some(parent) = &stack.input.facade else {
        let message = "the template stands for no resource";
        let hint = "`--facade FILE` says what it stands for";
        return Err(Exception::new(Class::Missing, message).hint(hint));
    };
    let mut known = None;
    for entry in parent.entries()? {
        if entry.key.as_str() == Some(part) {
            known = Some(entry.value);
        }
    }
    Ok(match (known, part) {
        (None | Some(Value::None), "deletion_policy") => Value::from("Delete"),
        (None | Some(Value::None), _) => Value::Dict(Dict::default()),
        (Some(known), _) => known,
    })
}
