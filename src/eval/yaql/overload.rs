//! What the library says of its functions: their names, what they take, what they do.

use std::collections::HashMap;

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
    /// As expressions write it.
    pub name: &'static str,
    /// Whether it is called on something, alone, or both.
    pub calls: Calls,
    /// What it takes, by position or by name.
    pub parameters: &'static [Parameter],
    /// What it takes beyond that by position.
    pub variadic: Option<Parameter>,
    /// Whether it takes other names as well.
    pub takes_keywords: bool,
    /// Whether `name => value` is a rule to it and no argument with a name.
    pub takes_rules: bool,
    /// What it does.
    pub run: fn(&FunctionCall) -> Result<Value>,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// `name(x)`
    Function,
    /// `x.name()`
    Method,
    /// Both.
    Both,
}

/// What a function takes at a place.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterType,
    /// Whether null is taken.
    pub nullable: bool,
    /// Whether it may be left out.
    pub optional: bool,
}

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    Any,
    Null,
    Bool,
    /// An integer or a bool.
    Int,
    /// An integer that is no bool.
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
    /// The same, but no set.
    Ordered,
    Iterator,
    /// What `orderBy` gives.
    Ordering,
    Regex,
    DateTime,
    Timespan,
    /// `source => destination`, evaluated.
    MappingRule,
    /// An expression, which the function evaluates.
    Lambda,
    /// `source => destination`, both evaluated by the function.
    LazyMappingRule,
}

impl ParameterType {
    /// Whether the function gets the expression and not its value.
    pub fn is_lazy(self) -> bool {
        matches!(self, ParameterType::Lambda | ParameterType::LazyMappingRule)
    }

    /// Whether a value that is not null is one.
    pub fn accepts(self, value: &Value) -> bool {
        match self {
            ParameterType::Any => true,
            ParameterType::Null | ParameterType::LazyMappingRule => false,
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

    /// Whether everything of this kind is of that one too, and more is.
    pub fn is_narrower(self, other: ParameterType) -> bool {
        match other {
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

/// A parameter that must be given.
pub const fn required(name: &'static str, kind: ParameterType) -> Parameter {
    let nullable =
        matches!(kind, ParameterType::Any | ParameterType::Lambda | ParameterType::Null);
    Parameter { name, kind, nullable, optional: false }
}

/// A parameter that may be left out.
pub const fn optional(name: &'static str, kind: ParameterType) -> Parameter {
    Parameter { optional: true, ..required(name, kind) }
}

impl Parameter {
    /// The same that takes null.
    pub const fn or_null(self) -> Parameter {
        Parameter { nullable: true, ..self }
    }

    /// The same that takes no null.
    pub const fn not_null(self) -> Parameter {
        Parameter { nullable: false, ..self }
    }
}

type Run = fn(&FunctionCall) -> Result<Value>;

/// A function that is called alone.
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

/// A function that is called on its first argument.
pub const fn method(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Method, ..function(name, parameters, run) }
}

/// A function that is called either way.
pub const fn both(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Both, ..function(name, parameters, run) }
}

impl Overload {
    /// The same that takes any number of arguments more.
    pub const fn variadic(self, kind: ParameterType) -> Overload {
        Overload { variadic: Some(required("*", kind)), ..self }
    }

    /// The same that takes any names.
    pub const fn keywords(self) -> Overload {
        Overload { takes_keywords: true, ..self }
    }

    /// The same that takes rules.
    pub const fn rules(self) -> Overload {
        Overload { takes_rules: true, ..self }
    }

    /// Whether it can be called like this.
    pub fn is_called(&self, on_receiver: bool) -> bool {
        match self.calls {
            Calls::Function => !on_receiver,
            Calls::Method => on_receiver,
            Calls::Both => true,
        }
    }
}

/// The functions of a library by their names.
#[derive(Debug)]
pub struct Library(HashMap<&'static str, Vec<&'static Overload>>);

impl Library {
    /// Returns the library of all functions of `tables`.
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
