//! Turns nodes of a template into values. A mapping that calls a function becomes a
//! [`IntrinsicCall`]; the macro `if` is expanded.

use std::sync::Arc;

use crate::eval::python::{self, Class, Dict, Exception, Result, Value, limit_depth};
use crate::node::Kind;

use super::exception::{PathSegment, Placed, TemplatePath, invalid_at, replacing};
use super::function::{self, CallPosition};
use super::stack::{IntrinsicCall, IntrinsicFunction, Nothing, Stack};
use super::template::TemplateNode;

/// Parses the value at a path of the template.
pub(super) fn value(stack: &Stack, node: TemplateNode, path: &str) -> Result<Value> {
    TemplateParser { stack, place: CallPosition::Value, path: TemplatePath::from(path) }
        .node(node)
}

/// Parses the condition at a path, which may use other functions than a value.
pub(super) fn condition(stack: &Stack, node: TemplateNode, path: &str) -> Result<Value> {
    TemplateParser {
        stack,
        place: CallPosition::Condition,
        path: TemplatePath::from(path),
    }
    .node(node)
}

struct TemplateParser<'a> {
    stack: &'a Stack,
    place: CallPosition,
    path: TemplatePath,
}

impl TemplateParser<'_> {
    fn node(&mut self, node: TemplateNode) -> Result<Value> {
        limit_depth(self.path.depth(), "")?;
        // Aliases can make a small document expand without end: each visit costs.
        self.stack.context.spend(1)?;
        self.stack.template.count()?;
        let node = node.followed();
        if let Some(pairs) = node.listed_pairs() {
            let pair = |(at, [key, value]): (usize, [TemplateNode; 2])| {
                self.path.push(PathSegment::Index(at));
                let pair = [self.node(key)?, self.node(value)?];
                self.path.pop();
                Ok(Value::list(pair))
            };
            let pairs = pairs.into_iter().enumerate().map(pair);
            return pairs.collect::<Result<_>>().map(Value::List);
        }
        match node.kind() {
            Kind::Mapping => match node.entries() {
                // `!!set` is a mapping in YAML but has no entries in Python.
                Some(entries) => self.mapping(&entries),
                None => node.data().and_then(plain),
            },
            Kind::Sequence => {
                let items = node.items().into_iter().enumerate();
                let items =
                    items.map(|(at, item)| self.below(PathSegment::Index(at), item));
                items.collect::<Result<_>>().map(Value::List)
            }
            Kind::Scalar => plain(node.scalar()),
        }
    }

    /// Parses a node one step further down the path.
    fn below(&mut self, step: PathSegment, node: TemplateNode) -> Result<Value> {
        self.path.push(step);
        // After an error the path stays: it tells where the error is.
        let value = self.node(node)?;
        self.path.pop();
        Ok(value)
    }

    fn mapping(&mut self, entries: &[[TemplateNode; 2]]) -> Result<Value> {
        // With a second key the mapping is data, whatever the first one is called.
        if let [[key, value]] = entries
            && let Some(call) = self.call(*key, *value)?
        {
            return Ok(call);
        }
        let entry = |[key, value]: &[TemplateNode; 2]| {
            let key = key.key()?;
            Ok((key.clone(), self.below(PathSegment::Key(key), *value)?))
        };
        Ok(Value::Dict(entries.iter().map(entry).collect::<Result<Dict>>()?))
    }

    /// Returns the call of a mapping with the only entry `key`, if that names a function.
    fn call(
        &mut self,
        key: TemplateNode,
        arguments: TemplateNode,
    ) -> Result<Option<Value>> {
        let Some(name) = key.text() else { return Ok(None) };
        let found = function::find(&name, self.stack.version, self.place);
        let Some(function) = found.transpose() else { return Ok(None) };
        self.path.push_name(&name);
        let called = self.called(function, key, arguments).map_err(|raised| {
            // Heat wraps only these three classes with the path.
            let wrapped = [Class::Value, Class::Type, Class::Key];
            replacing(&wrapped, |raised| invalid_at(&self.path.parsed(), raised))(raised)
        });
        self.path.pop();
        called.placed(key.span()).map(Some)
    }

    fn called(
        &mut self,
        function: Result<&'static IntrinsicFunction>,
        key: TemplateNode,
        arguments: TemplateNode,
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
        Ok(Value::Object(Arc::new(IntrinsicCall::new(function?, arguments, key.span())?)))
    }

    /// Returns the branch that `if` chooses of `[condition, value if true, value if
    /// false]`, or `Nothing`. Raises a `ValueError` for another shape.
    fn choose(
        &mut self,
        function: &IntrinsicFunction,
        arguments: TemplateNode,
    ) -> Result<Value> {
        let name = function.name;
        let (condition, yes, no) = match arguments.items()[..] {
            [condition, yes, no] => (condition, yes, Some(no)),
            [condition, yes] if function.branches == Some(2) => (condition, yes, None),
            _ => {
                return Err(Exception::of_value(format!(
                    "Arguments to \"{name}\" must be of the form: [condition_name, \
                     value_if_true, value_if_false]"
                )));
            }
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
