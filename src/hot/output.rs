//! The outputs of a template: definitions come in, parsed values go out.

use indexmap::IndexMap;

use crate::eval::python::{Class, Result, Value};
use crate::node::Node;
use crate::source::Span;

use super::exception::{at, failed, invalid};
use super::stack::Stack;
use super::version::Version;

/// An output, parsed; one that is disabled is null.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) value: Value,
    pub(super) span: Option<Span>,
}

/// Reads the section of a template.
pub(super) fn read(stack: &Stack) -> Result<IndexMap<String, Output>> {
    let mut outputs = IndexMap::new();
    for (key, node) in stack.template.section("outputs")?.unwrap_or_default() {
        let (name, span) = (stack.template.name(key)?, stack.template.span(key));
        let value = one(stack, &name, node).map_err(|raised| at(raised, span))?;
        outputs.insert(name, Output { value, span });
    }
    Ok(outputs)
}

fn one(stack: &Stack, name: &str, node: Node) -> Result<Value> {
    let template = &stack.template;
    let wrong = |message: &str| {
        let path = format!("Output validation error: outputs.{name}");
        invalid(&path, message)
    };
    if template.entries(node).is_none() {
        let data = template.data(node)?;
        let kind = data.type_name();
        let message = format!("Output definitions must be a map. Found a {kind} instead");
        return Err(wrong(&message));
    }
    let Some(value) = template.get(node, "value") else {
        return Err(wrong("Each output definition must contain a value key."));
    };
    let condition = template.get(node, "condition");
    if let Some(condition) = condition.filter(|_| stack.version >= Version::Newton) {
        let path = format!("outputs.{name}.condition");
        let parsed = stack.parse_condition(condition, &path)?;
        let holds = stack.condition(&stack.resolve(&parsed)?);
        let holds = holds.map_err(|raised| match raised.class {
            Class::Value => failed(&path, raised),
            _ => raised,
        });
        if !holds.map_err(|raised| at(raised, template.span(condition)))? {
            return Ok(Value::None);
        }
    }
    stack.parse(value, &format!("outputs.{name}.value"))
}

/// Checks the functions of outputs.
pub(super) fn validate(stack: &Stack, outputs: &IndexMap<String, Output>) -> Result<()> {
    outputs.iter().try_for_each(|(name, output)| {
        // Where it is a list, Heat forgets what it calls the value.
        let value = if let Value::List(_) = output.value { "Value" } else { "value" };
        let valid = stack.validate(&output.value, &["outputs", name, value]);
        valid.map_err(|raised| at(raised, output.span))
    })
}
