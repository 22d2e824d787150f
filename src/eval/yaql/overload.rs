//! The signatures of functions: names, parameters and their types.

use hashbrown::HashMap;

use super::call::BoundCall;
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
    pub run: fn(&BoundCall) -> Result<Value>,
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
    pub parameters: Vec<OverloadParameter>,
    /// Type of the positional arguments beyond the parameters, if it takes any.
    pub variadic: Option<OverloadParameter>,
    /// True if it takes keyword arguments beyond the parameters.
    pub takes_keywords: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct OverloadParameter {
    pub name: &'static str,
    pub kind: YaqlType,
    pub nullable: bool,
    pub optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YaqlType {
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
const TYPES: [(&str, YaqlType, Accepts); 20] = [
    ("Any", YaqlType::Any, |_| true),
    ("Null", YaqlType::Null, |_| false),
    ("Bool", YaqlType::Bool, |value| matches!(value, Value::Bool(_))),
    ("Int", YaqlType::Int, |value| matches!(value, Value::Bool(_) | Value::Int(_) | Value::Big(_))),
    ("Integer", YaqlType::Integer, |value| matches!(value, Value::Int(_) | Value::Big(_))),
    ("Number", YaqlType::Number,
        |value| matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_))),
    ("Text", YaqlType::Text, |value| matches!(value, Value::Str(_))),
    ("Dict", YaqlType::Dict, |value| matches!(value, Value::Dict(_))),
    ("Sequence", YaqlType::Sequence, |value| matches!(value, Value::Tuple(_) | Value::List(_))),
    ("Set", YaqlType::Set, is_set),
    ("Iterable", YaqlType::Iterable, is_iterable),
    ("Ordered", YaqlType::Ordered, |value| is_iterable(value) && !is_set(value)),
    ("Iterator", YaqlType::Iterator, is_iterator),
    ("Ordering", YaqlType::Ordering, is::<OrderingIterable>),
    ("Regex", YaqlType::Regex, is::<RegexValue>),
    ("DateTime", YaqlType::DateTime, is::<DateTime>),
    ("Timespan", YaqlType::Timespan, is::<Delta>),
    ("MappingRule", YaqlType::MappingRule, is::<MappingRule>),
    // A value is taken as a constant lambda.
    ("Lambda", YaqlType::Lambda, |_| true),
    ("LazyMappingRule", YaqlType::LazyMappingRule, |_| false),
];

fn is<T: Object>(value: &Value) -> bool {
    value.downcast::<T>().is_some()
}

impl YaqlType {
    /// Returns true if the function gets an unevaluated expression.
    pub fn is_lazy(self) -> bool {
        matches!(self, YaqlType::Lambda | YaqlType::LazyMappingRule)
    }

    /// Returns true if a value other than null has this type.
    pub fn accepts(self, value: &Value) -> bool {
        let mut types = TYPES.iter();
        types.any(|(_, kind, accepts)| *kind == self && accepts(value))
    }

    /// Returns true if this type is a proper subtype of another one.
    pub fn is_narrower(self, other: YaqlType) -> bool {
        match other {
            // yaql compares Python types with `issubclass`, and lambdas with nothing.
            YaqlType::Any => self != YaqlType::Any && !self.is_lazy(),
            YaqlType::Iterable | YaqlType::Ordered => {
                matches!(
                    self,
                    YaqlType::Sequence
                        | YaqlType::Set
                        | YaqlType::Iterator
                        | YaqlType::Ordering
                )
            }
            _ => false,
        }
    }
}

/// Returns the name of the type of a value for people.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::None => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Big(_) => "integer",
        Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::Dict(_) => "dict",
        Value::Tuple(_) | Value::List(_) => "list",
        Value::Set(_) => "set",
        value if YaqlType::DateTime.accepts(value) => "datetime",
        value if YaqlType::Timespan.accepts(value) => "timespan",
        value if YaqlType::Iterable.accepts(value) => "iterator",
        _ => "object",
    }
}

type Native = fn(&BoundCall) -> Result<Value>;

/// Returns a function that cannot be called as a method.
pub const fn function(
    name: &'static str,
    signatures: &'static str,
    run: Native,
) -> Function {
    Function { name, calls: Calls::Function, signatures, takes_rules: false, run }
}

/// Returns a function that is called as a method of its first argument.
pub const fn method(
    name: &'static str,
    signatures: &'static str,
    run: Native,
) -> Function {
    Function { calls: Calls::Method, ..function(name, signatures, run) }
}

/// Returns a function that can be called in both ways.
pub const fn both(name: &'static str, signatures: &'static str, run: Native) -> Function {
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
            let kind = known.map_or(YaqlType::Null, |(_, kind, _)| *kind);
            let includes_null =
                matches!(kind, YaqlType::Any | YaqlType::Lambda | YaqlType::Null);
            let nullable =
                marks.starts_with("|Null") || includes_null && !marks.starts_with('!');
            let optional = marks.ends_with('?');
            let parameter = OverloadParameter { name, kind, nullable, optional };
            if name == "*" {
                overload.variadic = Some(parameter);
            } else {
                overload.parameters.push(parameter);
            }
        }
        overload
    }
}
