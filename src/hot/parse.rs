//! Turns nodes of a template into values. A mapping that calls a function becomes a
//! [`FunctionCall`]; the macro `if` is expanded.

use std::sync::Arc;

use crate::eval::python::{self, Class, Dict, Exception, Key, List, Result, Value};
use crate::node::{Kind, NodeId};
use crate::scalar::Scalar;

use super::exception::{at, check_depth, invalid_at, replacing};
use super::function::{self, Position};
use super::path::Path;
use super::stack::{FunctionCall, IntrinsicFunction, Nothing, Stack};
use super::template::Template;

/// Parses the value at a path of the template.
pub(super) fn value(stack: &Stack, node: NodeId, path: &str) -> Result<Value> {
    Parser::new(stack, Position::Value, path).node(node)
}

/// Parses the condition at a path, which may use other functions than a value.
pub(super) fn condition(stack: &Stack, node: NodeId, path: &str) -> Result<Value> {
    Parser::new(stack, Position::Condition, path).node(node)
}

struct Parser<'a> {
    stack: &'a Stack,
    template: &'a Template,
    place: Position,
    path: Path,
}

impl<'a> Parser<'a> {
    fn new(stack: &'a Stack, place: Position, start: &str) -> Parser<'a> {
        Parser { stack, template: &stack.template, place, path: Path::from(start) }
    }

    fn node(&mut self, node: NodeId) -> Result<Value> {
        check_depth(self.path.depth())?;
        // Aliases can make a small document expand without end: each visit costs.
        self.stack.context.spend(1)?;
        self.template.count()?;
        let document = &self.template.document;
        let node = document.follow(node);
        match document.kind(node) {
            Kind::Mapping => match self.template.entries(node) {
                // `!!set` is a mapping in YAML but has no entries in Python.
                Some(entries) => self.mapping(&entries),
                None => self.template.data(node).and_then(plain),
            },
            Kind::Sequence if self.template.is_pairs(node) => {
                let items = document.items(node).into_iter();
                let pairs = items.flat_map(|item| document.pairs(item)).enumerate();
                let pair = |(at, (key, value))| {
                    self.path.push_index(at);
                    let pair = [self.node(key)?, self.node(value)?];
                    self.path.pop();
                    Ok(Value::list(pair))
                };
                pairs.map(pair).collect::<Result<List>>().map(Value::List)
            }
            Kind::Sequence => {
                let items = document.items(node).into_iter().enumerate();
                let item = |(at, item)| {
                    self.path.push_index(at);
                    let value = self.node(item)?;
                    self.path.pop();
                    Ok(value)
                };
                items.map(item).collect::<Result<List>>().map(Value::List)
            }
            Kind::Scalar => plain(self.template.scalar(node)),
        }
    }

    fn mapping(&mut self, entries: &[(NodeId, NodeId)]) -> Result<Value> {
        // With a second key the mapping is data, whatever the first one is called.
        if let [(key, value)] = entries
            && let Some(call) = self.call(*key, *value)?
        {
            return Ok(call);
        }
        let mut parsed = Vec::with_capacity(entries.len());
        for &(key, value) in entries {
            let key = self.template.key(key)?;
            self.path.push_key(&key);
            parsed.push((key, self.node(value)?));
            self.path.pop();
        }
        Ok(Value::Dict(parsed.into_iter().collect::<Dict>()))
    }

    /// Returns the call of a mapping with the only entry `key`, if that names a function.
    fn call(&mut self, key: NodeId, arguments: NodeId) -> Result<Option<Value>> {
        let Scalar::String(name) = self.template.document.scalar(key) else {
            return Ok(None);
        };
        let function = match function::find(&name, self.stack.version, self.place) {
            Ok(None) => return Ok(None),
            Ok(Some(function)) => Ok(function),
            Err(refused) => Err(refused),
        };
        match &function {
            Ok(function) => self.path.push_name(function.name),
            Err(_) => self.path.push_key(&Key::text(&name)),
        }
        let called = self.called(function, key, arguments);
        let called = called.map_err(|raised| {
            // Heat wraps only these three classes with the path.
            let wrapped = [Class::Value, Class::Type, Class::Key];
            let at_path = |raised| invalid_at(&self.path.parsed(), raised);
            at(replacing(&wrapped, at_path)(raised), self.template.span(key))
        });
        self.path.pop();
        called.map(Some)
    }

    fn called(
        &mut self,
        function: Result<&'static IntrinsicFunction>,
        key: NodeId,
        arguments: NodeId,
    ) -> Result<Value> {
        // The arguments of `if` are nodes: the branch that is not chosen is never parsed,
        // so it may refer to what does not exist. The arguments of a refused function are
        // parsed, as Heat reports their errors first.
        let arguments = match &function {
            Ok(function) if function.branches.is_some() => {
                self.choose(function, arguments)?
            }
            Ok(_) | Err(_) => self.node(arguments)?,
        };
        let call = FunctionCall::new(function?, arguments, self.template.span(key))?;
        Ok(Value::Object(Arc::new(call)))
    }

    /// Returns the branch that `if` chooses of `[condition, value if true, value if
    /// false]`, or `Nothing`. Raises a `ValueError` for another shape.
    fn choose(
        &mut self,
        function: &IntrinsicFunction,
        arguments: NodeId,
    ) -> Result<Value> {
        let name = function.name;
        let wrong = || {
            Exception::of_value(format!(
                "Arguments to \"{name}\" must be of the form: [condition_name, \
                 value_if_true, value_if_false]"
            ))
        };
        let arguments = self.template.document.items(arguments);
        let (condition, yes, no) = match arguments[..] {
            [condition, yes, no] => (condition, yes, Some(no)),
            [condition, yes] if function.branches == Some(2) => (condition, yes, None),
            _ => return Err(wrong()),
        };
        // The path starts again at `if`, a quirk of Heat that its messages show.
        let condition = self::condition(self.stack, condition, name)?;
        let holds = self.stack.condition(&self.stack.resolve(&condition)?)?;
        match (holds, no) {
            (true, _) => self.node(yes),
            (false, Some(no)) => self.node(no),
            (false, None) => Ok(Value::object(Nothing)),
        }
    }
}

/// Converts a set or bytes to a list, as Heat does with every iterable.
fn plain(value: Value) -> Result<Value> {
    match &value {
        Value::Set(_) | Value::Bytes(_) => python::iterate(&value).map(Value::list),
        _ => Ok(value),
    }
}
