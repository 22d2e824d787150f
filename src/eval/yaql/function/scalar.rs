//! Operators and functions of booleans and numbers: logic, comparison, choice between
//! expressions, arithmetic, and the bits of integers.

use crate::eval::python::{
    self, Comparison, Exception, Operator, Result, Value, binary, bitwise, equal, order,
    truth,
};

use super::super::call::BoundCall;
use super::super::evaluate::Lambda;
use super::super::iterable::keep;
use super::super::overload::YaqlType::{Int, Number, Set};
use super::super::overload::{Function, function, method};
use super::super::resolve::call_function;

/// Pairs that have an order.
const ORDERED: &str = "left:Number right:Number / left:Text right:Text / left:Set right:Set / \
    dt1:DateTime dt2:DateTime / ts1:Timespan ts2:Timespan";

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_*", "left:Number right:Number", |call| calculate(call, Operator::Mul)),
    function("#operator_+", "left:Number right:Number", |call| calculate(call, Operator::Add)),
    function("#operator_-", "left:Number right:Number", |call| calculate(call, Operator::Sub)),
    function("#operator_/", "left:Number right:Number", divide),
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
    function("#operator_mod", "left:Number right:Number", |call| calculate(call, Operator::Mod)),
    function("#operator_or", "left:Lambda right:Lambda", |call| either(call, false)),
    function("#unary_operator_+", "op:Number", |call| Ok(call.value(0))),
    function("#unary_operator_-", "op:Number", |call| python::negative(&call.value(0))),
    function("#unary_operator_not", "arg:Any", |call| Ok(Value::Bool(!truth(&call.value(0))?))),
    function("*equal", "left:Any right:Any", |call| same(call).map(Value::Bool)),
    function("*not_equal", "left:Any right:Any", |call| same(call).map(|same| Value::Bool(!same))),
    function("abs", "op:Number", abs),
    function("bitwiseAnd", "left:Int right:Int", |call| bitwise_pair(call, "&")),
    function("bitwiseNot", "arg:Int", |call| python::sub(&Value::Int(-1), &call.value(0))),
    function("bitwiseOr", "left:Int right:Int", |call| bitwise_pair(call, "|")),
    function("bitwiseXor", "left:Int right:Int", |call| bitwise_pair(call, "^")),
    function("bool", "value:Any", |call| Ok(Value::Bool(truth(&call.value(0))?))),
    function("coalesce", "*:Lambda", coalesce),
    function("examine", "*:Lambda", examine),
    function("float", "value:Any", |call| match call.value(0) {
        Value::None => Ok(Value::Float(0.0)),
        value => python::float(&value).map(Value::Float),
    }),
    function("hex", "num:Number|Null", hex),
    function("int", "value:Any", |call| match call.value(0) {
        Value::None => Ok(Value::Int(0)),
        value => python::int(&value),
    }),
    function("isBoolean", "value:Any", |call| Ok(Value::Bool(matches!(call.value(0), Value::Bool(_))))),
    function("isInteger", "value:Any",
        |call| Ok(Value::Bool(matches!(call.value(0), Value::Int(_) | Value::Big(_))))),
    function("isNumber", "value:Any", |call| Ok(Value::Bool(Number.accepts(&call.value(0))))),
    function("max", "a:Any b:Any", |call| pick(call, 1, 0)),
    function("min", "a:Any b:Any", |call| pick(call, 0, 1)),
    function("pow", "a:Number b:Number c:Number|Null?", pow),
    function("random", "", |call| Ok(Value::Float(call.engine().context.random()?.fraction()))),
    function("random", "from:Any to:Any", random_between),
    function("round", "number:Number ndigits:Int?", |call| python::round(&call.value(0), call.int(1, 0)?)),
    function("selectAllCases", "*:Lambda", select_all_cases),
    function("selectCase", "*:Lambda", select_case),
    function("shiftBitsLeft", "value:Int bitsNumber:Int", |call| bitwise_pair(call, "<<")),
    function("shiftBitsRight", "value:Int bitsNumber:Int", |call| bitwise_pair(call, ">>")),
    function("sign", "num:Number", sign),
    function("switch", "*:LazyMappingRule", switch).rules(),
    method("switchCase", "case:Int *:Lambda", switch_case),
];

/// Returns the left side if its truth differs from `goes_on`, else the right side.
fn either(call: &BoundCall, goes_on: bool) -> Result<Value> {
    let left = side(call, 0)?;
    if truth(&left)? == goes_on { side(call, 1) } else { Ok(left) }
}

fn side(call: &BoundCall, at: usize) -> Result<Value> {
    call.maybe_lambda(at).map_or(Ok(Value::None), |side| side.call([]))
}

fn compare(call: &BoundCall, comparison: Comparison) -> Result<Value> {
    let side = |at| match call.value(at) {
        // Views of keys and items compare as sets.
        view if Set.accepts(&view) => call.set(at).map(Value::Set),
        other => Ok(other),
    };
    order(comparison, &side(0)?, &side(1)?).map(Value::Bool)
}

fn same(call: &BoundCall) -> Result<bool> {
    equal(&call.value(0), &call.value(1))
}

fn coalesce(call: &BoundCall) -> Result<Value> {
    for case in call.variadic_lambdas() {
        let value = case.call([])?;
        if !matches!(value, Value::None) {
            return Ok(value);
        }
    }
    Ok(Value::None)
}

fn examine(call: &BoundCall) -> Result<Value> {
    let cases = call.variadic_lambdas().into_iter();
    call.lazy(cases.map(|case| case.holds([]).map(Value::Bool)))
}

fn select_all_cases(call: &BoundCall) -> Result<Value> {
    let cases = call.variadic_lambdas().into_iter().zip(0..);
    call.lazy(cases.filter_map(|(case, at)| keep(Ok(Value::Int(at)), |_| case.holds([]))))
}

fn select_case(call: &BoundCall) -> Result<Value> {
    let cases = call.variadic_lambdas();
    for (case, at) in cases.iter().zip(0..) {
        if case.holds([])? {
            return Ok(Value::Int(at));
        }
    }
    Ok(Value::Int(cases.len() as i64))
}

fn switch(call: &BoundCall) -> Result<Value> {
    for [condition, value] in call.variadic_lambdas().iter().filter_map(Lambda::sides) {
        if condition.holds([])? {
            return value.call([]);
        }
    }
    Ok(Value::None)
}

fn switch_case(call: &BoundCall) -> Result<Value> {
    let cases = call.variadic_lambdas();
    let chosen = call.int(0, 0).ok().and_then(|at| usize::try_from(at).ok());
    let chosen = chosen.and_then(|at| cases.get(at)).or(cases.last());
    chosen.map_or(Ok(Value::None), |case| case.call([]))
}

pub fn calculate(call: &BoundCall, operator: Operator) -> Result<Value> {
    binary(operator, &call.value(0), &call.value(1))
}

/// Divides numbers; two integers with the floor of the quotient.
fn divide(call: &BoundCall) -> Result<Value> {
    let whole = Int.accepts(&call.value(0)) && Int.accepts(&call.value(1));
    calculate(call, if whole { Operator::FloorDiv } else { Operator::Div })
}

fn abs(call: &BoundCall) -> Result<Value> {
    match call.value(0) {
        Value::Float(x) => Ok(Value::Float(x.abs())),
        value if order(Comparison::Less, &value, &Value::Int(0))? => {
            python::negative(&value)
        }
        value => Ok(value),
    }
}

/// Returns one argument if the second is greater than the first, else the other.
fn pick(call: &BoundCall, more: usize, other: usize) -> Result<Value> {
    let pair = [call.value(1), call.value(0)];
    let is_more = truth(&call_function(&call.env, "#operator_>", &pair)?)?;
    Ok(call.value(if is_more { more } else { other }))
}

fn pow(call: &BoundCall) -> Result<Value> {
    match call.value(2) {
        Value::None => calculate(call, Operator::Pow),
        modulus => python::power_modulo(&call.value(0), &call.value(1), &modulus),
    }
}

fn random_between(call: &BoundCall) -> Result<Value> {
    if !Int.accepts(&call.value(0)) || !Int.accepts(&call.value(1)) {
        return Err(Exception::of_type("randint() takes integers"));
    }
    // `randint` includes its end, `range` does not.
    let end = call.int(1, 0)?.checked_add(1).ok_or_else(|| {
        Exception::of_overflow("Python int too large to convert to C ssize_t")
    })?;
    call.engine().context.random()?.range(call.int(0, 0)?, end, 1).map(Value::Int)
}

fn sign(call: &BoundCall) -> Result<Value> {
    let value = call.value(0);
    let is_positive = order(Comparison::Greater, &value, &Value::Int(0))?;
    let is_negative = order(Comparison::Less, &value, &Value::Int(0))?;
    Ok(Value::Int(i64::from(is_positive) - i64::from(is_negative)))
}

fn bitwise_pair(call: &BoundCall, sign: &str) -> Result<Value> {
    bitwise(sign, &call.value(0), &call.value(1))
}

fn hex(call: &BoundCall) -> Result<Value> {
    Ok(Value::from(match call.value(0) {
        Value::Int(x) if x < 0 => format!("-{:#x}", x.unsigned_abs()),
        Value::Int(x) => format!("{x:#x}"),
        Value::Big(x) => format!("{:#x}", *x),
        other => {
            let message = "'{}' object cannot be interpreted as an integer";
            return Err(Exception::of_type_of(&other, message));
        }
    }))
}
