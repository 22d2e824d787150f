//! The scopes of names, called "context" in yaql. Inner ones see the names of outer ones.

use std::sync::Arc;

use super::ast::Expression;
use super::engine::Engine;
use crate::eval::python::{Object, Str, Value, discard};

/// A scope with its names and at most one defined function.
#[derive(Debug)]
pub struct Env {
    /// The evaluation that the scope belongs to.
    pub engine: Arc<Engine>,
    outer: Option<Arc<Env>>,
    // A list, not a map: most scopes have one or two names.
    names: Vec<(Str, Value)>,
    function: Option<(String, Expression)>,
}

/// A scope as a value, as `let` returns it.
#[derive(Debug)]
pub struct ContextValue(pub Arc<Env>);

impl Env {
    /// Returns the outermost scope.
    pub fn new(engine: Engine, names: Vec<(Str, Value)>) -> Env {
        Env { engine: Arc::new(engine), outer: None, names, function: None }
    }

    /// Returns a scope within another. The last of equal names counts.
    pub fn within(outer: &Arc<Env>, names: Vec<(Str, Value)>) -> Arc<Env> {
        let (engine, outer) = (outer.engine.clone(), Some(outer.clone()));
        Arc::new(Env { engine, outer, names, function: None })
    }

    /// Returns a scope with `$1`, `$2`, … within another.
    pub fn numbered(outer: &Arc<Env>, values: Vec<Value>) -> Arc<Env> {
        Env::within(outer, number(values))
    }

    /// Returns a scope with a function within another.
    pub fn defining(outer: &Arc<Env>, name: String, body: Expression) -> Arc<Env> {
        let (engine, function) = (outer.engine.clone(), Some((name, body)));
        Arc::new(Env { engine, outer: Some(outer.clone()), names: Vec::new(), function })
    }

    /// Returns the value of a name; null if it is unknown.
    pub fn get(&self, name: &str) -> Value {
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

    /// Returns a defined function and the scope of its definition.
    pub fn function(self: &Arc<Env>, name: &str) -> Option<(Expression, Arc<Env>)> {
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

/// Names values `$1`, `$2`, …
pub fn number(values: Vec<Value>) -> Vec<(Str, Value)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(at, value)| (Str::from(format!("${}", at + 1)), value)).collect()
}

impl Drop for Env {
    fn drop(&mut self) {
        // A long chain of scopes would overflow the stack when it is dropped recursively.
        discard((self.outer.take(), std::mem::take(&mut self.names)));
    }
}

impl Object for ContextValue {
    fn type_name(&self) -> &str {
        "Context"
    }
}
