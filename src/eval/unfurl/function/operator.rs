//! Operators: comparison, arithmetic, quantities and logic.

use crate::eval::python::{
    self, Comparison, Exception, Operator, Result, Value, binary, order, truth,
};
use crate::eval::unfurl::expression::{results, value};
use crate::eval::unfurl::foreach;
use crate::eval::unfurl::path::{is_same, one_of};
use crate::eval::unfurl::quantity::{Quantity, Rounding, value_in};

use super::call::{ExpressionFunction, UnfurlCall, function};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("add", |call| calculate(call, Operator::Add)).required(&["a", "b"]),
    function("div", |call| calculate(call, Operator::Div)).required(&["a", "b"]),
    function("floordiv", |call| calculate(call, Operator::FloorDiv)).required(&["a", "b"]),
    function("mod", |call| calculate(call, Operator::Mod)).required(&["a", "b"]),
    function("mul", |call| calculate(call, Operator::Mul)).required(&["a", "b"]),
    function("pow", |call| calculate(call, Operator::Pow)).required(&["a", "b"]),
    function("sub", |call| calculate(call, Operator::Sub)).required(&["a", "b"]),
    // `div` and `truediv` are the same in Python 3.
    function("truediv", |call| calculate(call, Operator::Div)).required(&["a", "b"]),
    function("and", |call| decide(call, false)).keywords(&["map_value"]),
    function("eq", |call| is_equal(call).map(Value::Bool)).required(&["a", "b"]),
    function("foreach", each_here).required(&["value"]).unary(),
    function("ge", |call| compare(call, Comparison::GreaterEqual)).required(&["a", "b"]),
    function("gt", |call| compare(call, Comparison::Greater)).required(&["a", "b"]),
    function("if", choose).required(&["condition"]).keywords(&["then", "else", "map_value"]).unary(),
    function("le", |call| compare(call, Comparison::LessEqual)).required(&["a", "b"]),
    function("lt", |call| compare(call, Comparison::Less)).required(&["a", "b"]),
    function("ne", |call| is_equal(call).map(|same| Value::Bool(!same))).required(&["a", "b"]),
    function("not", not).required(&["condition"]).keywords(&["map_value"]).unary(),
    function("or", |call| decide(call, true)).keywords(&["map_value"]),
    function("scalar", scalar).required(&["text"]),
    function("scalar_value", scalar_value)
        .required(&["text"])
        .optional(&["unit", "round"])
        .keywords(&["unit", "round"]),
];

fn is_equal(call: &UnfurlCall<'_>) -> Result<bool> {
    let (a, b) = call.pair()?;
    is_same(&a, &b)
}

fn compare(call: &UnfurlCall<'_>, comparison: Comparison) -> Result<Value> {
    let (a, b) = call.pair()?;
    order(comparison, &a, &b).map(Value::Bool)
}

fn calculate(call: &UnfurlCall<'_>, operator: Operator) -> Result<Value> {
    let (a, b) = call.pair()?;
    binary(operator, &a, &b)
}

/// Implements `scalar`: a quantity; null if the text is none.
fn scalar(call: &UnfurlCall<'_>) -> Result<Value> {
    let data = call.list()?.into_iter().next().unwrap_or(Value::None);
    Ok(match data.downcast::<Quantity>() {
        Some(_) => data,
        None => Quantity::read(&python::str(&data)?).map_or(Value::None, Value::object),
    })
}

/// Implements `scalar_value`: a quantity as a number of a unit.
fn scalar_value(call: &UnfurlCall<'_>) -> Result<Value> {
    let mut given = call.list()?.into_iter();
    let text = python::str(&given.next().unwrap_or(Value::None))?;
    let mut setting = |name| match given.next() {
        Some(Value::None) | None => call.keyword(name),
        given => Ok(given),
    };
    let unit = match setting("unit")? {
        None | Some(Value::None) => None,
        Some(unit) => Some(python::str(&unit)?),
    };
    let round = match setting("round")? {
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

/// Implements `if`: the branch, or the truth of the condition if the branch is missing.
fn choose(call: &UnfurlCall<'_>) -> Result<Value> {
    let holds = holds(call)?;
    match call.written(if holds { "then" } else { "else" })? {
        Some(branch) => call.value(&branch),
        None => Ok(Value::Bool(holds)),
    }
}

/// Returns true if the condition has a result and the first one is truthy.
fn holds(call: &UnfurlCall<'_>) -> Result<bool> {
    // As in Unfurl, the setting changes the condition even if it is false.
    if call.keywords.has_text("map_value") {
        return truth(&call.value(&call.argument)?);
    }
    match results(&call.argument, call.scope)?.first() {
        Some(first) => truth(first),
        None => Ok(false),
    }
}

fn not(call: &UnfurlCall<'_>) -> Result<Value> {
    Ok(Value::Bool(!holds(call)?))
}

/// Implements `and` and `or`: the first value with the truth that decides; if none has it, the
/// last value for `and`, false for `or`.
fn decide(call: &UnfurlCall<'_>, decisive: bool) -> Result<Value> {
    let mut last = Value::Bool(!decisive);
    for operand in operands(call)? {
        let value = call.value(&operand)?;
        if truth(&value)? == decisive {
            return Ok(value);
        }
        last = value;
    }
    Ok(if decisive { Value::Bool(false) } else { last })
}

/// Returns the operands of `and` and `or`. Items of a list are evaluated as data first,
/// and the result again as an expression.
fn operands(call: &UnfurlCall<'_>) -> Result<Vec<Value>> {
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

/// Implements `foreach` as a function: a loop over the value that the call starts from.
fn each_here(call: &UnfurlCall<'_>) -> Result<Value> {
    Ok(one_of(foreach::over_members(&call.argument, call.scope)?))
}
