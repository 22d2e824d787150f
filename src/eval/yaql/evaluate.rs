//! A node of a program → what it stands for.

use std::sync::Arc;

use super::ast::{Expression, Id, Node};
use super::choose::{self, FRAMES, unmatched};
use super::engine::Engine;
use super::env::{Env, Held};
use super::flow::{Flow, Iter, flow, is_iterable};
use super::input::{Input, convert};
use super::overload::Kind;
use crate::eval::python::{Class, Exception, Object, Result, Str, Value, repr};

/// `source => destination`, both evaluated.
#[derive(Debug)]
pub(super) struct Rule(pub(super) Value, pub(super) Value);

impl Object for Rule {
    fn type_name(&self) -> &str {
        "MappingRule"
    }
}

impl Engine {
    /// What an expression stands for.
    ///
    /// # Errors
    /// What a function raises.
    pub(super) fn evaluate(
        self: &Arc<Engine>,
        expression: &Expression,
        env: &Arc<Env>,
    ) -> Result<Value> {
        match expression.node() {
            Node::Constant(value) => Ok(value.clone()),
            Node::Word(word) => Ok(Value::Str(word.clone())),
            Node::Variable(name) => {
                let value = env.get(name);
                self.weigh(&value)?;
                Ok(value)
            }
            Node::Group(inner) => {
                self.within(2, || self.evaluate(&expression.sibling(*inner), env))
            }
            Node::Call(name, arguments) => {
                choose::call(self, env, name, None, inputs(expression, arguments), vec![])
            }
            Node::Operation("#operator_->", sides) => self.send(expression, sides, env),
            Node::Operation(name, arguments) => {
                choose::call(self, env, name, None, inputs(expression, arguments), vec![])
            }
            Node::Member(left, right, lenient) => self.within(FRAMES, || {
                let member = expression.sibling(*right);
                if !*lenient && !matches!(member.node(), Node::Call(..) | Node::Word(_)) {
                    return Err(unmatched("#operator_.", None));
                }
                let receiver = self.evaluate(&expression.sibling(*left), env)?;
                match (lenient, &receiver) {
                    (true, Value::None) => Ok(Value::None),
                    _ => self.member(receiver, &member, env),
                }
            }),
            Node::Rule(from, to) => {
                let from = self.evaluate(&expression.sibling(*from), env)?;
                let to = self.evaluate(&expression.sibling(*to), env)?;
                Ok(Value::object(Rule(from, to)))
            }
            Node::Gap => Err(unmatched("#list", None)),
        }
    }

    /// A method's result, the value of a key, or a property.
    fn member(
        self: &Arc<Engine>,
        receiver: Value,
        member: &Expression,
        env: &Arc<Env>,
    ) -> Result<Value> {
        self.weigh(&receiver)?;
        match member.node() {
            Node::Call(name, arguments) => {
                let inputs = inputs(member, arguments);
                choose::call(self, env, name, Some(receiver), inputs, vec![])
            }
            Node::Word(name) => self.property(&receiver, name, env),
            _ => Err(unmatched("#operator_.", None)),
        }
    }

    /// The value of a key; that of each member of a collection; or a property.
    fn property(
        self: &Arc<Engine>,
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
                let members = convert(self, Kind::Iterable, collection.clone())?;
                let mut members = flow(&members)?;
                let (engine, env, name) = (self.clone(), env.clone(), name.clone());
                let step = move || match members.next()? {
                    Some(member) => engine
                        .within(FRAMES, || engine.property(&member, &name, &env))
                        .map(Some),
                    None => Ok(None),
                };
                Iter::value(self, Flow::new(step))
            }
            other => {
                let (name, of) = (format!("#property#{}", &**name), other.clone());
                choose::call(self, env, &name, None, vec![Input::Value(of)], vec![])?
            }
        };
        self.weigh(&value)?;
        Ok(value)
    }

    /// `context -> value`
    fn send(
        self: &Arc<Engine>,
        whole: &Expression,
        sides: &[Id],
        env: &Arc<Env>,
    ) -> Result<Value> {
        let [left, right] = sides else { return Err(unmatched("#operator_->", None)) };
        self.within(FRAMES + 2, || {
            let left = self.evaluate(&whole.sibling(*left), env)?;
            let Some(Held(inner)) = left.downcast() else {
                return Err(unmatched("#operator_->", None));
            };
            let value = self.evaluate(&whole.sibling(*right), inner)?;
            self.weigh(&value)?;
            Ok(value)
        })
    }
}

fn inputs(of: &Expression, arguments: &[Id]) -> Vec<Input> {
    let input = |id: &Id| {
        let argument = of.sibling(*id);
        match argument.node() {
            Node::Gap => Input::Gap,
            _ => Input::Expression(argument),
        }
    };
    arguments.iter().map(input).collect()
}
