//! Values in the shape of what they are assigned to.

use crate::eval::python::{self, Result, Value};

use super::ast::Target;
use super::value::{MachineValue, wrap};

/// A value in the shape of what it is assigned to.
pub(super) fn shape(target: &Target, value: Value) -> Result<MachineValue> {
    match target {
        Target::Tuple(targets) => {
            let items = python::unpack_count(&value, targets.len())?;
            let items =
                targets.iter().zip(items).map(|(target, item)| shape(target, item));
            Ok(MachineValue::from(items.collect::<Result<Vec<_>>>()?))
        }
        Target::Name(_) | Target::Attribute(..) => Ok(wrap(value)),
    }
}

/// Nothing, in the shape of what it is assigned to.
pub(super) fn blank(target: &Target) -> MachineValue {
    match target {
        Target::Tuple(targets) => {
            MachineValue::from(targets.iter().map(blank).collect::<Vec<_>>())
        }
        Target::Name(_) | Target::Attribute(..) => MachineValue::default(),
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
