//! The signatures of functions: names, parameters and their types.

use hashbrown::HashMap;

use super::call::FunctionCall;
use super::evaluate::MappingRule;
use super::function::RegexValue;
use super::iterable::{OrderingIterable, is_iterable, is_iterator};
use super::key::is_set;
use crate::eval::python::time::{DateTime, Delta};
use crate::eval::python::{Object, Result, Value};

/// A row of a table: a function with one or more signatures.
///
/// A signature lists the parameters, as in `"string:Text start:Int length:Int?"`. A type is
/// followed by `|Null` if null is accepted, by `!` if it is not although the type includes
/// it, and by `?` if the argument is optional. `*:Any` stands for any number of further
/// arguments of the type, `**` for further keyword arguments. Signatures are separated by
/// ` / `: each makes an overload.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub name: &'static str,
    calls: Calls,
    signatures: &'static str,
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

/// One of the functions of a name, with its signature.
#[derive(Clone, Debug)]
pub struct Overload {
    pub function: &'static Function,
    /// Parameters, by position or by name.
    pub parameters: Vec<Parameter>,
    /// Type of the positional arguments beyond the parameters, if it takes any.
    pub variadic: Option<Parameter>,
    /// True if it takes keyword arguments beyond the parameters.
    pub takes_keywords: bool,
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

/// Decides if a value other than null has a type.
type Accepts = fn(&Value) -> bool;

/// The types, with the names that signatures have for them.
#[rustfmt::skip]
const TYPES: [(&str, ParameterType, Accepts); 20] = [
    ("Any", ParameterType::Any, |_| true),
    ("Null", ParameterType::Null, |_| false),
    ("Bool", ParameterType::Bool, |value| matches!(value, Value::Bool(_))),
    ("Int", ParameterType::Int, |value| matches!(value, Value::Bool(_) | Value::Int(_) | Value::Big(_))),
    ("Integer", ParameterType::Integer, |value| matches!(value, Value::Int(_) | Value::Big(_))),
    ("Number", ParameterType::Number,
        |value| matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_))),
    ("Text", ParameterType::Text, |value| matches!(value, Value::Str(_))),
    ("Dict", ParameterType::Dict, |value| matches!(value, Value::Dict(_))),
    ("Sequence", ParameterType::Sequence, |value| matches!(value, Value::Tuple(_) | Value::List(_))),
    ("Set", ParameterType::Set, is_set),
    ("Iterable", ParameterType::Iterable, is_iterable),
    ("Ordered", ParameterType::Ordered, |value| is_iterable(value) && !is_set(value)),
    ("Iterator", ParameterType::Iterator, is_iterator),
    ("Ordering", ParameterType::Ordering, is::<OrderingIterable>),
    ("Regex", ParameterType::Regex, is::<RegexValue>),
    ("DateTime", ParameterType::DateTime, is::<DateTime>),
    ("Timespan", ParameterType::Timespan, is::<Delta>),
    ("MappingRule", ParameterType::MappingRule, is::<MappingRule>),
    // A value is taken as a constant lambda.
    ("Lambda", ParameterType::Lambda, |_| true),
    ("LazyMappingRule", ParameterType::LazyMappingRule, |_| false),
];

fn is<T: Object>(value: &Value) -> bool {
    value.downcast::<T>().is_some()
}

impl ParameterType {
    /// Returns true if the function gets an unevaluated expression.
    pub fn is_lazy(self) -> bool {
        matches!(self, ParameterType::Lambda | ParameterType::LazyMappingRule)
    }

    /// Returns true if a value other than null has this type.
    pub fn accepts(self, value: &Value) -> bool {
        let mut types = TYPES.iter();
        types.any(|(_, kind, accepts)| *kind == self && accepts(value))
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

type Run = fn(&FunctionCall) -> Result<Value>;

/// Returns a function that cannot be called as a method.
pub const fn function(
    name: &'static str,
    signatures: &'static str,
    run: Run,
) -> Function {
    Function { name, calls: Calls::Function, signatures, takes_rules: false, run }
}

/// Returns a function that is called as a method of its first argument.
pub const fn method(name: &'static str, signatures: &'static str, run: Run) -> Function {
    Function { calls: Calls::Method, ..function(name, signatures, run) }
}

/// Returns a function that can be called in both ways.
pub const fn both(name: &'static str, signatures: &'static str, run: Run) -> Function {
    Function { calls: Calls::Both, ..function(name, signatures, run) }
}

impl Function {
    pub const fn rules(self) -> Function {
        Function { takes_rules: true, ..self }
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
pub struct Library(HashMap<&'static str, Vec<Overload>>);

impl Library {
    pub fn new(tables: &[&'static [Function]]) -> Library {
        let mut named: HashMap<&str, Vec<Overload>> = HashMap::new();
        for function in tables.iter().copied().flatten() {
            let overloads = function.signatures.split(" / ");
            let overloads = overloads.map(|one| Overload::read(function, one));
            named.entry(function.name).or_default().extend(overloads);
        }
        Library(named)
    }

    /// Returns the overloads of a name, in the order of the tables.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Overload> {
        self.0.get(name).into_iter().flatten()
    }
}

impl Overload {
    fn read(function: &'static Function, signature: &'static str) -> Overload {
        let takes_keywords = signature.ends_with("**");
        let mut overload =
            Overload { function, parameters: Vec::new(), variadic: None, takes_keywords };
        for word in signature.split_whitespace() {
            let Some((name, rest)) = word.split_once(':') else { continue };
            let end = rest.find(['|', '!', '?']).unwrap_or(rest.len());
            let (kind, marks) = rest.split_at(end);
            let known = TYPES.iter().find(|(known, ..)| *known == kind);
            debug_assert!(known.is_some(), "{signature}");
            let kind = known.map_or(ParameterType::Null, |(_, kind, _)| *kind);
            let includes_null = matches!(
                kind,
                ParameterType::Any | ParameterType::Lambda | ParameterType::Null
            );
            let nullable =
                marks.starts_with("|Null") || includes_null && !marks.starts_with('!');
            let optional = marks.ends_with('?');
            let parameter = Parameter { name, kind, nullable, optional };
            if name == "*" {
                overload.variadic = Some(parameter);
            } else {
                overload.parameters.push(parameter);
            }
        }
        overload
    }
}
