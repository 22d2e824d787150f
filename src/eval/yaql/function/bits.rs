//! Integers, bit by bit.

use super::super::argument::Call;
use super::super::overload::Kind::{Int, Number};
use super::super::overload::{Overload, Parameter, function, need};
use crate::eval::python::{self, Exception, Result, Value, bitwise};

const PAIR: &[Parameter] = &[need("left", Int), need("right", Int)];
const SHIFT: &[Parameter] = &[need("value", Int), need("bitsNumber", Int)];

pub(super) const TABLE: &[Overload] = &[
    function("bitwiseAnd", PAIR, |call| both(call, "&")),
    function("bitwiseNot", &[need("arg", Int)], |call| {
        python::sub(&Value::Int(-1), &call.value(0))
    }),
    function("bitwiseOr", PAIR, |call| both(call, "|")),
    function("bitwiseXor", PAIR, |call| both(call, "^")),
    function("hex", &[need("num", Number).or_null()], hex),
    function("shiftBitsLeft", SHIFT, |call| both(call, "<<")),
    function("shiftBitsRight", SHIFT, |call| both(call, ">>")),
];

fn both(call: &Call, sign: &str) -> Result<Value> {
    bitwise(sign, &call.value(0), &call.value(1))
}

fn hex(call: &Call) -> Result<Value> {
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
