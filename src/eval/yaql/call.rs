//! The interface between a function and its call.

use std::sync::Arc;

use num_traits::{Signed, ToPrimitive};

use crate::eval::python::{Dict, Exception, Result, Set, Str, Value, truth};

use super::engine::Engine;
use super::evaluate::{Env, Lambda};
use super::iterable::{OnceIterator, Stream, stream};
use super::key;

#[derive(Clone, Debug)]
pub enum Argument {
    Absent,
    Value(Value),
    /// An unevaluated expression.
    Lambda(Lambda),
}

/// A call of a function, with its bound arguments. The accessors take the position of a
/// parameter, and raise a `TypeError` although the resolution has checked the types
/// before.
#[derive(Debug)]
pub struct BoundCall {
    /// Names at the place of the call.
    pub env: Arc<Env>,
    /// One argument for each parameter.
    pub arguments: Vec<Argument>,
    /// Positional arguments beyond the parameters.
    pub variadic: Vec<Argument>,
    /// Keyword arguments beyond the parameters.
    pub keywords: Vec<(Str, Value)>,
}

impl BoundCall {
    pub fn engine(&self) -> &Arc<Engine> {
        &self.env.engine
    }

    /// Returns an argument that is a value; `None` if it was omitted.
    pub fn get(&self, at: usize) -> Option<&Value> {
        match self.arguments.get(at) {
            Some(Argument::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns an argument; null if it was omitted.
    pub fn value(&self, at: usize) -> Value {
        self.get(at).cloned().unwrap_or(Value::None)
    }

    /// Returns an argument, or an integer if it was omitted.
    pub fn value_or(&self, at: usize, otherwise: i64) -> Value {
        self.get(at).cloned().unwrap_or(Value::Int(otherwise))
    }

    pub fn lambda(&self, at: usize) -> Result<Lambda> {
        self.maybe_lambda(at).ok_or_else(|| self.type_error(at))
    }

    /// Returns an expression; `None` if it was omitted.
    pub fn maybe_lambda(&self, at: usize) -> Option<Lambda> {
        match self.arguments.get(at) {
            Some(Argument::Lambda(lambda)) => Some(lambda.clone()),
            _ => None,
        }
    }

    pub fn text(&self, at: usize) -> Result<Str> {
        match self.get(at) {
            Some(Value::Str(text)) => Ok(text.clone()),
            _ => Err(self.type_error(at)),
        }
    }

    pub fn dict(&self, at: usize) -> Result<Dict> {
        match self.get(at) {
            Some(Value::Dict(entries)) => Ok(entries.clone()),
            _ => Err(self.type_error(at)),
        }
    }

    /// Returns a set. The keys or items of a dict are copied to one.
    pub fn set(&self, at: usize) -> Result<Set> {
        match self.get(at) {
            Some(Value::Set(members)) => Ok(members.clone()),
            _ => key::set(self.stream(at)?.rest()?),
        }
    }

    /// Returns an integer, or a default if it was omitted or is null.
    pub fn int(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.get(at) {
            None | Some(Value::None) => Ok(otherwise),
            Some(Value::Bool(x)) => Ok(i64::from(*x)),
            Some(Value::Int(x)) => Ok(*x),
            Some(Value::Big(x)) => x.to_i64().ok_or_else(|| {
                Exception::of_overflow("Python int too large to convert to C ssize_t")
            }),
            Some(_) => Err(self.type_error(at)),
        }
    }

    /// Returns an index. An integer that is too large is clamped.
    pub fn position(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.get(at) {
            Some(Value::Big(x)) if x.is_negative() => Ok(i64::MIN),
            Some(Value::Big(_)) => Ok(i64::MAX),
            _ => self.int(at, otherwise),
        }
    }

    /// Returns the truth of an argument; false if it was omitted.
    pub fn flag(&self, at: usize) -> Result<bool> {
        self.get(at).map_or(Ok(false), truth)
    }

    pub fn stream(&self, at: usize) -> Result<Stream> {
        stream(self.get(at).unwrap_or(&Value::None))
    }

    pub fn members(&self, at: usize) -> Result<Vec<Value>> {
        self.stream(at)?.rest()
    }

    pub fn variadic(&self) -> Vec<Value> {
        let value = |argument: &Argument| match argument {
            Argument::Value(value) => Some(value.clone()),
            _ => None,
        };
        self.variadic.iter().filter_map(value).collect()
    }

    pub fn variadic_lambdas(&self) -> Vec<Lambda> {
        let lambda = |argument: &Argument| match argument {
            Argument::Lambda(lambda) => Some(lambda.clone()),
            _ => None,
        };
        self.variadic.iter().filter_map(lambda).collect()
    }

    /// Returns an iterator over the members that `step` returns.
    pub fn generator(
        &self,
        step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Result<Value> {
        self.lazy(Stream::of_steps(step))
    }

    /// Returns an iterator over members.
    pub fn lazy(
        &self,
        members: impl Iterator<Item = Result<Value>> + Send + Sync + 'static,
    ) -> Result<Value> {
        Ok(OnceIterator::value(self.engine(), Stream::new(members)))
    }

    fn type_error(&self, at: usize) -> Box<Exception> {
        Exception::of_type(format!("invalid argument {}", at + 1))
    }
}
