//! Conversions between our values and those of minijinja. And macros: only minijinja's machine
//! can call them; their arguments are bound as Jinja binds them.

use std::sync::Arc;

use minijinja::value::{Object as MachineObject, ObjectRepr, ValueKind};

use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::python::{self, Arguments, Exception, Object, Result, Value};

use super::ast::Assignee;
use super::rewrite::{MacroSignature, mangle};
use super::undefined::Undefined;

pub(super) type MachineValue = minijinja::Value;

/// One of our values as a value of minijinja.
#[derive(Debug)]
pub(super) struct WrappedValue(pub(super) Value);

impl MachineObject for WrappedValue {
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
        let other = other.downcast_ref::<WrappedValue>()?;
        let same = python::equal(&self.0, &other.0).unwrap_or(false);
        Some(if same { std::cmp::Ordering::Equal } else { std::cmp::Ordering::Less })
    }
}

/// A value of minijinja as one of ours: the module that `import` gives.
#[derive(Debug)]
pub(super) struct ImportedModule(pub(super) MachineValue);

pub(super) fn wrap(value: Value) -> MachineValue {
    match value.downcast::<ImportedModule>() {
        Some(ImportedModule(machine)) => machine.clone(),
        None => MachineValue::from_object(WrappedValue(value)),
    }
}

pub(super) fn unwrap(machine: &MachineValue) -> Value {
    if let Some(WrappedValue(value)) = machine.downcast_object_ref::<WrappedValue>() {
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
        _ => Value::object(ImportedModule(machine.clone())),
    }
}

impl Object for ImportedModule {
    fn type_name(&self) -> &str {
        "TemplateModule"
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let found = self.0.get_attr(&mangle(name)).ok();
        Ok(found.filter(|found| !found.is_undefined()).map(|found| unwrap(&found)))
    }
}

/// Unpacks a value into the shape of its target.
pub(super) fn shape(target: &Assignee, value: Value) -> Result<MachineValue> {
    match target {
        Assignee::Tuple(targets) => {
            let items = python::unpack_count(&value, targets.len())?;
            let items = targets.iter().zip(items).map(|(to, item)| shape(to, item));
            Ok(MachineValue::from(items.collect::<Result<Vec<_>>>()?))
        }
        Assignee::Name(_) | Assignee::Attribute(..) => Ok(wrap(value)),
    }
}

/// Returns undefined values in the shape of a target.
pub(super) fn blank(target: &Assignee) -> MachineValue {
    match target {
        Assignee::Tuple(targets) => {
            MachineValue::from(targets.iter().map(blank).collect::<Vec<_>>())
        }
        Assignee::Name(_) | Assignee::Attribute(..) => MachineValue::default(),
    }
}

/// Adds the names of a target with their values.
pub(super) fn spread(
    target: &Assignee,
    value: &Value,
    names: &mut Vec<(String, Value)>,
) -> Result<()> {
    match target {
        Assignee::Name(name) => names.push((name.clone(), value.clone())),
        Assignee::Tuple(targets) => {
            for (target, item) in
                targets.iter().zip(python::unpack_count(value, targets.len())?)
            {
                spread(target, &item, names)?;
            }
        }
        Assignee::Attribute(..) => {}
    }
    Ok(())
}

#[derive(Clone, Debug)]
pub(super) struct MacroValue {
    pub(super) machine: MachineValue,
    pub(super) signature: Arc<MacroSignature>,
}

impl MacroValue {
    /// Binds arguments to the parameters: minijinja's macro takes a tuple of all values.
    pub(super) fn bind(&self, mut arguments: Arguments) -> Result<Arguments> {
        let MacroSignature { name, parameters, varargs, kwargs, caller } =
            &*self.signature;
        let mut positional = std::mem::take(&mut arguments.positional).into_iter();
        let mut bound: Vec<Value> = Vec::new();
        for parameter in parameters {
            let value = positional.next().or_else(|| arguments.take(parameter));
            bound.push(value.unwrap_or_else(missing));
        }
        let called = caller.then(|| arguments.take("caller").unwrap_or_else(missing));
        let rest: Vec<Value> = positional.collect();
        if !varargs && !rest.is_empty() {
            return type_error(format!(
                "macro '{name}' takes not more than {} argument(s)",
                parameters.len()
            ));
        }
        if !kwargs && let Some((keyword, _)) = arguments.keywords.first() {
            let message =
                format!("macro '{name}' takes no keyword argument '{}'", &**keyword);
            return Err(Exception::of_type(message).naming_literal(keyword));
        }
        if *varargs {
            bound.push(Value::tuple(rest));
        }
        if *kwargs {
            bound.push(Value::Dict(python::Dict::named(arguments.keywords)));
        }
        bound.extend(called);
        Ok(Arguments::of([Value::tuple(bound)]))
    }
}

impl Object for MacroValue {
    fn type_name(&self) -> &str {
        "Macro"
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let MacroSignature { parameters, varargs, kwargs, caller, .. } = &*self.signature;
        let names = parameters.iter().map(|name| Value::text(name.as_str()));
        Ok(Some(match name {
            "name" => Value::text(self.signature.name.as_str()),
            "arguments" => Value::tuple(names),
            "caller" => Value::Bool(*caller),
            "catch_varargs" => Value::Bool(*varargs),
            "catch_kwargs" => Value::Bool(*kwargs),
            _ => return Ok(None),
        }))
    }

    fn is_callable(&self) -> bool {
        true
    }
}

/// An argument that was not given.
#[derive(Debug)]
pub(super) struct MissingArgument;

fn missing() -> Value {
    Value::object(MissingArgument)
}

impl Object for MissingArgument {
    fn type_name(&self) -> &str {
        "missing"
    }
}
