//! Which of two values is more, and whether they are equal.

use super::super::argument::Call;
use super::super::overload::Kind::{Any, DateTime, Null, Number, Set, Text, Timespan};
use super::super::overload::{Overload, Parameter, function, need};
use crate::eval::python::{Comparison, Result, Value, equal, order};

const NULLS: &[Parameter] = &[need("left", Null), need("right", Null)];
const RIGHT_NULL: &[Parameter] = &[need("left", Any).but_null(), need("right", Null)];
const LEFT_NULL: &[Parameter] = &[need("left", Null), need("right", Any).but_null()];
const NUMBERS: &[Parameter] = &[need("left", Number), need("right", Number)];
const TEXTS: &[Parameter] = &[need("left", Text), need("right", Text)];
const SETS: &[Parameter] = &[need("left", Set), need("right", Set)];
const TIMES: &[Parameter] = &[need("dt1", DateTime), need("dt2", DateTime)];
const SPANS: &[Parameter] = &[need("ts1", Timespan), need("ts2", Timespan)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_<", NULLS, no),
    function("#operator_<", RIGHT_NULL, no),
    function("#operator_<", LEFT_NULL, yes),
    function("#operator_<", NUMBERS, less),
    function("#operator_<", TEXTS, less),
    function("#operator_<", SETS, less),
    function("#operator_<", TIMES, less),
    function("#operator_<", SPANS, less),
    function("#operator_<=", NULLS, yes),
    function("#operator_<=", RIGHT_NULL, no),
    function("#operator_<=", LEFT_NULL, yes),
    function("#operator_<=", NUMBERS, less_equal),
    function("#operator_<=", TEXTS, less_equal),
    function("#operator_<=", SETS, less_equal),
    function("#operator_<=", TIMES, less_equal),
    function("#operator_<=", SPANS, less_equal),
    function("#operator_>", NULLS, no),
    function("#operator_>", RIGHT_NULL, yes),
    function("#operator_>", LEFT_NULL, no),
    function("#operator_>", NUMBERS, greater),
    function("#operator_>", TEXTS, greater),
    function("#operator_>", SETS, greater),
    function("#operator_>", TIMES, greater),
    function("#operator_>", SPANS, greater),
    function("#operator_>=", NULLS, yes),
    function("#operator_>=", RIGHT_NULL, yes),
    function("#operator_>=", LEFT_NULL, no),
    function("#operator_>=", NUMBERS, greater_equal),
    function("#operator_>=", TEXTS, greater_equal),
    function("#operator_>=", SETS, greater_equal),
    function("#operator_>=", TIMES, greater_equal),
    function("#operator_>=", SPANS, greater_equal),
    function("*equal", &[need("left", Any), need("right", Any)], |call| {
        same(call).map(Value::Bool)
    }),
    function("*not_equal", &[need("left", Any), need("right", Any)], |call| {
        same(call).map(|same| Value::Bool(!same))
    }),
];

fn yes(_: &Call) -> Result<Value> {
    Ok(Value::Bool(true))
}

fn no(_: &Call) -> Result<Value> {
    Ok(Value::Bool(false))
}

fn less(call: &Call) -> Result<Value> {
    compare(call, Comparison::Less)
}

fn less_equal(call: &Call) -> Result<Value> {
    compare(call, Comparison::LessEqual)
}

fn greater(call: &Call) -> Result<Value> {
    compare(call, Comparison::Greater)
}

fn greater_equal(call: &Call) -> Result<Value> {
    compare(call, Comparison::GreaterEqual)
}

fn compare(call: &Call, comparison: Comparison) -> Result<Value> {
    let side = |at| match call.value(at) {
        // The keys and the items of a dict compare as the sets they are.
        view if Set.accepts(&view) => call.set(at).map(Value::Set),
        other => Ok(other),
    };
    order(comparison, &side(0)?, &side(1)?).map(Value::Bool)
}

fn same(call: &Call) -> Result<bool> {
    equal(&call.value(0), &call.value(1))
}
