//! An expression that was read: a flat program whose nodes know each other by number, so
//! that nothing recurses when it is dropped.

use std::sync::Arc;

use crate::eval::python::{Str, Value};

/// The number of a node.
pub type ExpressionId = usize;

/// A node of a program.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant(Value),
    /// A bare word: a string, the name of a key or of an argument.
    Word(Str),
    /// `$`, which is `$1`, or `$name`.
    Variable(Str),
    /// `(value)`
    Group(ExpressionId),
    /// `name(arguments)`
    Call(Str, Vec<ExpressionId>),
    /// What stands for a call: an operator, an index, a list, a map.
    Operation(&'static str, Vec<ExpressionId>),
    /// `receiver.member`; with `true` it is null where the receiver is.
    Member(ExpressionId, ExpressionId, bool),
    /// `source => destination`
    Mapping(ExpressionId, ExpressionId),
    /// An argument that was left out: `f(, 1)`.
    Omitted,
}

/// A node, and the program it is of.
#[derive(Clone, Debug)]
pub struct Expression {
    program: Arc<Vec<ExpressionKind>>,
    id: ExpressionId,
}

impl Expression {
    /// A node of a program.
    pub fn new(program: Arc<Vec<ExpressionKind>>, id: ExpressionId) -> Expression {
        Expression { program, id }
    }

    /// Another one of the same program.
    pub fn sibling(&self, id: ExpressionId) -> Expression {
        Expression { program: self.program.clone(), id }
    }

    /// The node.
    pub fn kind(&self) -> &ExpressionKind {
        self.program.get(self.id).unwrap_or(&ExpressionKind::Omitted)
    }

    /// The value of a constant, whatever is evaluated.
    pub fn constant(&self) -> Option<Value> {
        match self.kind() {
            ExpressionKind::Constant(value) => Some(value.clone()),
            ExpressionKind::Word(word) => Some(Value::Str(word.clone())),
            _ => None,
        }
    }
}
