//! An expression and a value → what the one finds in the other. Expressions are no deeper
//! than the parser lets them be.

use super::function;
use super::{Expression, Members};
use crate::eval::python::{self, Class, Comparison, Dict, Exception, Key, Result, Value};
use crate::eval::walk::Walk;

impl Expression {
    /// What the expression finds in a value.
    pub(super) fn search(&self, value: &Value, walk: &Walk<'_>) -> Result<Value> {
        let at = |expression: &Expression| expression.search(value, walk);
        Ok(match self {
            Expression::Current => value.clone(),
            Expression::Literal(literal) => literal.clone(),
            Expression::Field(name) => match value {
                Value::Dict(dict) => dict.get_text(name)?.unwrap_or(Value::None),
                _ => Value::None,
            },
            Expression::Then(first, second) => second.search(&at(first)?, walk)?,
            Expression::Index(place) => index(value, *place)?,
            Expression::Slice(parts) => slice(value, parts)?,
            Expression::Each(kind, from, each) => match members(*kind, &at(from)?)? {
                Some(members) => collect(members, each, None, walk)?,
                None => Value::None,
            },
            Expression::Filter(from, each, condition) => {
                match members(Members::Items, &at(from)?)? {
                    Some(members) => collect(members, each, Some(condition), walk)?,
                    None => Value::None,
                }
            }
            Expression::Flatten(from) => flatten(&at(from)?, walk)?,
            Expression::Or(first, second) => match at(first)? {
                found if holds(&found) => found,
                _ => at(second)?,
            },
            Expression::And(first, second) => match at(first)? {
                found if holds(&found) => at(second)?,
                found => found,
            },
            Expression::Not(inner) => Value::Bool(!holds(&at(inner)?)),
            Expression::Compare(sign, first, second) => {
                compare(sign, &at(first)?, &at(second)?)?
            }
            Expression::List(_) | Expression::Dict(_) if matches!(value, Value::None) => {
                Value::None
            }
            Expression::List(members) => {
                Value::list(members.iter().map(at).collect::<Result<Vec<_>>>()?)
            }
            Expression::Dict(entries) => {
                let dict = Dict::default();
                for (name, expression) in entries {
                    dict.set(Key::text(name), at(expression)?);
                }
                Value::Dict(dict)
            }
            Expression::Call(name, arguments) => {
                function::call(name, arguments, value, walk)?
            }
            Expression::Reference(_) => {
                let message = "an expression is no value: only functions take one";
                return Err(Exception::new(Class::Syntax, message));
            }
        })
    }
}

/// Whether a value counts as true: what is empty does not, and numbers do.
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
    let found = place.map(|place| list.get(place)).transpose()?;
    Ok(found.flatten().unwrap_or(Value::None))
}

fn slice(value: &Value, parts: &[Option<i64>; 3]) -> Result<Value> {
    let [start, stop, step] = parts.map(|part| part.map_or(Value::None, Value::Int));
    match value {
        Value::List(_) => python::slice(value, &start, &stop, &step),
        _ => Ok(Value::None),
    }
}

fn members(kind: Members, value: &Value) -> Result<Option<Vec<Value>>> {
    Ok(match (kind, value) {
        (Members::Items, Value::List(list)) => Some(list.items()?),
        (Members::Values, Value::Dict(dict)) => {
            Some(dict.entries()?.into_iter().map(|(_, value)| value).collect())
        }
        _ => None,
    })
}

/// What is found in each member, but for what is null.
fn collect(
    members: Vec<Value>,
    each: &Expression,
    condition: Option<&Expression>,
    walk: &Walk<'_>,
) -> Result<Value> {
    let mut found = Vec::new();
    for member in members {
        walk.meet(0)?;
        let wanted = match condition {
            Some(condition) => holds(&condition.search(&member, walk)?),
            None => true,
        };
        if wanted {
            let value = each.search(&member, walk)?;
            found.extend(Some(value).filter(|value| !matches!(value, Value::None)));
        }
    }
    Ok(Value::list(found))
}

fn flatten(value: &Value, walk: &Walk<'_>) -> Result<Value> {
    let Value::List(list) = value else { return Ok(Value::None) };
    let mut flat = Vec::new();
    for member in list.items()? {
        walk.meet(0)?;
        match member {
            Value::List(inner) => {
                for member in inner.items()? {
                    walk.meet(1)?;
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
    let ordered = |value: &Value| matches!(function::kind(value), "number" | "string");
    if ordered(a) && ordered(b) {
        python::order(comparison, a, b).map(Value::Bool)
    } else {
        Ok(Value::None)
    }
}

/// Whether two values are equal; a number is not a boolean.
fn same(a: &Value, b: &Value) -> Result<bool> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Bool(_), _) | (_, Value::Bool(_)) => Ok(false),
        _ => python::equal(a, b),
    }
}
