//! What names stand for: yaql's context. One that is made within another sees what that
//! one has.

use std::sync::Arc;

use super::ast::Expression;
use super::overload::Library;
use crate::eval::python::{Object, Str, Value, discard};

/// What names stand for, and at most one function that was defined.
#[derive(Debug)]
pub struct Env {
    library: &'static Library,
    outer: Option<Arc<Env>>,
    names: Vec<(Str, Value)>,
    function: Option<(String, Expression)>,
}

/// A context as a value: what `let` gives.
#[derive(Debug)]
pub struct ContextValue(pub Arc<Env>);

impl Env {
    /// The outermost.
    pub fn new(library: &'static Library, names: Vec<(Str, Value)>) -> Env {
        Env { library, outer: None, names, function: None }
    }

    /// One within another. A name that is there twice is the later one.
    pub fn within(outer: &Arc<Env>, names: Vec<(Str, Value)>) -> Arc<Env> {
        let (library, outer) = (outer.library, Some(outer.clone()));
        Arc::new(Env { library, outer, names, function: None })
    }

    /// One within another, with `$1` and so on.
    pub fn numbered(outer: &Arc<Env>, values: Vec<Value>) -> Arc<Env> {
        Env::within(outer, number(values))
    }

    /// One within another, with a function.
    pub fn defining(outer: &Arc<Env>, name: String, body: Expression) -> Arc<Env> {
        let (library, function) = (outer.library, Some((name, body)));
        let outer = Some(outer.clone());
        Arc::new(Env { library, outer, names: Vec::new(), function })
    }

    /// Returns the library whose functions are known here.
    pub fn library(&self) -> &'static Library {
        self.library
    }

    /// What a name stands for; null if nobody said.
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

    /// The function of a name, and where it was defined.
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

/// Values as `$1` and so on.
pub fn number(values: Vec<Value>) -> Vec<(Str, Value)> {
    let numbered = values.into_iter().enumerate();
    numbered.map(|(at, value)| (Str::from(format!("${}", at + 1)), value)).collect()
}

impl Drop for Env {
    fn drop(&mut self) {
        discard((self.outer.take(), std::mem::take(&mut self.names)));
    }
}

impl Object for ContextValue {
    fn type_name(&self) -> &str {
        "Context"
    }
}
