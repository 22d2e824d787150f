//! Arithmetic, and the bits of integers.

use super::super::call::FunctionCall;
use super::super::overload::ParameterType::{Any, Int, Number};
use super::super::overload::{Overload, Parameter, function, optional, required};
use crate::eval::python::{
    self, Class, Comparison, Exception, Operator, Result, Value, binary, bitwise, order,
    truth,
};

const PAIR: &[Parameter] = &[required("left", Number), required("right", Number)];
const VALUE: &[Parameter] = &[required("value", Any)];
const INT_PAIR: &[Parameter] = &[required("left", Int), required("right", Int)];
const SHIFT: &[Parameter] = &[required("value", Int), required("bitsNumber", Int)];

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Overload] = &[
    function("#operator_*", PAIR, |call| calculate(call, Operator::Mul)),
    function("#operator_+", PAIR, |call| calculate(call, Operator::Add)),
    function("#operator_-", PAIR, |call| calculate(call, Operator::Sub)),
    function("#operator_/", PAIR, divide),
    function("#operator_mod", PAIR, |call| calculate(call, Operator::Mod)),
    function("#unary_operator_+", &[required("op", Number)], |call| Ok(call.value(0))),
    function("#unary_operator_-", &[required("op", Number)], |call| python::negative(&call.value(0))),
    function("abs", &[required("op", Number)], abs),
    function("bitwiseAnd", INT_PAIR, |call| bitwise_pair(call, "&")),
    function("bitwiseNot", &[required("arg", Int)], |call| python::sub(&Value::Int(-1), &call.value(0))),
    function("bitwiseOr", INT_PAIR, |call| bitwise_pair(call, "|")),
    function("bitwiseXor", INT_PAIR, |call| bitwise_pair(call, "^")),
    function("float", VALUE, |call| match call.value(0) {
        Value::None => Ok(Value::Float(0.0)),
        value => python::float(&value).map(Value::Float),
    }),
    function("hex", &[required("num", Number).or_null()], hex),
    function("int", VALUE, |call| match call.value(0) {
        Value::None => Ok(Value::Int(0)),
        value => python::int(&value),
    }),
    function("isInteger", VALUE,
        |call| Ok(Value::Bool(matches!(call.value(0), Value::Int(_) | Value::Big(_))))),
    function("isNumber", VALUE, |call| Ok(Value::Bool(Number.accepts(&call.value(0))))),
    function("max", &[required("a", Any), required("b", Any)], |call| pick(call, 1, 0)),
    function("min", &[required("a", Any), required("b", Any)], |call| pick(call, 0, 1)),
    function("pow", &[required("a", Number), required("b", Number), optional("c", Number).or_null()], pow),
    function("random", &[], |call| Ok(Value::Float(call.engine.context.random()?.fraction()))),
    function("random", &[required("from", Any), required("to", Any)], random_between),
    function("round", &[required("number", Number), optional("ndigits", Int)],
        |call| python::round(&call.value(0), call.int(1, 0)?)),
    function("shiftBitsLeft", SHIFT, |call| bitwise_pair(call, "<<")),
    function("shiftBitsRight", SHIFT, |call| bitwise_pair(call, ">>")),
    function("sign", &[required("num", Number)], sign),
];

fn calculate(call: &FunctionCall, operator: Operator) -> Result<Value> {
    binary(operator, &call.value(0), &call.value(1))
}

/// Divides numbers; two integers with the floor of the quotient.
fn divide(call: &FunctionCall) -> Result<Value> {
    let whole = Int.accepts(&call.value(0)) && Int.accepts(&call.value(1));
    calculate(call, if whole { Operator::FloorDiv } else { Operator::Div })
}

fn abs(call: &FunctionCall) -> Result<Value> {
    match call.value(0) {
        Value::Float(x) => Ok(Value::Float(x.abs())),
        value if order(Comparison::Less, &value, &Value::Int(0))? => {
            python::negative(&value)
        }
        value => Ok(value),
    }
}

/// Returns one argument if the second is greater than the first, else the other.
fn pick(call: &FunctionCall, more: usize, other: usize) -> Result<Value> {
    let pair = [call.value(1), call.value(0)];
    let is_more = truth(&call.caller().function("#operator_>", &pair)?)?;
    Ok(call.value(if is_more { more } else { other }))
}

fn pow(call: &FunctionCall) -> Result<Value> {
    let (a, b) = (call.value(0), call.value(1));
    match call.value(2) {
        Value::None => binary(Operator::Pow, &a, &b),
        modulus => python::power_modulo(&a, &b, &modulus),
    }
}

fn random_between(call: &FunctionCall) -> Result<Value> {
    if !Int.accepts(&call.value(0)) || !Int.accepts(&call.value(1)) {
        return Err(Exception::of_type("randint() takes integers"));
    }
    // `randint` includes its end, `range` does not.
    let end = call.int(1, 0)?.checked_add(1).ok_or_else(|| {
        Exception::new(Class::Overflow, "Python int too large to convert to C ssize_t")
    })?;
    call.engine.context.random()?.range(call.int(0, 0)?, end, 1).map(Value::Int)
}

fn sign(call: &FunctionCall) -> Result<Value> {
    let (value, zero) = (call.value(0), Value::Int(0));
    Ok(Value::Int(
        i64::from(order(Comparison::Greater, &value, &zero)?)
            - i64::from(order(Comparison::Less, &value, &zero)?),
    ))
}

fn bitwise_pair(call: &FunctionCall, sign: &str) -> Result<Value> {
    bitwise(sign, &call.value(0), &call.value(1))
}

fn hex(call: &FunctionCall) -> Result<Value> {
    Ok(Value::from(match call.value(0) {
        Value::Int(x) if x < 0 => format!("-{:#x}", x.unsigned_abs()),
        Value::Int(x) => format!("{x:#x}"),
        Value::Big(x) => format!("{:#x}", *x),
        other => {
            return Err(Exception::of_type(format!(
                "'{}' object cannot be interpreted as an integer",
                other.type_name()
            )));
        }
    }))
}
