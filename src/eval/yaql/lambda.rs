//! An argument that is evaluated when its function asks: values come in as `$1` and so on,
//! what the expression stands for then goes out.

use std::sync::Arc;

use super::ast::Expression;
use super::engine::Engine;
use super::env::Env;
use crate::eval::python::{Result, Value, truth};

/// An expression, and where it was written.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    engine: Arc<Engine>,
    env: Arc<Env>,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Expression(Expression),
    /// What was handed over as a value is what it stands for.
    Value(Value),
}

impl Lambda {
    /// An expression as it is written somewhere.
    pub(super) fn new(engine: &Arc<Engine>, env: &Arc<Env>, body: Expression) -> Lambda {
        let body = Body::Expression(body);
        Lambda { engine: engine.clone(), env: env.clone(), body }
    }

    /// A value that somebody wants to be one.
    pub(super) fn constant(engine: &Arc<Engine>, env: &Arc<Env>, value: Value) -> Lambda {
        let body = Body::Value(value);
        Lambda { engine: engine.clone(), env: env.clone(), body }
    }

    /// The expression, if it is one.
    pub(super) fn expression(&self) -> Option<&Expression> {
        match &self.body {
            Body::Expression(body) => Some(body),
            Body::Value(_) => None,
        }
    }

    /// Where it was written.
    pub(super) fn env(&self) -> &Arc<Env> {
        &self.env
    }

    /// What it stands for.
    pub(super) fn call(&self, values: impl Into<Vec<Value>>) -> Result<Value> {
        let values = values.into();
        if values.is_empty() {
            self.call_in(&self.env)
        } else {
            self.call_in(&Env::numbered(&self.env, values))
        }
    }

    /// What it stands for where names mean something else.
    pub(super) fn call_in(&self, env: &Arc<Env>) -> Result<Value> {
        match &self.body {
            Body::Expression(body) => {
                self.engine.within(2, || self.engine.evaluate(body, env))
            }
            Body::Value(value) => Ok(value.clone()),
        }
    }

    /// Whether what it stands for is true.
    pub(super) fn holds(&self, values: impl Into<Vec<Value>>) -> Result<bool> {
        truth(&self.call(values)?)
    }
}
