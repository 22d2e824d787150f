//! What a function of the library is called with.

use std::sync::Arc;

use num_traits::{Signed, ToPrimitive};

use super::choose;
use super::engine::Engine;
use super::env::Env;
use super::flow::{Flow, Iter, flow};
use super::input::{Input, convert};
use super::key;
use super::lambda::Lambda;
use super::overload::Kind;
use crate::eval::python::{Class, Dict, Exception, Result, Set, Str, Value, truth};

/// An argument.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// It was left out.
    Absent,
    /// A value.
    Value(Value),
    /// An expression to be evaluated.
    Lambda(Lambda),
    /// `source => destination`, both to be evaluated.
    Rule(Lambda, Lambda),
}

/// A call: what holds there, and the arguments.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) engine: Arc<Engine>,
    /// What names stand for where it is called.
    pub(super) env: Arc<Env>,
    /// One for each parameter.
    pub(super) arguments: Vec<Argument>,
    /// Those beyond.
    pub(super) more: Vec<Argument>,
    /// Those by other names.
    pub(super) names: Vec<(Str, Value)>,
}

impl Call {
    /// An argument, if it is a value that was given.
    pub(super) fn given(&self, at: usize) -> Option<&Value> {
        match self.arguments.get(at) {
            Some(Argument::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// An argument; null if it was left out.
    pub(super) fn value(&self, at: usize) -> Value {
        self.given(at).cloned().unwrap_or(Value::None)
    }

    /// An expression.
    pub(super) fn lambda(&self, at: usize) -> Result<Lambda> {
        self.maybe_lambda(at).ok_or_else(|| self.wrong(at))
    }

    /// An expression that may have been left out.
    pub(super) fn maybe_lambda(&self, at: usize) -> Option<Lambda> {
        match self.arguments.get(at) {
            Some(Argument::Lambda(lambda)) => Some(lambda.clone()),
            _ => None,
        }
    }

    /// A string.
    pub(super) fn text(&self, at: usize) -> Result<Str> {
        match self.given(at) {
            Some(Value::Str(text)) => Ok(text.clone()),
            _ => Err(self.wrong(at)),
        }
    }

    /// A dict.
    pub(super) fn dict(&self, at: usize) -> Result<Dict> {
        match self.given(at) {
            Some(Value::Dict(entries)) => Ok(entries.clone()),
            _ => Err(self.wrong(at)),
        }
    }

    /// A set; the keys or the items of a dict as one.
    pub(super) fn set(&self, at: usize) -> Result<Set> {
        match self.given(at) {
            Some(Value::Set(members)) => Ok(members.clone()),
            _ => key::set(self.flow(at)?.rest()?),
        }
    }

    /// An integer, or what stands for it if it was left out or is null.
    pub(super) fn int(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.given(at) {
            None | Some(Value::None) => Ok(otherwise),
            Some(Value::Bool(x)) => Ok(i64::from(*x)),
            Some(Value::Int(x)) => Ok(*x),
            Some(Value::Big(x)) => x.to_i64().ok_or_else(|| {
                let message = "Python int too large to convert to C ssize_t";
                Exception::new(Class::Overflow, message)
            }),
            Some(_) => Err(self.wrong(at)),
        }
    }

    /// An integer that is a place: what is too large is beyond every end.
    pub(super) fn place(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.given(at) {
            Some(Value::Big(x)) if x.is_negative() => Ok(i64::MIN),
            Some(Value::Big(_)) => Ok(i64::MAX),
            _ => self.int(at, otherwise),
        }
    }

    /// Whether an argument is true; not if it was left out.
    pub(super) fn flag(&self, at: usize) -> Result<bool> {
        self.given(at).map_or(Ok(false), truth)
    }

    /// The members of a collection.
    pub(super) fn flow(&self, at: usize) -> Result<Flow> {
        flow(self.given(at).unwrap_or(&Value::None))
    }

    /// The members of a collection, all at once.
    pub(super) fn members(&self, at: usize) -> Result<Vec<Value>> {
        self.flow(at)?.rest()
    }

    /// The values beyond the parameters.
    pub(super) fn more(&self) -> Vec<Value> {
        let value = |argument: &Argument| match argument {
            Argument::Value(value) => Some(value.clone()),
            _ => None,
        };
        self.more.iter().filter_map(value).collect()
    }

    /// The expressions beyond the parameters.
    pub(super) fn more_lambdas(&self) -> Vec<Lambda> {
        let lambda = |argument: &Argument| match argument {
            Argument::Lambda(lambda) => Some(lambda.clone()),
            _ => None,
        };
        self.more.iter().filter_map(lambda).collect()
    }

    /// A flow as a value.
    pub(super) fn iter(
        &self,
        step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Result<Value> {
        Ok(Iter::value(&self.engine, Flow::new(step)))
    }

    /// To call other functions by their names.
    pub(super) fn library(&self) -> Library {
        Library { engine: self.engine.clone(), env: self.env.clone() }
    }

    fn wrong(&self, at: usize) -> Box<Exception> {
        Exception::of_type(format!("invalid argument {}", at + 1))
    }
}

/// The functions that are known at a place.
#[derive(Clone, Debug)]
pub(super) struct Library {
    pub(super) engine: Arc<Engine>,
    pub(super) env: Arc<Env>,
}

impl Library {
    /// What a function makes of values.
    pub(super) fn function(&self, name: &str, values: &[Value]) -> Result<Value> {
        let inputs = values.iter().cloned().map(Input::Value).collect();
        choose::call(&self.engine, &self.env, name, None, inputs, Vec::new())
    }

    /// A value as an argument of a kind.
    ///
    /// # Errors
    /// It is too large.
    pub(super) fn admit(&self, kind: Kind, value: Value) -> Result<Value> {
        convert(&self.engine, kind, value)
    }
}
