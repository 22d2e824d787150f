//! Writes values. A value in, a node of a document or a text out. A value that YAML or
//! JSON cannot express is refused, as Ansible refuses to store it.

use super::context::Context;
use super::hidden_text::REDACTED;
use super::secret;
use crate::diagnostic;
use crate::eval::python::{
    Exception, Key, Result, Secrecy, Value, iterate, limit_members,
};
use crate::node::{Kind, NodeId, Seat, Slot, Slots, Tree};
use crate::scalar::{Context as Position, Scalar, spell};
use crate::yaml::{self, Expansion};

/// Makes a node of a complete value.
///
/// # Errors
/// A `TypeError` if a member cannot be stored in a document.
pub fn write(document: &mut Tree, value: &Value) -> Result<NodeId> {
    Writer::new(document, None).run(value)
}

/// Makes a node of a complete value that an evaluation gave, and takes steps of it for each
/// node. No message shows the secrets of the evaluation.
///
/// # Errors
/// As [`write()`], or no steps are left.
pub(super) fn write_result(
    document: &mut Tree,
    value: &Value,
    context: &Context,
) -> Result<NodeId> {
    Writer::new(document, Some(context)).run(value)
}

/// Prints a complete value as a YAML document; `blank` is an empty one.
///
/// # Errors
/// A `TypeError` if YAML cannot express a member.
pub fn to_yaml(blank: &mut Tree, value: &Value) -> Result<String> {
    let node = write(blank, value)?;
    if blank.kind(node) == Kind::Scalar {
        return Ok(spell(&blank.scalar(node), Position::Block) + "\n");
    }
    blank.set_at(Seat::Root(0), node, None);
    Ok(blank.to_string())
}

/// Prints a complete value for a script: see [`yaml::print_raw`]. If it is the list of all
/// `matches`, each is on a line. `blank` is an empty document.
///
/// # Errors
/// A `TypeError` if YAML cannot express a member.
pub fn to_raw(
    blank: &mut Tree,
    value: &Value,
    matches: bool,
    limit: Expansion,
) -> Result<diagnostic::Result<Vec<u8>>> {
    let node = write(blank, value)?;
    if !matches {
        return Ok(yaml::print_raw(blank, node, limit));
    }
    let lines = blank.items(node).into_iter().map(|it| yaml::print_raw(blank, it, limit));
    Ok(lines.collect::<diagnostic::Result<Vec<_>>>().map(|lines| lines.concat()))
}

/// Prints a complete value as JSON; `blank` is an empty document.
///
/// # Errors
/// A `TypeError` if JSON cannot express a member.
pub fn to_json(
    blank: &mut Tree,
    value: &Value,
    limit: Expansion,
) -> Result<diagnostic::Result<String>> {
    let node = write(blank, value)?;
    Ok(yaml::json::print(blank, node, limit))
}

/// Number of steps that a node of a document takes.
// It takes some 300 bytes: two million of them, which the default allows, are 700 MB.
const STEPS_OF_NODE: u64 = 10;

struct Writer<'d> {
    document: &'d mut Tree,
    /// The evaluation that gave the value.
    context: Option<&'d Context>,
    todo: Vec<NodeTask>,
    done: Vec<NodeId>,
    /// Number of values so far.
    count: usize,
}

enum NodeTask {
    Value(Value),
    /// The last nodes, as many as this, are its items.
    Sequence(usize),
    /// The last nodes are the values of these keys.
    Mapping(Vec<Key>),
}

impl<'d> Writer<'d> {
    fn new(document: &'d mut Tree, context: Option<&'d Context>) -> Writer<'d> {
        Writer { document, context, todo: Vec::new(), done: Vec::new(), count: 0 }
    }

    fn run(mut self, value: &Value) -> Result<NodeId> {
        self.todo.push(NodeTask::Value(value.clone()));
        while let Some(task) = self.todo.pop() {
            self.step(task)?;
        }
        Ok(self.done.pop().unwrap_or_else(|| self.document.new_null()))
    }

    fn spend(&self, steps: u64) -> Result<()> {
        self.context.map_or(Ok(()), |context| context.spend(steps))
    }

    fn step(&mut self, task: NodeTask) -> Result<()> {
        let node = match task {
            NodeTask::Value(value) => return self.value(value),
            NodeTask::Sequence(count) => {
                let items = self.done.split_off(self.done.len().saturating_sub(count));
                let slots = items.into_iter().map(|item| Slot::new(None, item, None));
                let node = self.document.new_sequence();
                self.fill(node, slots.collect())
            }
            NodeTask::Mapping(keys) => {
                let values =
                    self.done.split_off(self.done.len().saturating_sub(keys.len()));
                let mut slots = Vec::with_capacity(keys.len());
                for (key, value) in keys.iter().zip(values) {
                    slots.push(Slot::new(Some(self.key(key)?), value, None));
                }
                let node = self.document.new_mapping(&[], None);
                self.fill(node, slots)
            }
        };
        self.done.push(node);
        Ok(())
    }

    fn fill(&mut self, node: NodeId, slots: Vec<Slot>) -> NodeId {
        if let NodeId::Opened(id) = node {
            self.document.set_children(id, Slots::new(slots));
        }
        node
    }

    fn value(&mut self, value: Value) -> Result<()> {
        self.count += 1;
        limit_members(self.count)?;
        self.spend(STEPS_OF_NODE)?;
        let items: Vec<Value> = match &value.force()? {
            members @ (Value::List(_) | Value::Tuple(_) | Value::Set(_)) => {
                iterate(members)?
            }
            range @ Value::Range(_) => iterate(range)?,
            Value::Dict(entries) => {
                let (keys, values): (Vec<_>, Vec<_>) =
                    entries.entries()?.into_iter().unzip();
                self.todo.push(NodeTask::Mapping(keys));
                self.todo.extend(values.into_iter().rev().map(NodeTask::Value));
                return Ok(());
            }
            Value::Object(object) => {
                let plain = object.plain().ok_or_else(|| unsupported(&value))?;
                self.todo.push(NodeTask::Value(plain));
                return Ok(());
            }
            scalar => {
                let node = self.scalar(scalar)?;
                self.done.push(node);
                return Ok(());
            }
        };
        self.todo.push(NodeTask::Sequence(items.len()));
        self.todo.extend(items.into_iter().rev().map(NodeTask::Value));
        Ok(())
    }

    fn scalar(&mut self, value: &Value) -> Result<NodeId> {
        let scalar = match value {
            Value::None => Scalar::Null,
            Value::Bool(x) => Scalar::Bool(*x),
            Value::Int(x) => Scalar::Int(i128::from(*x)),
            Value::Big(x) => Scalar::integer((**x).clone()),
            Value::Float(x) => Scalar::Float(*x),
            Value::Str(text) if text.is_sensitive() => Scalar::String(REDACTED.into()),
            Value::Str(text) => {
                if let Some(context) = self.context {
                    context.spend_bytes(text.len())?;
                }
                Scalar::String(text.to_string().into())
            }
            Value::Bytes(bytes) => Scalar::Binary(bytes.to_vec()),
            other => return Err(unsupported(other)),
        };
        let node = self.document.new_scalar(scalar);
        let is_secret = match self.context {
            Some(context) => secret::is_told_by(value, context)?,
            None => value.secrecy() > Secrecy::Open,
        };
        if is_secret {
            self.document.hide(node);
        }
        Ok(node)
    }

    fn key(&mut self, key: &Key) -> Result<NodeId> {
        match key.value() {
            Value::Object(object) => match object.plain() {
                Some(plain) => self.scalar(&plain),
                None => Err(unsupported(key.value())),
            },
            other => self.scalar(other),
        }
    }
}

fn unsupported(value: &Value) -> Box<Exception> {
    Exception::of_type_of(value, "Type '{}' is unsupported for variable storage.")
}
