//! Comparisons, arithmetic and numbers with units: two values come in, one goes out.

use super::Call;
use crate::eval::python::{
    self, Comparison, Exception, Operator, Result, Value, binary, order,
};
use crate::eval::unfurl::compare::is_same;
use crate::eval::unfurl::scalar::{Round, Scalar, value_in};

/// `eq`, `ne`
pub(super) fn equal(call: &Call<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    Ok(Value::Bool(is_same(&a, &b)? == (call.name == "eq")))
}

/// `lt`, `le`, `gt`, `ge`
pub(super) fn compare(call: &Call<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    let comparison = match call.name {
        "lt" => Comparison::Less,
        "le" => Comparison::LessEqual,
        "gt" => Comparison::Greater,
        _ => Comparison::GreaterEqual,
    };
    Ok(Value::Bool(order(comparison, &a, &b)?))
}

/// `add`, `sub`, `mul`, `div`, `truediv`, `floordiv`, `mod`, `pow`
pub(super) fn calculate(call: &Call<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    let operator = match call.name {
        "add" => Operator::Add,
        "sub" => Operator::Sub,
        "mul" => Operator::Mul,
        "floordiv" => Operator::FloorDiv,
        "mod" => Operator::Mod,
        "pow" => Operator::Pow,
        _ => Operator::Div,
    };
    binary(operator, &a, &b)
}

/// `scalar`: a number with a unit; null if it is none.
pub(super) fn scalar(call: &Call<'_>) -> Result<Value> {
    let data = first(call)?;
    Ok(match data.downcast::<Scalar>() {
        Some(_) => data,
        None => Scalar::read(&python::str(&data)?).map_or(Value::None, Value::object),
    })
}

/// `scalar_value`: a number with a unit as a plain number of a unit.
pub(super) fn scalar_value(call: &Call<'_>) -> Result<Value> {
    let text = python::str(&first(call)?)?;
    let unit = match call.keyword("unit")? {
        None | Some(Value::None) => None,
        Some(unit) => Some(python::str(&unit)?),
    };
    let round = match call.keyword("round")? {
        None | Some(Value::None) => Round::Sensible,
        Some(Value::Int(digits)) => Round::Digits(digits),
        Some(Value::Str(word)) if &*word == "ceil" => Round::Up,
        Some(Value::Str(word)) if &*word == "floor" => Round::Down,
        Some(Value::Str(word)) if &*word == "round" => Round::Sensible,
        Some(other) => {
            let message = format!("cannot round to {}", python::repr(&other)?);
            return Err(Exception::of_value(message).hint("a number, `ceil` or `floor`"));
        }
    };
    value_in(&text, unit.as_deref(), round)
}

fn first(call: &Call<'_>) -> Result<Value> {
    Ok(call.list()?.into_iter().next().unwrap_or(Value::None))
}
