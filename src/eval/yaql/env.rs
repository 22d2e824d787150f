//! What names stand for: yaql's context. One that is made within another sees what that
//! one has.

use std::sync::Arc;

use super::ast::Expression;
use crate::eval::python::{Object, Str, Value, discard};

/// What names stand for, and at most one function that was defined.
#[derive(Debug, Default)]
pub(super) struct Env {
    outer: Option<Arc<Env>>,
    names: Vec<(Str, Value)>,
    function: Option<(String, Expression)>,
}

/// A context as a value: what `let` gives.
#[derive(Debug)]
pub(super) struct Held(pub(super) Arc<Env>);

impl Env {
    /// The outermost.
    pub(super) fn new(names: Vec<(Str, Value)>) -> Env {
        Env { outer: None, names, function: None }
    }

    /// One within another. A name that is there twice is the later one.
    pub(super) fn within(outer: &Arc<Env>, names: Vec<(Str, Value)>) -> Arc<Env> {
        Arc::new(Env { outer: Some(outer.clone()), names, function: None })
    }

    /// One within another, with `$1` and so on.
    pub(super) fn numbered(outer: &Arc<Env>, values: Vec<Value>) -> Arc<Env> {
        Env::within(outer, number(values))
    }

    /// One within another, with a function.
    pub(super) fn defining(outer: &Arc<Env>, name: String, body: Expression) -> Arc<Env> {
        let (outer, function) = (Some(outer.clone()), Some((name, body)));
        Arc::new(Env { outer, names: Vec::new(), function })
    }

    /// What a name stands for; null if nobody said.
    pub(super) fn get(&self, name: &str) -> Value {
        let mut level = Some(self);
        while let Some(env) = level {
            let mut names = env.names.iter().rev();
            if let Some((_, value)) = names.find(|(known, _)| **known == *name) {
                return value.clone();
            }
            level = env.outer.as_deref();
        }
        Value::None
    }

    /// The function of a name, and where it was defined.
    pub(super) fn function(
        self: &Arc<Env>,
        name: &str,
    ) -> Option<(Expression, Arc<Env>)> {
        let mut level = Some(self);
        while let Some(env) = level {
            match &env.function {
                Some((known, body)) if known == name => {
                    return Some((body.clone(), env.clone()));
                }
                _ => level = env.outer.as_ref(),
            }
        }
        None
    }
}

/// Values as `$1` and so on.
pub(super) fn number(values: Vec<Value>) -> Vec<(Str, Value)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(at, value)| (Str::from(format!("${}", at + 1)), value)).collect()
}

impl Drop for Env {
    fn drop(&mut self) {
        discard((self.outer.take(), std::mem::take(&mut self.names)));
    }
}

impl Object for Held {
    fn type_name(&self) -> &str {
        "Context"
    }
}
