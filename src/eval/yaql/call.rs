//! What a function of the library is called with.

use std::sync::Arc;

use num_traits::{Signed, ToPrimitive};

use super::engine::Engine;
use super::env::Env;
use super::evaluate::Lambda;
use super::iterable::{Generator, Stream, stream};
use super::key;
use super::overload::ParameterType;
use super::resolve::{self, UnboundArgument, convert};
use crate::eval::python::{Class, Dict, Exception, Result, Set, Str, Value, truth};

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// It was left out.
    Absent,
    /// A value.
    Value(Value),
    /// An expression to be evaluated.
    Lambda(Lambda),
    /// `source => destination`, both to be evaluated.
    MappingRule(Lambda, Lambda),
}

/// A call: what holds there, and the arguments.
#[derive(Debug)]
pub struct FunctionCall {
    pub engine: Arc<Engine>,
    /// What names stand for where it is called.
    pub env: Arc<Env>,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// Those beyond.
    pub variadic: Vec<Argument>,
    /// Those by other names.
    pub keywords: Vec<(Str, Value)>,
}

impl FunctionCall {
    /// An argument, if it is a value that was given.
    pub fn get(&self, at: usize) -> Option<&Value> {
        match self.arguments.get(at) {
            Some(Argument::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// An argument; null if it was left out.
    pub fn value(&self, at: usize) -> Value {
        self.get(at).cloned().unwrap_or(Value::None)
    }

    /// An expression.
    pub fn lambda(&self, at: usize) -> Result<Lambda> {
        self.maybe_lambda(at).ok_or_else(|| self.wrong(at))
    }

    /// An expression that may have been left out.
    pub fn maybe_lambda(&self, at: usize) -> Option<Lambda> {
        match self.arguments.get(at) {
            Some(Argument::Lambda(lambda)) => Some(lambda.clone()),
            _ => None,
        }
    }

    /// A string.
    pub fn text(&self, at: usize) -> Result<Str> {
        match self.get(at) {
            Some(Value::Str(text)) => Ok(text.clone()),
            _ => Err(self.wrong(at)),
        }
    }

    /// A dict.
    pub fn dict(&self, at: usize) -> Result<Dict> {
        match self.get(at) {
            Some(Value::Dict(entries)) => Ok(entries.clone()),
            _ => Err(self.wrong(at)),
        }
    }

    /// A set; the keys or the items of a dict as one.
    pub fn set(&self, at: usize) -> Result<Set> {
        match self.get(at) {
            Some(Value::Set(members)) => Ok(members.clone()),
            _ => key::set(self.stream(at)?.rest()?),
        }
    }

    /// An integer, or what stands for it if it was left out or is null.
    pub fn int(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.get(at) {
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
    pub fn position(&self, at: usize, otherwise: i64) -> Result<i64> {
        match self.get(at) {
            Some(Value::Big(x)) if x.is_negative() => Ok(i64::MIN),
            Some(Value::Big(_)) => Ok(i64::MAX),
            _ => self.int(at, otherwise),
        }
    }

    /// Whether an argument is true; not if it was left out.
    pub fn flag(&self, at: usize) -> Result<bool> {
        self.get(at).map_or(Ok(false), truth)
    }

    /// The members of a collection.
    pub fn stream(&self, at: usize) -> Result<Stream> {
        stream(self.get(at).unwrap_or(&Value::None))
    }

    /// The members of a collection, all at once.
    pub fn members(&self, at: usize) -> Result<Vec<Value>> {
        self.stream(at)?.rest()
    }

    /// The values beyond the parameters.
    pub fn variadic(&self) -> Vec<Value> {
        let value = |argument: &Argument| match argument {
            Argument::Value(value) => Some(value.clone()),
            _ => None,
        };
        self.variadic.iter().filter_map(value).collect()
    }

    /// The expressions beyond the parameters.
    pub fn variadic_lambdas(&self) -> Vec<Lambda> {
        let lambda = |argument: &Argument| match argument {
            Argument::Lambda(lambda) => Some(lambda.clone()),
            _ => None,
        };
        self.variadic.iter().filter_map(lambda).collect()
    }

    /// A stream as a value.
    pub fn generator(
        &self,
        step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Result<Value> {
        Ok(Generator::value(&self.engine, Stream::new(step)))
    }

    /// To call other functions by their names.
    pub fn caller(&self) -> Caller {
        Caller { engine: self.engine.clone(), env: self.env.clone() }
    }

    fn wrong(&self, at: usize) -> Box<Exception> {
        Exception::of_type(format!("invalid argument {}", at + 1))
    }
}

/// The functions that are known at a place.
#[derive(Clone, Debug)]
pub struct Caller {
    pub engine: Arc<Engine>,
    pub env: Arc<Env>,
}

impl Caller {
    /// What a function makes of values.
    pub fn function(&self, name: &str, values: &[Value]) -> Result<Value> {
        let inputs = values.iter().cloned().map(UnboundArgument::Value).collect();
        resolve::call(&self.engine, &self.env, name, None, inputs, Vec::new())
    }

    /// A value as an argument of a kind.
    ///
    /// # Errors
    /// It is too large.
    pub fn convert(&self, kind: ParameterType, value: Value) -> Result<Value> {
        convert(&self.engine, kind, value)
    }
}
