//! The program of an expression: a flat list of nodes that refer to each other by index.
//!
//! A tree of boxes would be dropped recursively and could overflow the stack.

use std::sync::Arc;

use crate::eval::python::{Str, Value};

/// Index of a node in its program.
pub type ExpressionId = usize;

/// The kind of a node, with its children.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant(Value),
    /// A bare word: a string, or the name of a key or an argument.
    Word(Str),
    /// `$`, which is `$1`, or `$name`.
    Variable(Str),
    /// `(value)`
    Group(ExpressionId),
    /// `name(arguments)`
    Call(Str, Vec<ExpressionId>),
    /// A call by an internal name: an operator, an index, a list or a dict.
    Operation(&'static str, Vec<ExpressionId>),
    /// `receiver.member`; true for `?.`, which is null if the receiver is.
    Member(ExpressionId, ExpressionId, bool),
    /// `source => destination`
    Mapping(ExpressionId, ExpressionId),
    /// An omitted argument: `f(, 1)`.
    Omitted,
}

/// A node and its program.
#[derive(Clone, Debug)]
pub struct Expression {
    program: Arc<Vec<ExpressionKind>>,
    id: ExpressionId,
}

impl Expression {
    /// Returns a node of a program.
    pub fn new(program: Arc<Vec<ExpressionKind>>, id: ExpressionId) -> Expression {
        Expression { program, id }
    }

    /// Returns another node of the same program.
    pub fn sibling(&self, id: ExpressionId) -> Expression {
        Expression { program: self.program.clone(), id }
    }

    /// Returns the kind of the node.
    pub fn kind(&self) -> &ExpressionKind {
        self.program.get(self.id).unwrap_or(&ExpressionKind::Omitted)
    }

    /// Returns the value of a constant, which is known before evaluation.
    pub fn constant(&self) -> Option<Value> {
        match self.kind() {
            ExpressionKind::Constant(value) => Some(value.clone()),
            ExpressionKind::Word(word) => Some(Value::Str(word.clone())),
            _ => None,
        }
    }
}
