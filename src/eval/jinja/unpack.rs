//! Values in the shape of what they are assigned to.

use crate::eval::python::{self, Result, Value};

use super::ast::Target;
use super::value::{Machine, wrap};

/// The names of templates as minijinja takes them.
pub(super) fn file(value: &Value, mark: &str) -> Result<Machine> {
    match value {
        Value::Str(name) => Ok(Machine::from(format!("{mark}{}", &**name))),
        other => {
            let names = python::iterate(other)?;
            let name =
                |name: Value| Ok(Machine::from(format!("{mark}{}", python::str(&name)?)));
            Ok(Machine::from(names.into_iter().map(name).collect::<Result<Vec<_>>>()?))
        }
    }
}

/// A value in the shape of what it is assigned to.
pub(super) fn shape(target: &Target, value: Value) -> Result<Machine> {
    match target {
        Target::Tuple(targets) => {
            let items = python::unpack_count(&value, targets.len())?;
            let items =
                targets.iter().zip(items).map(|(target, item)| shape(target, item));
            Ok(Machine::from(items.collect::<Result<Vec<_>>>()?))
        }
        Target::Name(_) | Target::Attribute(..) => Ok(wrap(value)),
    }
}

/// Nothing, in the shape of what it is assigned to.
pub(super) fn blank(target: &Target) -> Machine {
    match target {
        Target::Tuple(targets) => {
            Machine::from(targets.iter().map(blank).collect::<Vec<_>>())
        }
        Target::Name(_) | Target::Attribute(..) => Machine::default(),
    }
}

/// The values of the names of a target.
pub(super) fn spread(
    target: &Target,
    value: &Value,
    names: &mut Vec<(String, Value)>,
) -> Result<()> {
    match target {
        Target::Name(name) => names.push((name.clone(), value.clone())),
        Target::Tuple(targets) => {
            for (target, item) in
                targets.iter().zip(python::unpack_count(value, targets.len())?)
            {
                spread(target, &item, names)?;
            }
        }
        Target::Attribute(..) => {}
    }
    Ok(())
}
