//! Truth.

use super::super::argument::Call;
use super::super::overload::Kind::{Any, Lambda};
use super::super::overload::{Overload, function, need};
use crate::eval::python::{Result, Value, truth};

pub(super) const TABLE: &[Overload] = &[
    function("#operator_and", &[need("left", Lambda), need("right", Lambda)], |call| {
        either(call, true)
    }),
    function("#operator_or", &[need("left", Lambda), need("right", Lambda)], |call| {
        either(call, false)
    }),
    function("#unary_operator_not", &[need("arg", Any)], |call| {
        Ok(Value::Bool(!truth(&call.value(0))?))
    }),
    function("bool", &[need("value", Any)], |call| {
        Ok(Value::Bool(truth(&call.value(0))?))
    }),
    function("isBoolean", &[need("value", Any)], |call| {
        Ok(Value::Bool(matches!(call.value(0), Value::Bool(_))))
    }),
];

/// The left side, unless its truth says that the right one matters.
fn either(call: &Call, goes_on: bool) -> Result<Value> {
    let side = |at| call.maybe_lambda(at).map_or(Ok(Value::None), |side| side.call([]));
    let left = side(0)?;
    if truth(&left)? == goes_on { side(1) } else { Ok(left) }
}
