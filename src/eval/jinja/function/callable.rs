//! A function of the registry as a value that can be called.

use std::sync::Arc;

use crate::eval::Scope;
use crate::eval::jinja::plugin::{Plugin, Registry};
use crate::eval::python::{Arguments, Object, Result, Value};

/// A function and the scope it was named in.
#[derive(Debug)]
pub(in crate::eval::jinja) struct Function {
    entry: &'static Plugin,
    scope: Scope,
    engine: Arc<Registry>,
}

impl Function {
    /// What a name stands for that is a function.
    pub(in crate::eval::jinja) fn new(
        entry: &'static Plugin,
        scope: Scope,
        engine: Arc<Registry>,
    ) -> Function {
        Function { entry, scope, engine }
    }

    /// Whether it is called even with undefined arguments.
    pub(in crate::eval::jinja) fn accepts_undefined(&self) -> bool {
        self.entry.accepts_undefined
    }
}

impl Object for Function {
    fn type_name(&self) -> &str {
        "function"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        self.engine.call(self.entry, &self.scope, arguments)
    }
}
