//! A node of a program → what it stands for.

use std::sync::Arc;

use super::ast::{Expression, ExpressionId, ExpressionKind};
use super::engine::{CALL_FRAMES, Engine};
use super::env::{ContextValue, Env};
use super::iterable::{Generator, Stream, is_iterable, stream};
use super::overload::ParameterType;
use super::resolve::{self, UnboundArgument, convert, unmatched};
use crate::eval::python::{Class, Exception, Object, Result, Str, Value, repr, truth};

/// `source => destination`, both evaluated.
#[derive(Debug)]
pub struct MappingRule(pub Value, pub Value);

impl Object for MappingRule {
    fn type_name(&self) -> &str {
        "MappingRule"
    }
}

/// What an expression stands for.
///
/// # Errors
/// What a function raises.
pub fn evaluate(
    engine: &Arc<Engine>,
    expression: &Expression,
    env: &Arc<Env>,
) -> Result<Value> {
    match expression.kind() {
        ExpressionKind::Constant(value) => Ok(value.clone()),
        ExpressionKind::Word(word) => Ok(Value::Str(word.clone())),
        ExpressionKind::Variable(name) => {
            let value = env.get(name);
            engine.check_size(&value)?;
            Ok(value)
        }
        ExpressionKind::Group(inner) => {
            engine.nested(2, || evaluate(engine, &expression.sibling(*inner), env))
        }
        ExpressionKind::Call(name, arguments) => {
            resolve::call(engine, env, name, None, inputs(expression, arguments), vec![])
        }
        ExpressionKind::Operation("#operator_->", sides) => {
            send(engine, expression, sides, env)
        }
        ExpressionKind::Operation(name, arguments) => {
            resolve::call(engine, env, name, None, inputs(expression, arguments), vec![])
        }
        ExpressionKind::Member(left, right, lenient) => {
            engine.nested(CALL_FRAMES, || {
                let member_ = expression.sibling(*right);
                if !*lenient
                    && !matches!(
                        member_.kind(),
                        ExpressionKind::Call(..) | ExpressionKind::Word(_)
                    )
                {
                    return Err(unmatched("#operator_.", None));
                }
                let receiver = evaluate(engine, &expression.sibling(*left), env)?;
                match (lenient, &receiver) {
                    (true, Value::None) => Ok(Value::None),
                    _ => member(engine, receiver, &member_, env),
                }
            })
        }
        ExpressionKind::Mapping(from, to) => {
            let from = evaluate(engine, &expression.sibling(*from), env)?;
            let to = evaluate(engine, &expression.sibling(*to), env)?;
            Ok(Value::object(MappingRule(from, to)))
        }
        ExpressionKind::Omitted => Err(unmatched("#list", None)),
    }
}

/// A method's result, the value of a key, or a property.
fn member(
    engine: &Arc<Engine>,
    receiver: Value,
    member: &Expression,
    env: &Arc<Env>,
) -> Result<Value> {
    engine.check_size(&receiver)?;
    match member.kind() {
        ExpressionKind::Call(name, arguments) => {
            let inputs = inputs(member, arguments);
            resolve::call(engine, env, name, Some(receiver), inputs, vec![])
        }
        ExpressionKind::Word(name) => property(engine, &receiver, name, env),
        _ => Err(unmatched("#operator_.", None)),
    }
}

/// The value of a key; that of each member of a collection; or a property.
fn property(
    engine: &Arc<Engine>,
    of: &Value,
    name: &Str,
    env: &Arc<Env>,
) -> Result<Value> {
    let value = match of {
        Value::Dict(entries) => match entries.get_text(name)? {
            Some(value) => value,
            None => {
                let shown = repr(&Value::Str(name.clone()))?;
                return Err(Exception::new(Class::Key, shown));
            }
        },
        collection if is_iterable(collection) => {
            let members = convert(engine, ParameterType::Iterable, collection.clone())?;
            let mut members = stream(&members)?;
            let (inner, env, name) = (engine.clone(), env.clone(), name.clone());
            let step = move || match members.next()? {
                Some(member) => inner
                    .nested(CALL_FRAMES, || property(&inner, &member, &name, &env))
                    .map(Some),
                None => Ok(None),
            };
            Generator::value(engine, Stream::new(step))
        }
        other => {
            let (name, of) = (format!("#property#{}", &**name), other.clone());
            resolve::call(
                engine,
                env,
                &name,
                None,
                vec![UnboundArgument::Value(of)],
                vec![],
            )?
        }
    };
    engine.check_size(&value)?;
    Ok(value)
}

/// `context -> value`
fn send(
    engine: &Arc<Engine>,
    whole: &Expression,
    sides: &[ExpressionId],
    env: &Arc<Env>,
) -> Result<Value> {
    let [left, right] = sides else { return Err(unmatched("#operator_->", None)) };
    engine.nested(CALL_FRAMES + 2, || {
        let left = evaluate(engine, &whole.sibling(*left), env)?;
        let Some(ContextValue(inner)) = left.downcast() else {
            return Err(unmatched("#operator_->", None));
        };
        let value = evaluate(engine, &whole.sibling(*right), inner)?;
        engine.check_size(&value)?;
        Ok(value)
    })
}

/// An expression, and where it was written.
#[derive(Clone, Debug)]
pub struct Lambda {
    engine: Arc<Engine>,
    env: Arc<Env>,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Expression(Expression),
    /// What was handed over as a value is what it stands for.
    Value(Value),
}

impl Lambda {
    /// An expression as it is written somewhere.
    pub fn new(engine: &Arc<Engine>, env: &Arc<Env>, body: Expression) -> Lambda {
        let body = Body::Expression(body);
        Lambda { engine: engine.clone(), env: env.clone(), body }
    }

    /// A value that somebody wants to be one.
    pub fn constant(engine: &Arc<Engine>, env: &Arc<Env>, value: Value) -> Lambda {
        let body = Body::Value(value);
        Lambda { engine: engine.clone(), env: env.clone(), body }
    }

    /// The expression, if it is one.
    pub fn expression(&self) -> Option<&Expression> {
        match &self.body {
            Body::Expression(body) => Some(body),
            Body::Value(_) => None,
        }
    }

    /// Where it was written.
    pub fn env(&self) -> &Arc<Env> {
        &self.env
    }

    /// What it stands for.
    pub fn call(&self, values: impl Into<Vec<Value>>) -> Result<Value> {
        let values = values.into();
        if values.is_empty() {
            self.call_in(&self.env)
        } else {
            self.call_in(&Env::numbered(&self.env, values))
        }
    }

    /// What it stands for where names mean something else.
    pub fn call_in(&self, env: &Arc<Env>) -> Result<Value> {
        match &self.body {
            Body::Expression(body) => {
                self.engine.nested(2, || evaluate(&self.engine, body, env))
            }
            Body::Value(value) => Ok(value.clone()),
        }
    }

    /// Whether what it stands for is true.
    pub fn holds(&self, values: impl Into<Vec<Value>>) -> Result<bool> {
        truth(&self.call(values)?)
    }
}

fn inputs(of: &Expression, arguments: &[ExpressionId]) -> Vec<UnboundArgument> {
    let input = |id: &ExpressionId| {
        let argument = of.sibling(*id);
        match argument.kind() {
            ExpressionKind::Omitted => UnboundArgument::Gap,
            _ => UnboundArgument::Expression(argument),
        }
    };
    arguments.iter().map(input).collect()
}
