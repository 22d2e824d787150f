//! Boolean operators, comparison, and choice between expressions.

use super::super::call::{Argument, FunctionCall};
use super::super::overload::ParameterType::Set;
use super::super::overload::{Function, function, method};
use crate::eval::python::{Comparison, Result, Value, equal, order, truth};

/// Pairs that have an order.
const ORDERED: &str = "left:Number right:Number / left:Text right:Text / left:Set right:Set / \
    dt1:DateTime dt2:DateTime / ts1:Timespan ts2:Timespan";

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_<", "left:Null right:Null / left:Any! right:Null", |_| Ok(Value::Bool(false))),
    function("#operator_<", "left:Null right:Any!", |_| Ok(Value::Bool(true))),
    function("#operator_<", ORDERED, |call| compare(call, Comparison::Less)),
    function("#operator_<=", "left:Any! right:Null", |_| Ok(Value::Bool(false))),
    function("#operator_<=", "left:Null right:Null / left:Null right:Any!", |_| Ok(Value::Bool(true))),
    function("#operator_<=", ORDERED, |call| compare(call, Comparison::LessEqual)),
    function("#operator_>", "left:Null right:Null / left:Null right:Any!", |_| Ok(Value::Bool(false))),
    function("#operator_>", "left:Any! right:Null", |_| Ok(Value::Bool(true))),
    function("#operator_>", ORDERED, |call| compare(call, Comparison::Greater)),
    function("#operator_>=", "left:Null right:Any!", |_| Ok(Value::Bool(false))),
    function("#operator_>=", "left:Null right:Null / left:Any! right:Null", |_| Ok(Value::Bool(true))),
    function("#operator_>=", ORDERED, |call| compare(call, Comparison::GreaterEqual)),
    function("#operator_and", "left:Lambda right:Lambda", |call| either(call, true)),
    function("#operator_or", "left:Lambda right:Lambda", |call| either(call, false)),
    function("#unary_operator_not", "arg:Any", |call| Ok(Value::Bool(!truth(&call.value(0))?))),
    function("*equal", "left:Any right:Any", |call| same(call).map(Value::Bool)),
    function("*not_equal", "left:Any right:Any", |call| same(call).map(|same| Value::Bool(!same))),
    function("bool", "value:Any", |call| Ok(Value::Bool(truth(&call.value(0))?))),
    function("coalesce", "*:Lambda", coalesce),
    function("examine", "*:Lambda", examine),
    function("isBoolean", "value:Any", |call| Ok(Value::Bool(matches!(call.value(0), Value::Bool(_))))),
    function("selectAllCases", "*:Lambda", select_all_cases),
    function("selectCase", "*:Lambda", select_case),
    function("switch", "*:LazyMappingRule", switch).rules(),
    method("switchCase", "case:Int *:Lambda", switch_case),
];

/// Returns the left side if its truth differs from `goes_on`, else the right side.
fn either(call: &FunctionCall, goes_on: bool) -> Result<Value> {
    let side = |at| call.maybe_lambda(at).map_or(Ok(Value::None), |side| side.call([]));
    let left = side(0)?;
    if truth(&left)? == goes_on { side(1) } else { Ok(left) }
}

fn compare(call: &FunctionCall, comparison: Comparison) -> Result<Value> {
    let side = |at| match call.value(at) {
        // Views of keys and items compare as sets.
        view if Set.accepts(&view) => call.set(at).map(Value::Set),
        other => Ok(other),
    };
    order(comparison, &side(0)?, &side(1)?).map(Value::Bool)
}

fn same(call: &FunctionCall) -> Result<bool> {
    equal(&call.value(0), &call.value(1))
}

fn coalesce(call: &FunctionCall) -> Result<Value> {
    for case in call.variadic_lambdas() {
        let value = case.call([])?;
        if !matches!(value, Value::None) {
            return Ok(value);
        }
    }
    Ok(Value::None)
}

fn examine(call: &FunctionCall) -> Result<Value> {
    let mut cases = call.variadic_lambdas().into_iter();
    call.generator(move || {
        cases.next().map(|case| case.holds([]).map(Value::Bool)).transpose()
    })
}

fn select_all_cases(call: &FunctionCall) -> Result<Value> {
    let mut cases = call.variadic_lambdas().into_iter().zip(0..);
    call.generator(move || {
        for (case, at) in cases.by_ref() {
            if case.holds([])? {
                return Ok(Some(Value::Int(at)));
            }
        }
        Ok(None)
    })
}

fn select_case(call: &FunctionCall) -> Result<Value> {
    let cases = call.variadic_lambdas();
    for (case, at) in cases.iter().zip(0..) {
        if case.holds([])? {
            return Ok(Value::Int(at));
        }
    }
    Ok(Value::Int(cases.len() as i64))
}

fn switch(call: &FunctionCall) -> Result<Value> {
    for rule in &call.variadic {
        if let Argument::MappingRule(condition, value) = rule
            && condition.holds([])?
        {
            return value.call([]);
        }
    }
    Ok(Value::None)
}

fn switch_case(call: &FunctionCall) -> Result<Value> {
    let cases = call.variadic_lambdas();
    let chosen = call.int(0, 0).ok().and_then(|at| usize::try_from(at).ok());
    let chosen = chosen.and_then(|at| cases.get(at)).or(cases.last());
    chosen.map_or(Ok(Value::None), |case| case.call([]))
}
