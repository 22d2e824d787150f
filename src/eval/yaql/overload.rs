//! What the library says of its functions: their names, what they take, what they do.

use super::argument::Call;
use super::evaluate::Rule;
use super::flow::{is_iterable, is_iterator};
use super::ordering::Ordering;
use super::regex::Regex;
use crate::eval::python::time::{DateTime, Delta};
use crate::eval::python::{Result, Value, View};

/// One of the functions of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overload {
    /// As expressions write it.
    pub(super) name: &'static str,
    /// Whether it is called on something, alone, or both.
    pub(super) calls: Calls,
    /// What it takes, by position or by name.
    pub(super) parameters: &'static [Parameter],
    /// What it takes beyond that by position.
    pub(super) more: Option<Parameter>,
    /// Whether it takes other names as well.
    pub(super) names: bool,
    /// Whether `name => value` is a rule to it and no argument with a name.
    pub(super) rules: bool,
    /// What it does.
    pub(super) run: fn(&Call) -> Result<Value>,
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// `name(x)`
    Function,
    /// `x.name()`
    Method,
    /// Both.
    Both,
}

/// What a function takes at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether null is taken.
    pub(super) nullable: bool,
    /// Whether it may be left out.
    pub(super) optional: bool,
}

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
    Rule,
    /// An expression, which the function evaluates.
    Lambda,
    /// `source => destination`, both evaluated by the function.
    LazyRule,
}

impl Kind {
    /// Whether the function gets the expression and not its value.
    pub(super) fn is_lazy(self) -> bool {
        matches!(self, Kind::Lambda | Kind::LazyRule)
    }

    /// Whether a value that is not null is one.
    pub(super) fn accepts(self, value: &Value) -> bool {
        match self {
            Kind::Any => true,
            Kind::Null | Kind::LazyRule => false,
            Kind::Lambda => true,
            Kind::Bool => matches!(value, Value::Bool(_)),
            Kind::Int => matches!(value, Value::Bool(_) | Value::Int(_) | Value::Big(_)),
            Kind::Integer => matches!(value, Value::Int(_) | Value::Big(_)),
            Kind::Number => {
                matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_))
            }
            Kind::Text => matches!(value, Value::Str(_)),
            Kind::Dict => matches!(value, Value::Dict(_)),
            Kind::Sequence => matches!(value, Value::Tuple(_) | Value::List(_)),
            Kind::Set => is_set(value),
            Kind::Iterable => is_iterable(value),
            Kind::Ordered => is_iterable(value) && !is_set(value),
            Kind::Iterator => is_iterator(value),
            Kind::Ordering => value.downcast::<Ordering>().is_some(),
            Kind::Regex => value.downcast::<Regex>().is_some(),
            Kind::DateTime => value.downcast::<DateTime>().is_some(),
            Kind::Timespan => value.downcast::<Delta>().is_some(),
            Kind::Rule => value.downcast::<Rule>().is_some(),
        }
    }

    /// Whether everything of this kind is of that one too, and more is.
    pub(super) fn is_narrower(self, other: Kind) -> bool {
        match other {
            Kind::Any => self != Kind::Any && !self.is_lazy(),
            Kind::Iterable | Kind::Ordered => {
                matches!(
                    self,
                    Kind::Sequence | Kind::Set | Kind::Iterator | Kind::Ordering
                )
            }
            _ => false,
        }
    }
}

/// Whether a value is a set: the keys and the items of a dict are.
pub(super) fn is_set(value: &Value) -> bool {
    matches!(value, Value::Set(_))
        || value.downcast::<View>().is_some() && value.type_name() != "dict_values"
}

/// A parameter that must be given.
pub(super) const fn need(name: &'static str, kind: Kind) -> Parameter {
    let nullable = matches!(kind, Kind::Any | Kind::Lambda | Kind::Null);
    Parameter { name, kind, nullable, optional: false }
}

/// A parameter that may be left out.
pub(super) const fn may(name: &'static str, kind: Kind) -> Parameter {
    Parameter { optional: true, ..need(name, kind) }
}

impl Parameter {
    /// The same that takes null.
    pub(super) const fn or_null(self) -> Parameter {
        Parameter { nullable: true, ..self }
    }

    /// The same that takes no null.
    pub(super) const fn but_null(self) -> Parameter {
        Parameter { nullable: false, ..self }
    }
}

type Run = fn(&Call) -> Result<Value>;

/// A function that is called alone.
pub(super) const fn function(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    let calls = Calls::Function;
    Overload { name, calls, parameters, more: None, names: false, rules: false, run }
}

/// A function that is called on its first argument.
pub(super) const fn method(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Method, ..function(name, parameters, run) }
}

/// A function that is called either way.
pub(super) const fn both(
    name: &'static str,
    parameters: &'static [Parameter],
    run: Run,
) -> Overload {
    Overload { calls: Calls::Both, ..function(name, parameters, run) }
}

impl Overload {
    /// The same that takes any number of arguments more.
    pub(super) const fn more(self, kind: Kind) -> Overload {
        Overload { more: Some(need("*", kind)), ..self }
    }

    /// The same that takes any names.
    pub(super) const fn names(self) -> Overload {
        Overload { names: true, ..self }
    }

    /// The same that takes rules.
    pub(super) const fn rules(self) -> Overload {
        Overload { rules: true, ..self }
    }

    /// Whether it can be called like this.
    pub(super) fn is_called(&self, on_receiver: bool) -> bool {
        match self.calls {
            Calls::Function => !on_receiver,
            Calls::Method => on_receiver,
            Calls::Both => true,
        }
    }
}
