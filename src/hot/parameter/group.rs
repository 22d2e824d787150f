//! `parameter_groups`: whether every parameter that is grouped is one, and grouped once.

use std::collections::HashSet;

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::hot::exception::{at, meant};
use crate::hot::part::Part;
use crate::hot::path::joined;
use crate::hot::template::Template;

use super::Parameters;

/// Checks the groups of a template.
pub(in crate::hot) fn validate(
    template: &Template,
    parameters: &Parameters,
) -> Result<()> {
    let Some(section) = template.get(template.root, "parameter_groups") else {
        return Ok(());
    };
    let section = Part::new(template, section);
    if !python::truth(&section.data()?)? {
        return Ok(());
    }
    let Some(groups) = section.items() else {
        let raised = wrong(None, "The parameter_groups should be a list.");
        return Err(at(raised, section.span()));
    };
    let mut grouped = HashSet::new();
    groups.into_iter().try_for_each(|group| {
        one(group, &mut grouped, parameters).map_err(|raised| at(raised, group.span()))
    })
}

fn one(group: Part, grouped: &mut HashSet<String>, known: &Parameters) -> Result<()> {
    let data = group.data()?;
    if !matches!(data, Value::Dict(_)) {
        let message = format!("'{}' object has no attribute 'get'", data.type_name());
        return Err(Exception::new(Class::Attribute, message));
    }
    let label = group.get("label").map_or(Ok(String::new()), |label| {
        label.data().and_then(|label| python::str(&label))
    })?;
    let wrong = |message: &str| wrong(Some(&label), message);
    let members = group.get("parameters").filter(|members| !members.is_null());
    let Some(members) = members else {
        let message = "The parameters must be provided for each parameter group.";
        return Err(wrong(message));
    };
    let Some(named) = members.items() else {
        let message = "The parameters of parameter group should be a list.";
        return Err(at(wrong(message), members.span()));
    };
    for part in named {
        let member = part.data()?;
        let name = python::str(&member)?;
        if member.as_str().is_some_and(|name| !grouped.insert(name.to_owned())) {
            let message = format!(
                "The {name} parameter must be assigned to one parameter group only."
            );
            return Err(at(wrong(&message), part.span()));
        }
        // Heat looks this up before the stack has a name.
        let is_known = |name: &str| name != "OS::stack_name" && known.has(name);
        if !member.as_str().is_some_and(is_known) {
            let message = format!(
                "The grouped parameter {name} does not reference a valid parameter."
            );
            let names = known.names().filter(|name| *name != "OS::stack_name");
            return Err(at(meant(wrong(&message), names, &name), part.span()));
        }
    }
    Ok(())
}

fn wrong(label: Option<&str>, message: &str) -> Box<Exception> {
    let path: Vec<&str> = std::iter::once("parameter_groups").chain(label).collect();
    let message = format!("Parameter Groups error: {}: {message}", joined(&path));
    Exception::new(Class::Syntax, message)
}
