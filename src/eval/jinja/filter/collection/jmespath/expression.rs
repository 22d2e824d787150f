//! Expressions of JMESPath, their evaluation and their functions.

use crate::eval::jinja::filter::order::{best, sorted};
use crate::eval::jinja::filter::parameter::{list_of, method, values};
use crate::eval::python::{
    self, Class, Comparison, Dict, Exception, Key, Operator, Result, Value, json,
};
use crate::eval::visit::VisitCounter;

// Recursion is safe: the parser limits the number of parts.
#[derive(Debug)]
pub(super) enum QueryNode {
    /// `@`
    Current,
    /// `name`
    Field(String),
    /// `` `1` ``
    Literal(Value),
    /// `a.b`, `a | b`, `a[0]`
    Then(Box<QueryNode>, Box<QueryNode>),
    /// `[0]`
    Index(i64),
    /// `[0:2:1]`
    Slice([Option<i64>; 3]),
    /// A projection: the second, applied to each member of the first.
    Each(Projection, Box<QueryNode>, Box<QueryNode>),
    /// `a[]`
    Flatten(Box<QueryNode>),
    /// `a || b`
    Or(Box<QueryNode>, Box<QueryNode>),
    /// `a && b`
    And(Box<QueryNode>, Box<QueryNode>),
    /// `!a`
    Not(Box<QueryNode>),
    /// `a < b`
    Compare(&'static str, Box<QueryNode>, Box<QueryNode>),
    /// `[a, b]`
    List(Vec<QueryNode>),
    /// `{a: b}`
    Dict(Vec<(String, QueryNode)>),
    /// `name(a)`
    Call(String, Vec<QueryNode>),
    /// `&a`
    Reference(Box<QueryNode>),
}

/// The members that a projection iterates over.
#[derive(Debug)]
pub(super) enum Projection {
    Items,
    /// `[?a]`: the items for which the expression holds.
    Filtered(Box<QueryNode>),
    Values,
}

impl QueryNode {
    pub(super) fn search(&self, value: &Value, walk: &VisitCounter<'_>) -> Result<Value> {
        Ok(match self {
            QueryNode::Current => value.clone(),
            QueryNode::Literal(literal) => literal.clone(),
            QueryNode::Field(name) => match value {
                Value::Dict(dict) => dict.get_text(name)?.unwrap_or(Value::None),
                _ => Value::None,
            },
            QueryNode::Then(first, second) => {
                second.search(&first.search(value, walk)?, walk)?
            }
            QueryNode::Index(place) => index(value, *place)?,
            QueryNode::Slice(parts) => slice(value, parts)?,
            QueryNode::Each(kind, from, each) => {
                project(kind, &from.search(value, walk)?, each, walk)?
            }
            QueryNode::Flatten(from) => flatten(&from.search(value, walk)?, walk)?,
            QueryNode::Or(first, second) => match first.search(value, walk)? {
                found if holds(&found) => found,
                _ => second.search(value, walk)?,
            },
            QueryNode::And(first, second) => match first.search(value, walk)? {
                found if holds(&found) => second.search(value, walk)?,
                found => found,
            },
            QueryNode::Not(inner) => Value::Bool(!holds(&inner.search(value, walk)?)),
            QueryNode::Compare(sign, first, second) => {
                compare(sign, &first.search(value, walk)?, &second.search(value, walk)?)?
            }
            QueryNode::List(_) | QueryNode::Dict(_) if matches!(value, Value::None) => {
                Value::None
            }
            QueryNode::List(members) => {
                list_of(members.iter().map(|member| member.search(value, walk)))?
            }
            QueryNode::Dict(entries) => {
                let dict = Dict::default();
                for (name, expression) in entries {
                    dict.set(Key::text(name), expression.search(value, walk)?);
                }
                Value::Dict(dict)
            }
            QueryNode::Call(name, arguments) => call(name, arguments, value, walk)?,
            QueryNode::Reference(_) => {
                let message = "an expression is no value: only functions take one";
                return Err(Exception::new(Class::Syntax, message));
            }
        })
    }
}

/// Returns the truth of a value: empty values are false, numbers (0, too) are true.
fn holds(value: &Value) -> bool {
    match value {
        Value::None | Value::Bool(false) => false,
        Value::Str(text) => !text.is_empty(),
        Value::List(list) => !list.is_empty(),
        Value::Dict(dict) => !dict.is_empty(),
        _ => true,
    }
}

fn index(value: &Value, place: i64) -> Result<Value> {
    let Value::List(list) = value else { return Ok(Value::None) };
    let place = match usize::try_from(place) {
        Ok(place) => Some(place),
        Err(_) => list.len().checked_sub(place.unsigned_abs() as usize),
    };
    Ok(place.map(|place| list.get(place)).transpose()?.flatten().unwrap_or(Value::None))
}

fn slice(value: &Value, parts: &[Option<i64>; 3]) -> Result<Value> {
    let [start, stop, step] = parts.map(|part| part.map_or(Value::None, Value::Int));
    match value {
        Value::List(_) => python::slice(value, &start, &stop, &step),
        _ => Ok(Value::None),
    }
}

/// Applies an expression to the members of a projection, and drops null results.
fn project(
    kind: &Projection,
    value: &Value,
    each: &QueryNode,
    walk: &VisitCounter<'_>,
) -> Result<Value> {
    let members = match (kind, value) {
        (Projection::Items | Projection::Filtered(_), Value::List(list)) => {
            list.items()?
        }
        (Projection::Values, Value::Dict(dict)) => values(dict)?,
        _ => return Ok(Value::None),
    };
    let mut found = Vec::new();
    for member in members {
        walk.visit(0)?;
        let wanted = match kind {
            Projection::Filtered(condition) => holds(&condition.search(&member, walk)?),
            Projection::Items | Projection::Values => true,
        };
        if wanted {
            let value = each.search(&member, walk)?;
            found.extend(Some(value).filter(|value| !matches!(value, Value::None)));
        }
    }
    Ok(Value::list(found))
}

fn flatten(value: &Value, walk: &VisitCounter<'_>) -> Result<Value> {
    let Value::List(list) = value else { return Ok(Value::None) };
    let mut flat = Vec::new();
    for member in list.items()? {
        walk.visit(0)?;
        match member {
            Value::List(inner) => {
                for member in inner.items()? {
                    walk.visit(1)?;
                    flat.push(member);
                }
            }
            other => flat.push(other),
        }
    }
    Ok(Value::list(flat))
}

fn compare(sign: &str, a: &Value, b: &Value) -> Result<Value> {
    let comparison = match sign {
        "==" => return same(a, b).map(Value::Bool),
        "!=" => return same(a, b).map(|same| Value::Bool(!same)),
        "<" => Comparison::Less,
        "<=" => Comparison::LessEqual,
        ">" => Comparison::Greater,
        _ => Comparison::GreaterEqual,
    };
    if [a, b].iter().all(|value| matches!(type_name(value), "number" | "string")) {
        return python::order(comparison, a, b).map(Value::Bool);
    }
    Ok(Value::None)
}

/// Returns true if two values are equal. `1 == true` is false, unlike in Python.
fn same(a: &Value, b: &Value) -> Result<bool> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Bool(_), _) | (_, Value::Bool(_)) => Ok(false),
        _ => python::equal(a, b),
    }
}

/// The functions: the types of each argument, and true if the last may be repeated.
const FUNCTIONS: &[(&str, &[&str], bool)] = &[
    ("abs", &["number"], false),
    ("avg", &["array-number"], false),
    ("ceil", &["number"], false),
    ("contains", &["array|string", "any"], false),
    ("ends_with", &["string", "string"], false),
    ("floor", &["number"], false),
    ("join", &["string", "array-string"], false),
    ("keys", &["object"], false),
    ("length", &["string|array|object"], false),
    ("map", &["expref", "array"], false),
    ("max", &["array-number|array-string"], false),
    ("max_by", &["array", "expref"], false),
    ("merge", &["object"], true),
    ("min", &["array-number|array-string"], false),
    ("min_by", &["array", "expref"], false),
    ("not_null", &["any"], true),
    ("reverse", &["array|string"], false),
    ("sort", &["array-number|array-string"], false),
    ("sort_by", &["array", "expref"], false),
    ("starts_with", &["string", "string"], false),
    ("sum", &["array-number"], false),
    ("to_array", &["any"], false),
    ("to_number", &["any"], false),
    ("to_string", &["any"], false),
    ("type", &["any"], false),
    ("values", &["object"], false),
];

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::None => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Big(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::List(_) => "array",
        Value::Dict(_) => "object",
        _ => "unknown",
    }
}

fn call(
    name: &str,
    given: &[QueryNode],
    value: &Value,
    walk: &VisitCounter<'_>,
) -> Result<Value> {
    let Some((_, types, repeated)) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
    else {
        return Err(Exception::new(Class::Syntax, format!("Unknown function: {name}()")));
    };
    let wanted = types.len();
    let count = given.len();
    if count < wanted || count > wanted && !repeated {
        let s = if wanted == 1 { "" } else { "s" };
        let message = format!(
            "Expected {wanted} argument{s} for function {name}(), received {count}"
        );
        return Err(Exception::new(Class::Syntax, message));
    }
    let mut values = Vec::new();
    let mut reference = None;
    for (at, expression) in given.iter().enumerate() {
        let types = types.get(at).or(types.last()).copied().unwrap_or("any");
        match expression {
            QueryNode::Reference(inner) if types == "expref" => {
                reference = Some(&**inner);
            }
            _ => {
                let found = expression.search(value, walk)?;
                check(name, types, &found)?;
                values.push(found);
            }
        }
    }
    match (&*values, reference) {
        ([Value::List(list)], Some(key)) => by(name, &list.items()?, key, walk),
        _ => plain(name, &values),
    }
}

fn check(function: &str, types: &str, value: &Value) -> Result<()> {
    let own = type_name(value);
    let mut fits = false;
    for wanted in types.split('|') {
        fits |= match (wanted.split_once('-'), value) {
            (None, _) => wanted == "any" || wanted == own,
            (Some((_, of)), Value::List(list)) => {
                list.items()?.iter().all(|member| type_name(member) == of)
            }
            _ => false,
        };
    }
    if fits {
        return Ok(());
    }
    let message = format!(
        "In function {function}(), invalid type for value: {}, expected one of: {}, \
         received: {own}",
        python::str(value)?,
        types.replace('|', ", ")
    );
    Err(Exception::new(Class::Syntax, message))
}

/// Calls a function that applies an expression to each member of a list.
fn by(
    function: &str,
    members: &[Value],
    key: &QueryNode,
    walk: &VisitCounter<'_>,
) -> Result<Value> {
    let keys = members.iter().map(|member| {
        walk.visit(0)?;
        key.search(member, walk)
    });
    let keys = keys.collect::<Result<Vec<Value>>>()?;
    if function == "map" {
        return Ok(Value::list(keys));
    }
    // All keys of `sort_by` have the type of the first.
    let first = keys.first().map_or("number", type_name);
    let wanted = match function {
        "sort_by" if first == "string" => "string",
        "sort_by" => "number",
        _ => "number|string",
    };
    keys.iter().try_for_each(|key| check(function, wanted, key))?;
    if function == "sort_by" {
        return sorted(&keys, members, false).map(Value::list);
    }
    extreme(function, keys, members)
}

/// Returns the member of the first least or greatest key.
fn extreme(function: &str, keys: Vec<Value>, members: &[Value]) -> Result<Value> {
    let is_least = function.starts_with("min");
    let order = if is_least { Comparison::Less } else { Comparison::Greater };
    let at = best(order, keys.into_iter().map(Ok))?;
    Ok(at.and_then(|at| members.get(at).cloned()).unwrap_or(Value::None))
}

fn plain(function: &str, values: &[Value]) -> Result<Value> {
    let first = values.first().unwrap_or(&Value::None);
    let second = values.get(1).unwrap_or(&Value::None);
    match function {
        "abs" => {
            if python::order(Comparison::Less, first, &Value::Int(0))? {
                python::negative(first)
            } else {
                Ok(first.clone())
            }
        }
        "avg" if python::truth(first)? => {
            python::binary(Operator::Div, &sum(first)?, &length(first)?)
        }
        "avg" => Ok(Value::None),
        "ceil" => rounded(first, f64::ceil),
        "floor" => rounded(first, f64::floor),
        "contains" => python::contains(first, second).map(Value::Bool),
        "ends_with" => method(first, "endswith", [second.clone()]),
        "starts_with" => method(first, "startswith", [second.clone()]),
        "join" => method(first, "join", [second.clone()]),
        "keys" => python::iterate(first).map(Value::list),
        "values" => python::iterate(&method(first, "values", [])?).map(Value::list),
        "length" => length(first),
        "max" | "min" => {
            let members = python::iterate(first)?;
            extreme(function, members.clone(), &members)
        }
        "merge" => merge(values),
        "not_null" => {
            let found = values.iter().find(|value| !matches!(value, Value::None));
            Ok(found.cloned().unwrap_or(Value::None))
        }
        "reverse" => python::slice(first, &Value::None, &Value::None, &Value::Int(-1)),
        "sort" => python::sort(python::iterate(first)?, false).map(Value::list),
        "sum" => sum(first),
        "to_array" if type_name(first) == "array" => Ok(first.clone()),
        "to_array" => Ok(Value::list([first.clone()])),
        "to_number" => number(first),
        "to_string" => string(first),
        "type" => Ok(Value::from(type_name(first))),
        _ => Ok(Value::None),
    }
}

fn length(value: &Value) -> Result<Value> {
    python::length(value).map(|length| Value::Int(length as i64))
}

fn sum(members: &Value) -> Result<Value> {
    let members = python::iterate(members)?;
    members.iter().try_fold(Value::Int(0), |sum, member| python::add(&sum, member))
}

fn rounded(value: &Value, round: fn(f64) -> f64) -> Result<Value> {
    match value {
        Value::Float(number) => python::int(&Value::Float(round(*number))),
        whole => Ok(whole.clone()),
    }
}

fn merge(objects: &[Value]) -> Result<Value> {
    let merged = Dict::default();
    for object in objects {
        if let Value::Dict(dict) = object {
            for (key, value) in dict.entries()? {
                merged.set(key, value);
            }
        }
    }
    Ok(Value::Dict(merged))
}

fn number(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) => value.clone(),
        Value::Str(_) => python::int(value)
            .or_else(|_| python::float(value).map(Value::Float))
            .unwrap_or(Value::None),
        _ => Value::None,
    })
}

fn string(value: &Value) -> Result<Value> {
    if let Value::Str(_) = value {
        return Ok(value.clone());
    }
    let separators = Some((",".to_owned(), ":".to_owned()));
    json::dump(value, &json::JsonStyle { separators, ..json::JsonStyle::default() })
        .map(Value::from)
}
