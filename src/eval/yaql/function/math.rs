//! Arithmetic, and the bits of integers.

use super::super::call::FunctionCall;
use super::super::overload::ParameterType::{Int, Number};
use super::super::overload::{Function, function};
use super::super::resolve::call_function;
use crate::eval::python::{
    self, Class, Comparison, Exception, Operator, Result, Value, binary, bitwise, order,
    truth,
};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_*", "left:Number right:Number", |call| calculate(call, Operator::Mul)),
    function("#operator_+", "left:Number right:Number", |call| calculate(call, Operator::Add)),
    function("#operator_-", "left:Number right:Number", |call| calculate(call, Operator::Sub)),
    function("#operator_/", "left:Number right:Number", divide),
    function("#operator_mod", "left:Number right:Number", |call| calculate(call, Operator::Mod)),
    function("#unary_operator_+", "op:Number", |call| Ok(call.value(0))),
    function("#unary_operator_-", "op:Number", |call| python::negative(&call.value(0))),
    function("abs", "op:Number", abs),
    function("bitwiseAnd", "left:Int right:Int", |call| bitwise_pair(call, "&")),
    function("bitwiseNot", "arg:Int", |call| python::sub(&Value::Int(-1), &call.value(0))),
    function("bitwiseOr", "left:Int right:Int", |call| bitwise_pair(call, "|")),
    function("bitwiseXor", "left:Int right:Int", |call| bitwise_pair(call, "^")),
    function("float", "value:Any", |call| match call.value(0) {
        Value::None => Ok(Value::Float(0.0)),
        value => python::float(&value).map(Value::Float),
    }),
    function("hex", "num:Number|Null", hex),
    function("int", "value:Any", |call| match call.value(0) {
        Value::None => Ok(Value::Int(0)),
        value => python::int(&value),
    }),
    function("isInteger", "value:Any",
        |call| Ok(Value::Bool(matches!(call.value(0), Value::Int(_) | Value::Big(_))))),
    function("isNumber", "value:Any", |call| Ok(Value::Bool(Number.accepts(&call.value(0))))),
    function("max", "a:Any b:Any", |call| pick(call, 1, 0)),
    function("min", "a:Any b:Any", |call| pick(call, 0, 1)),
    function("pow", "a:Number b:Number c:Number|Null?", pow),
    function("random", "", |call| Ok(Value::Float(call.engine().context.random()?.fraction()))),
    function("random", "from:Any to:Any", random_between),
    function("round", "number:Number ndigits:Int?", |call| python::round(&call.value(0), call.int(1, 0)?)),
    function("shiftBitsLeft", "value:Int bitsNumber:Int", |call| bitwise_pair(call, "<<")),
    function("shiftBitsRight", "value:Int bitsNumber:Int", |call| bitwise_pair(call, ">>")),
    function("sign", "num:Number", sign),
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
    let is_more = truth(&call_function(&call.env, "#operator_>", &pair)?)?;
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
    call.engine().context.random()?.range(call.int(0, 0)?, end, 1).map(Value::Int)
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
