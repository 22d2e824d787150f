//! The program of an expression: a flat list of terms that refer to each other by index.
//!
//! A tree of boxes would be dropped recursively and could overflow the stack.

use std::sync::Arc;

use crate::eval::python::{Str, Value};

/// Index of a term in its program.
pub type TermId = usize;

/// A term of an expression, with the indices of its parts.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant(Value),
    /// A bare word: a string, or the name of a key or an argument.
    Word(Str),
    /// `$`, which is `$1`, or `$name`.
    Variable(Str),
    /// `(value)`
    Group(TermId),
    /// `name(arguments)`
    Call(Str, Vec<TermId>),
    /// A call by an internal name: an operator, an index, a list or a dict.
    Operation(&'static str, Vec<TermId>),
    /// `receiver.member`; true for `?.`, which is null if the receiver is.
    Member(TermId, TermId, bool),
    /// `source => destination`
    Mapping(TermId, TermId),
    /// An omitted argument: `f(, 1)`.
    Omitted,
}

/// A term with its program.
#[derive(Clone, Debug)]
pub struct Expression {
    program: Arc<Vec<Term>>,
    id: TermId,
}

impl Expression {
    pub fn new(program: Arc<Vec<Term>>, id: TermId) -> Expression {
        Expression { program, id }
    }

    /// Returns another term of the same program.
    pub fn sibling(&self, id: TermId) -> Expression {
        Expression { program: self.program.clone(), id }
    }

    pub fn term(&self) -> &Term {
        self.program.get(self.id).unwrap_or(&Term::Omitted)
    }

    /// Returns the value of a constant, which is known before evaluation.
    pub fn constant(&self) -> Option<Value> {
        match self.term() {
            Term::Constant(value) => Some(value.clone()),
            Term::Word(word) => Some(Value::Str(word.clone())),
            _ => None,
        }
    }
}
