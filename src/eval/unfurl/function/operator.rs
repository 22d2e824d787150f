//! Comparisons, arithmetic, numbers with units, and what decides between expressions.

use crate::eval::python::{
    self, Comparison, Exception, Operator, Result, Value, binary, order, truth,
};
use crate::eval::unfurl::expression::{results, value};
use crate::eval::unfurl::foreach;
use crate::eval::unfurl::quantity::{Quantity, Rounding, value_in};
use crate::eval::unfurl::walk::{is_same, one_of};

use super::call::{ExpressionFunction, FunctionCall};

/// The functions of this file.
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    ExpressionFunction::new("add", calculate).required(&["a", "b"]),
    ExpressionFunction::new("div", calculate).required(&["a", "b"]),
    ExpressionFunction::new("floordiv", calculate).required(&["a", "b"]),
    ExpressionFunction::new("mod", calculate).required(&["a", "b"]),
    ExpressionFunction::new("mul", calculate).required(&["a", "b"]),
    ExpressionFunction::new("pow", calculate).required(&["a", "b"]),
    ExpressionFunction::new("sub", calculate).required(&["a", "b"]),
    ExpressionFunction::new("truediv", calculate).required(&["a", "b"]),
    ExpressionFunction::new("and", and).keywords(&["map_value"]),
    ExpressionFunction::new("eq", equal).required(&["a", "b"]),
    ExpressionFunction::new("foreach", each_here).required(&["value"]).unary(),
    ExpressionFunction::new("ge", compare).required(&["a", "b"]),
    ExpressionFunction::new("gt", compare).required(&["a", "b"]),
    ExpressionFunction::new("if", choose)
        .required(&["condition"])
        .keywords(&["then", "else", "map_value"])
        .unary(),
    ExpressionFunction::new("le", compare).required(&["a", "b"]),
    ExpressionFunction::new("lt", compare).required(&["a", "b"]),
    ExpressionFunction::new("ne", equal).required(&["a", "b"]),
    ExpressionFunction::new("not", not)
        .required(&["condition"])
        .keywords(&["map_value"])
        .unary(),
    ExpressionFunction::new("or", or).keywords(&["map_value"]),
    ExpressionFunction::new("scalar", scalar).required(&["text"]),
    ExpressionFunction::new("scalar_value", scalar_value)
        .required(&["text"])
        .keywords(&["unit", "round"]),
];

/// `eq`, `ne`
fn equal(call: &FunctionCall<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    Ok(Value::Bool(is_same(&a, &b)? == (call.name() == "eq")))
}

/// `lt`, `le`, `gt`, `ge`
fn compare(call: &FunctionCall<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    let comparison = match call.name() {
        "lt" => Comparison::Less,
        "le" => Comparison::LessEqual,
        "gt" => Comparison::Greater,
        _ => Comparison::GreaterEqual,
    };
    Ok(Value::Bool(order(comparison, &a, &b)?))
}

/// `add`, `sub`, `mul`, `div`, `truediv`, `floordiv`, `mod`, `pow`
fn calculate(call: &FunctionCall<'_>) -> Result<Value> {
    let (a, b) = call.pair()?;
    let operator = match call.name() {
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
fn scalar(call: &FunctionCall<'_>) -> Result<Value> {
    let data = first(call)?;
    Ok(match data.downcast::<Quantity>() {
        Some(_) => data,
        None => Quantity::read(&python::str(&data)?).map_or(Value::None, Value::object),
    })
}

/// `scalar_value`: a number with a unit as a plain number of a unit.
fn scalar_value(call: &FunctionCall<'_>) -> Result<Value> {
    let text = python::str(&first(call)?)?;
    let unit = match call.keyword("unit")? {
        None | Some(Value::None) => None,
        Some(unit) => Some(python::str(&unit)?),
    };
    let round = match call.keyword("round")? {
        None | Some(Value::None) => Rounding::Sensible,
        Some(Value::Int(digits)) => Rounding::Digits(digits),
        Some(Value::Str(word)) if &*word == "ceil" => Rounding::Up,
        Some(Value::Str(word)) if &*word == "floor" => Rounding::Down,
        Some(Value::Str(word)) if &*word == "round" => Rounding::Sensible,
        Some(other) => {
            let message = format!("cannot round to {}", python::repr(&other)?);
            return Err(Exception::of_value(message).hint("a number, `ceil` or `floor`"));
        }
    };
    value_in(&text, unit.as_deref(), round)
}

fn first(call: &FunctionCall<'_>) -> Result<Value> {
    Ok(call.list()?.into_iter().next().unwrap_or(Value::None))
}

/// `if`, with `then` and `else`; without them the condition itself.
fn choose(call: &FunctionCall<'_>) -> Result<Value> {
    let holds = holds(call)?;
    match call.written(if holds { "then" } else { "else" })? {
        Some(branch) => call.value(&branch),
        None => Ok(Value::Bool(holds)),
    }
}

/// Whether the expression has a result, and it is true.
fn holds(call: &FunctionCall<'_>) -> Result<bool> {
    if call.keywords.has_text("map_value") {
        return truth(&call.value(&call.argument)?);
    }
    match results(&call.argument, call.scope)?.first() {
        Some(first) => truth(first),
        None => Ok(false),
    }
}

/// `not`
fn not(call: &FunctionCall<'_>) -> Result<Value> {
    Ok(Value::Bool(!holds(call)?))
}

/// `and`: the first that is not true, or the last.
fn and(call: &FunctionCall<'_>) -> Result<Value> {
    let mut last = Value::Bool(true);
    for operand in operands(call)? {
        last = call.value(&operand)?;
        if !truth(&last)? {
            break;
        }
    }
    Ok(last)
}

/// `or`: the first that is true, or false.
fn or(call: &FunctionCall<'_>) -> Result<Value> {
    for operand in operands(call)? {
        let value = call.value(&operand)?;
        if truth(&value)? {
            return Ok(value);
        }
    }
    Ok(Value::Bool(false))
}

/// The expressions to choose from. What is written in a list is worked out first as data,
/// then read as an expression.
fn operands(call: &FunctionCall<'_>) -> Result<Vec<Value>> {
    let argument = call.argument.force()?;
    let operands = match &argument {
        Value::List(_) => call.scope.evaluate(&argument)?,
        _ => value(&argument, call.scope)?,
    };
    match operands {
        Value::List(items) => items.items(),
        other => Err(Exception::of_type(format!(
            "'{}' takes a list, not {}",
            call.name(),
            python::str(&other)?
        ))),
    }
}

/// `foreach`: over what the expression starts from.
fn each_here(call: &FunctionCall<'_>) -> Result<Value> {
    Ok(one_of(foreach::of_here(&call.argument, call.scope)?))
}
