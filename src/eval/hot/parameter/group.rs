//! `parameter_groups`: whether every parameter that is grouped is one, and grouped once.

use crate::eval::hot::exception::at;
use crate::eval::hot::path::joined;
use crate::eval::hot::template::Template;
use crate::python::{self, Class, Dict, Exception, Result, Value};

use super::Parameters;

/// Checks the groups of a template.
pub(in crate::eval::hot) fn validate(
    template: &Template,
    parameters: &Parameters,
) -> Result<()> {
    let Some(section) = template.get(template.root, "parameter_groups") else {
        return Ok(());
    };
    let groups = template.data(section)?;
    let checked = match &groups {
        groups if !python::truth(groups)? => Ok(()),
        Value::List(groups) => {
            let mut grouped = Vec::new();
            let groups = groups.items()?;
            groups.iter().try_for_each(|group| one(group, &mut grouped, parameters))
        }
        _ => Err(wrong(None, "The parameter_groups should be a list.")),
    };
    checked.map_err(|raised| at(raised, template.span(section)))
}

fn one(group: &Value, grouped: &mut Vec<Value>, known: &Parameters) -> Result<()> {
    let Value::Dict(group) = group else {
        let message = format!("'{}' object has no attribute 'get'", group.type_name());
        return Err(Exception::new(Class::Attribute, message));
    };
    let label = label(group)?;
    let wrong = |message: &str| wrong(Some(&label), message);
    let members = match group.get_text("parameters")? {
        None | Some(Value::None) => {
            let message = "The parameters must be provided for each parameter group.";
            return Err(wrong(message));
        }
        Some(Value::List(members)) => members.items()?,
        Some(_) => {
            let message = "The parameters of parameter group should be a list.";
            return Err(wrong(message));
        }
    };
    for member in members {
        let name = python::str(&member)?;
        for other in grouped.iter() {
            if python::equal(other, &member)? {
                return Err(wrong(&format!(
                    "The {name} parameter must be assigned to one parameter group only."
                )));
            }
        }
        // Heat looks this up before the stack has a name.
        let mut names = known.names().filter(|known| *known != "OS::stack_name");
        if !names.any(|known| member.as_str() == Some(known)) {
            return Err(wrong(&format!(
                "The grouped parameter {name} does not reference a valid parameter."
            )));
        }
        grouped.push(member);
    }
    Ok(())
}

fn label(group: &Dict) -> Result<String> {
    group.get_text("label")?.map_or(Ok(String::new()), |label| python::str(&label))
}

fn wrong(label: Option<&str>, message: &str) -> Box<Exception> {
    let path: Vec<&str> = std::iter::once("parameter_groups").chain(label).collect();
    let message = format!("Parameter Groups error: {}: {message}", joined(&path));
    Exception::new(Class::Syntax, message)
}
