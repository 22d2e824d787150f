//! Conversions between our values and those of minijinja.

use std::sync::Arc;

use minijinja::value::{Object as MachineObject, ObjectRepr, ValueKind};

use crate::eval::python::{self, Object, Result, Value};

use super::ast::Target;
use super::code::mangle;
use super::undefined::Undefined;

pub(super) type MachineValue = minijinja::Value;

/// One of our values as a value of minijinja.
#[derive(Debug)]
pub(super) struct Wrap(pub(super) Value);

impl MachineObject for Wrap {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    /// Returns the truth. `Render` has computed it before: it does not raise.
    fn is_true(self: &Arc<Self>) -> bool {
        python::truth(&self.0).unwrap_or(false)
    }

    fn custom_cmp(
        self: &Arc<Self>,
        other: &minijinja::value::DynObject,
    ) -> Option<std::cmp::Ordering> {
        let other = other.downcast_ref::<Wrap>()?;
        let same = python::equal(&self.0, &other.0).unwrap_or(false);
        Some(if same { std::cmp::Ordering::Equal } else { std::cmp::Ordering::Less })
    }
}

/// A value of minijinja as one of ours: the module that `import` gives.
#[derive(Debug)]
pub(super) struct Foreign(pub(super) MachineValue);

pub(super) fn wrap(value: Value) -> MachineValue {
    match value.downcast::<Foreign>() {
        Some(Foreign(machine)) => machine.clone(),
        None => MachineValue::from_object(Wrap(value)),
    }
}

pub(super) fn unwrap(machine: &MachineValue) -> Value {
    if let Some(Wrap(value)) = machine.downcast_object_ref::<Wrap>() {
        return value.clone();
    }
    match machine.kind() {
        ValueKind::Undefined => Undefined::because("there is nothing"),
        ValueKind::None => Value::None,
        ValueKind::Bool => Value::Bool(machine.is_true()),
        ValueKind::Number => match i64::try_from(machine.clone()) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Float(f64::try_from(machine.clone()).unwrap_or_default()),
        },
        ValueKind::String => Value::text(machine.as_str().unwrap_or_default()),
        ValueKind::Seq => {
            let items = machine.try_iter().into_iter().flatten();
            Value::tuple(items.map(|item| unwrap(&item)))
        }
        _ => Value::object(Foreign(machine.clone())),
    }
}

impl Object for Foreign {
    fn type_name(&self) -> &str {
        "TemplateModule"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let found = self.0.get_attr(&mangle(name)).ok();
        Ok(found.filter(|found| !found.is_undefined()).map(|found| unwrap(&found)))
    }
}

/// Unpacks a value into the shape of its target.
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

/// Returns undefined values in the shape of a target.
pub(super) fn blank(target: &Target) -> MachineValue {
    match target {
        Target::Tuple(targets) => {
            MachineValue::from(targets.iter().map(blank).collect::<Vec<_>>())
        }
        Target::Name(_) | Target::Attribute(..) => MachineValue::default(),
    }
}

/// Adds the names of a target with their values.
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
