//! Numbers.

use super::super::argument::Call;
use super::super::overload::Kind::{Any, Int, Number};
use super::super::overload::{Overload, Parameter, function, may, need};
use crate::eval::python::{
    self, Class, Comparison, Exception, Operator, Result, Value, binary, order, truth,
};

const PAIR: &[Parameter] = &[need("left", Number), need("right", Number)];
const VALUE: &[Parameter] = &[need("value", Any)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_*", PAIR, |call| calculate(call, Operator::Mul)),
    function("#operator_+", PAIR, |call| calculate(call, Operator::Add)),
    function("#operator_-", PAIR, |call| calculate(call, Operator::Sub)),
    function("#operator_/", PAIR, divide),
    function("#operator_mod", PAIR, |call| calculate(call, Operator::Mod)),
    function("#unary_operator_+", &[need("op", Number)], |call| Ok(call.value(0))),
    function("#unary_operator_-", &[need("op", Number)], |call| {
        python::negative(&call.value(0))
    }),
    function("abs", &[need("op", Number)], abs),
    function("float", VALUE, |call| match call.value(0) {
        Value::None => Ok(Value::Float(0.0)),
        value => python::float(&value).map(Value::Float),
    }),
    function("int", VALUE, |call| match call.value(0) {
        Value::None => Ok(Value::Int(0)),
        value => python::int(&value),
    }),
    function("isInteger", VALUE, |call| {
        Ok(Value::Bool(matches!(call.value(0), Value::Int(_) | Value::Big(_))))
    }),
    function("isNumber", VALUE, |call| Ok(Value::Bool(Number.accepts(&call.value(0))))),
    function("max", &[need("a", Any), need("b", Any)], |call| pick(call, 1, 0)),
    function("min", &[need("a", Any), need("b", Any)], |call| pick(call, 0, 1)),
    function(
        "pow",
        &[need("a", Number), need("b", Number), may("c", Number).or_null()],
        pow,
    ),
    function("random", &[], |call| {
        Ok(Value::Float(call.engine.context.random()?.fraction()))
    }),
    function("random", &[need("from", Any), need("to", Any)], random_between),
    function("round", &[need("number", Number), may("ndigits", Int)], |call| {
        python::round(&call.value(0), call.int(1, 0)?)
    }),
    function("sign", &[need("num", Number)], sign),
];

fn calculate(call: &Call, operator: Operator) -> Result<Value> {
    binary(operator, &call.value(0), &call.value(1))
}

/// Integers are divided as integers.
fn divide(call: &Call) -> Result<Value> {
    let whole = Int.accepts(&call.value(0)) && Int.accepts(&call.value(1));
    calculate(call, if whole { Operator::FloorDiv } else { Operator::Div })
}

fn abs(call: &Call) -> Result<Value> {
    match call.value(0) {
        Value::Float(x) => Ok(Value::Float(x.abs())),
        value if order(Comparison::Less, &value, &Value::Int(0))? => {
            python::negative(&value)
        }
        value => Ok(value),
    }
}

/// One of two, or the other if the second is not more than the first.
fn pick(call: &Call, more: usize, other: usize) -> Result<Value> {
    let pair = [call.value(1), call.value(0)];
    let is_more = truth(&call.library().function("#operator_>", &pair)?)?;
    Ok(call.value(if is_more { more } else { other }))
}

fn pow(call: &Call) -> Result<Value> {
    let (a, b) = (call.value(0), call.value(1));
    match call.value(2) {
        Value::None => binary(Operator::Pow, &a, &b),
        modulus => python::power_modulo(&a, &b, &modulus),
    }
}

fn random_between(call: &Call) -> Result<Value> {
    if !Int.accepts(&call.value(0)) || !Int.accepts(&call.value(1)) {
        return Err(Exception::of_type("randint() takes integers"));
    }
    let end = call.int(1, 0)?.checked_add(1).ok_or_else(|| {
        Exception::new(Class::Overflow, "Python int too large to convert to C ssize_t")
    })?;
    call.engine.context.random()?.range(call.int(0, 0)?, end, 1).map(Value::Int)
}

fn sign(call: &Call) -> Result<Value> {
    let (value, zero) = (call.value(0), Value::Int(0));
    Ok(Value::Int(
        i64::from(order(Comparison::Greater, &value, &zero)?)
            - i64::from(order(Comparison::Less, &value, &zero)?),
    ))
}
