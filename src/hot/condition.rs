//! The conditions of a template: definitions come in, whether one holds goes out. Each is
//! worked out once, when somebody asks.

use std::cell::RefCell;
use std::collections::HashMap;

use indexmap::IndexMap;

use crate::eval::python::{self, Class, Exception, Result, Value};
use crate::source::Span;

use super::Stack;
use super::exception::{at, meant};
use super::function::{self, Call};
use super::version::Version;

/// The definitions, parsed, by name.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    definitions: IndexMap<String, (Value, Option<Span>)>,
    found: RefCell<HashMap<String, Found>>,
}

#[derive(Clone, Debug)]
enum Found {
    Working,
    Done(bool),
    Failed(Box<Exception>),
}

impl Conditions {
    /// The section of a template.
    pub(super) fn parse(stack: &Stack) -> Result<Conditions> {
        let section = stack.template.get(stack.template.root, "conditions");
        let Some(section) = section.filter(|_| stack.version >= Version::Newton) else {
            return Ok(Conditions::default());
        };
        let Some(entries) = stack.template.entries(section) else {
            let kind = stack.template.data(section)?.type_name().to_owned();
            let message = format!(
                "Conditions validation error: Condition definitions must be a map. Found a \
                 {kind} instead"
            );
            let raised = Exception::new(Class::Syntax, message);
            return Err(at(raised, stack.template.span(section)));
        };
        let mut definitions = IndexMap::new();
        for (key, value) in entries {
            let name = stack.template.name(key)?;
            let path = format!("conditions.{name}");
            let parsed = stack.parse_condition(value, &path)?;
            definitions.insert(name, (parsed, stack.template.span(value)));
        }
        Ok(Conditions { definitions, found: RefCell::default() })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.definitions.keys()
    }

    /// Checks every definition.
    pub(super) fn validate(&self, stack: &Stack) -> Result<()> {
        for (name, (definition, span)) in &self.definitions {
            if Call::of(definition).is_none() {
                let checked = boolean(name, definition);
                checked.map_err(|raised| at(hint(raised, definition, stack), *span))?;
            }
            stack.validate(definition, &[])?;
        }
        Ok(())
    }

    /// Whether the condition holds that a value names.
    pub(super) fn holds(&self, stack: &Stack, condition: &Value) -> Result<bool> {
        match condition {
            // Python's `None` asks for no condition at all.
            Value::None => return Ok(true),
            Value::Bool(holds) => return Ok(*holds),
            _ => {}
        }
        let definition =
            condition.as_str().and_then(|name| self.definitions.get_key_value(name));
        let Some((name, (definition, span))) = definition else {
            let name = python::str(condition)?;
            let raised = Exception::of_value(format!("Invalid condition \"{name}\""));
            return Err(meant(raised, self.names().map(|known| &**known), &name));
        };
        let found = self.found.borrow().get(name).cloned();
        match found {
            Some(Found::Done(holds)) => Ok(holds),
            Some(Found::Failed(raised)) => Err(raised),
            Some(Found::Working) => {
                let message = format!("Circular definition for condition \"{name}\"");
                Err(wrong(&message))
            }
            None => {
                let note = |found| self.found.borrow_mut().insert(name.clone(), found);
                note(Found::Working);
                let secrets = &stack.parameters.secrets;
                let before = secrets.count();
                let holds = stack.resolve(definition);
                let holds = holds.and_then(|holds| boolean(name, &holds));
                let holds = holds.map_err(|raised| secrets.conceal(before, raised));
                let holds = holds.map_err(|raised| at(raised, *span));
                note(match &holds {
                    Ok(holds) => Found::Done(*holds),
                    Err(raised) => Found::Failed(raised.clone()),
                });
                holds
            }
        }
    }
}

/// The same with the function that may have been meant, or the version that knows it.
fn hint(raised: Box<Exception>, definition: &Value, stack: &Stack) -> Box<Exception> {
    let Value::Dict(entries) = definition else { return raised };
    match entries.keys().first().and_then(Value::as_str).filter(|_| entries.len() == 1) {
        Some(name) => function::hint(raised, name, stack.version),
        None => raised,
    }
}

fn boolean(name: &str, definition: &Value) -> Result<bool> {
    match definition {
        Value::Bool(holds) => Ok(*holds),
        other => {
            let shown = python::str(other)?;
            let message =
                format!("The definition of condition \"{name}\" is invalid: {shown}");
            Err(wrong(&message))
        }
    }
}

fn wrong(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, format!("Condition validation error: {message}"))
}
