//! An expression that was read: a flat program whose nodes know each other by number, so
//! that nothing recurses when it is dropped.

use std::sync::Arc;

use crate::eval::python::{Str, Value};

/// The number of a node.
pub(super) type Id = usize;

/// A node of a program.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant(Value),
    /// A bare word: a string, the name of a key or of an argument.
    Word(Str),
    /// `$`, which is `$1`, or `$name`.
    Variable(Str),
    /// `(value)`
    Group(Id),
    /// `name(arguments)`
    Call(Str, Vec<Id>),
    /// What stands for a call: an operator, an index, a list, a map.
    Operation(&'static str, Vec<Id>),
    /// `receiver.member`; with `true` it is null where the receiver is.
    Member(Id, Id, bool),
    /// `source => destination`
    Rule(Id, Id),
    /// An argument that was left out: `f(, 1)`.
    Gap,
}

/// A node, and the program it is of.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    program: Arc<Vec<Node>>,
    id: Id,
}

impl Expression {
    /// A node of a program.
    pub(super) fn new(program: Arc<Vec<Node>>, id: Id) -> Expression {
        Expression { program, id }
    }

    /// Another one of the same program.
    pub(super) fn sibling(&self, id: Id) -> Expression {
        Expression { program: self.program.clone(), id }
    }

    /// The node.
    pub(super) fn node(&self) -> &Node {
        self.program.get(self.id).unwrap_or(&Node::Gap)
    }

    /// The value of a constant, whatever is evaluated.
    pub(super) fn constant(&self) -> Option<Value> {
        match self.node() {
            Node::Constant(value) => Some(value.clone()),
            Node::Word(word) => Some(Value::Str(word.clone())),
            _ => None,
        }
    }
}
