//! An argument as it is written comes in: whether a parameter takes it, and the value as the
//! function gets it, go out.

use std::sync::Arc;

use super::ast::{Expression, Node};
use super::engine::Engine;
use super::flow::limit;
use super::overload::{Kind, Parameter};
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{Object, Result, Value};

/// An argument as it is written.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// It was left out.
    Gap,
    /// To be evaluated.
    Expression(Expression),
    /// Known.
    Value(Value),
}

/// What stands in a list where a member was left out: `[1,, 2]`.
#[derive(Debug)]
pub(super) struct NoValue;

impl Object for NoValue {
    fn type_name(&self) -> &str {
        "MarkerClass"
    }

    fn display(&self) -> Result<String> {
        Ok("<NoValue>".to_owned())
    }
}

/// Whether a parameter takes an argument, as far as that is known.
pub(super) fn takes(parameter: &Parameter, input: &Input) -> bool {
    let value = match input {
        Input::Gap => return parameter.optional || parameter.kind == Kind::Any,
        Input::Value(value) => value,
        Input::Expression(expression) => match parameter.kind {
            Kind::Lambda => return true,
            Kind::LazyRule => return matches!(expression.node(), Node::Rule(..)),
            _ => match expression.constant() {
                Some(value) => return takes(parameter, &Input::Value(value)),
                None => return true,
            },
        },
    };
    match value {
        Value::None => parameter.nullable,
        value => parameter.kind.accepts(value),
    }
}

/// A value as a function gets it.
///
/// # Errors
/// It is too large.
pub(super) fn convert(engine: &Arc<Engine>, kind: Kind, value: Value) -> Result<Value> {
    engine.weigh(&value)?;
    match kind {
        Kind::Iterable | Kind::Ordered => limit(engine, &value),
        Kind::DateTime => Ok(match value.downcast::<DateTime>() {
            Some(time) if time.zone.is_none() => {
                Value::object(DateTime { zone: Some(Zone::utc()), ..time.clone() })
            }
            _ => value,
        }),
        _ => Ok(value),
    }
}
