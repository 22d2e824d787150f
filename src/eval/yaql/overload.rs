//! The signatures of functions: names, parameters and their types.

use hashbrown::HashMap;

use super::call::FunctionCall;
use super::evaluate::MappingRule;
use super::iterable::{OrderingIterable, is_iterable, is_iterator};
use super::key::is_set;
use super::regex::RegexValue;
use crate::eval::python::time::{DateTime, Delta};
use crate::eval::python::{Result, Value};

/// One of the functions of a name.
#[derive(Clone, Copy, Debug)]
pub struct Overload {
    pub name: &'static str,
    calls: Calls,
    /// Parameters, by position or by name.
    pub parameters: &'static [Parameter],
    /// Type of the positional arguments beyond the parameters, if it takes any.
    pub variadic: Option<Parameter>,
    /// True if it takes keyword arguments beyond the parameters.
    pub takes_keywords: bool,
    /// True if `name => value` is a mapping rule, not a keyword argument.
    pub takes_rules: bool,
    pub run: fn(&FunctionCall) -> Result<Value>,
}

/// The ways to call a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// `name(x)`
    Function,
    /// `x.name()`
    Method,
    Both,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterType,
    pub nullable: bool,
    pub optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    Any,
    Null,
    Bool,
    /// An integer or a boolean.
    Int,
    /// An integer, but not a boolean.
    Integer,
    Number,
    Text,
    Dict,
    /// A list.
    Sequence,
    /// A set, or the keys or the items of a dict.
    Set,
    /// Any collection but a dict.
    Iterable,
    /// Any collection but a dict or a set.
    Ordered,
    Iterator,
    /// A result of `orderBy`.
    Ordering,
    Regex,
    DateTime,
    Timespan,
    /// `source => destination`, evaluated.
    MappingRule,
    /// An expression that the function evaluates.
    Lambda,
    /// `source => destination`, both evaluated by the function.
    LazyMappingRule,
}

impl ParameterType {
    /// Returns true if the function gets an unevaluated expression.
    pub fn is_lazy(self) -> bool {
        matches!(self, ParameterType::Lambda | ParameterType::LazyMappingRule)
    }

    /// Returns true if a value other than null has this type.
    pub fn accepts(self, value: &Value) -> bool {
        match self {
            ParameterType::Any => true,
            ParameterType::Null | ParameterType::LazyMappingRule => false,
            // A value is taken as a constant lambda.
            ParameterType::Lambda => true,
            ParameterType::Bool => matches!(value, Value::Bool(_)),
            ParameterType::Int => {
                matches!(value, Value::Bool(_) | Value::Int(_) | Value::Big(_))
            }
            ParameterType::Integer => matches!(value, Value::Int(_) | Value::Big(_)),
            ParameterType::Number => {
                matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_))
            }
            ParameterType::Text => matches!(value, Value::Str(_)),
            ParameterType::Dict => matches!(value, Value::Dict(_)),
            ParameterType::Sequence => matches!(value, Value::Tuple(_) | Value::List(_)),
            ParameterType::Set => is_set(value),
            ParameterType::Iterable => is_iterable(value),
            ParameterType::Ordered => is_iterable(value) && !is_set(value),
            ParameterType::Iterator => is_iterator(value),
            ParameterType::Ordering => value.downcast::<OrderingIterable>().is_some(),
            ParameterType::Regex => value.downcast::<RegexValue>().is_some(),
            ParameterType::DateTime => value.downcast::<DateTime>().is_some(),
            ParameterType::Timespan => value.downcast::<Delta>().is_some(),
            ParameterType::MappingRule => value.downcast::<MappingRule>().is_some(),
        }
    }

    /// Returns true if this type is a proper subtype of another one.
    pub fn is_narrower(self, other: ParameterType) -> bool {
        match other {
            // yaql compares Python types with `issubclass`, and lambdas with nothing.
            ParameterType::Any => self != ParameterType::Any && !self.is_lazy(),
            ParameterType::Iterable | ParameterType::Ordered => {
                matches!(
                    self,
                    ParameterType::Sequence
                        | ParameterType::Set
                        | ParameterType::Iterator
                        | ParameterType::Ordering
                )
            }
            _ => false,
        }
    }
}

pub const fn required(name: &'static str, kind: ParameterType) -> Parameter {
    let nullable =
        matches!(kind, ParameterType::Any | ParameterType::Lambda | ParameterType::Null);
    Parameter { name, kind, nullable, optional: false }
}

pub const fn optional(name: &'static str, kind: ParameterType) -> Parameter {
    Parameter { optional: true, ..required(name, kind) }
}

impl Parameter {
    pub const fn or_null(self) -> Parameter {
        Parameter { nullable: true, ..self }
    }

    pub const fn not_null(self) -> Parameter {
        Parameter { nullable: false, ..self }
    }
}

type Run = fn(&FunctionCall) -> Result<Value>;

/// Returns a function that cannot be called as a method.
pub const fn function(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    let calls = Calls::Function;
    Overload {
        name,
        calls,
        parameters,
        variadic: None,
        takes_keywords: false,
        takes_rules: false,
        run,
    }
}

/// Returns a function that is called as a method of its first argument.
pub const fn method(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Method, ..function(name, parameters, run) }
}

/// Returns a function that can be called in both ways.
pub const fn both(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Both, ..function(name, parameters, run) }
}

impl Overload {
    /// Takes any number of further arguments of a type.
    pub const fn variadic(self, kind: ParameterType) -> Overload {
        Overload { variadic: Some(required("*", kind)), ..self }
    }

    pub const fn keywords(self) -> Overload {
        Overload { takes_keywords: true, ..self }
    }

    pub const fn rules(self) -> Overload {
        Overload { takes_rules: true, ..self }
    }

    /// Returns true if it can be called with or without a receiver.
    pub fn is_called(&self, on_receiver: bool) -> bool {
        match self.calls {
            Calls::Function => !on_receiver,
            Calls::Method => on_receiver,
            Calls::Both => true,
        }
    }
}

/// The overloads of all functions by name.
#[derive(Debug)]
pub struct Library(HashMap<&'static str, Vec<&'static Overload>>);

impl Library {
    pub fn new(tables: &[&'static [Overload]]) -> Library {
        let mut named: HashMap<&str, Vec<&Overload>> = HashMap::new();
        for overload in tables.iter().copied().flatten() {
            named.entry(overload.name).or_default().push(overload);
        }
        Library(named)
    }

    /// Returns the overloads of a name, in the order of the tables.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &'static Overload> {
        self.0.get(name).into_iter().flatten().copied()
    }
}
