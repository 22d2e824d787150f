//! One of several expressions.

use super::super::argument::{Argument, Call};
use super::super::overload::Kind::{Int, Lambda, LazyRule};
use super::super::overload::{Overload, function, method, need};
use crate::eval::python::{Result, Value};

pub(super) const TABLE: &[Overload] = &[
    function("coalesce", &[], coalesce).more(Lambda),
    function("examine", &[], examine).more(Lambda),
    function("selectAllCases", &[], select_all_cases).more(Lambda),
    function("selectCase", &[], select_case).more(Lambda),
    function("switch", &[], switch).more(LazyRule).rules(),
    method("switchCase", &[need("case", Int)], switch_case).more(Lambda),
];

fn coalesce(call: &Call) -> Result<Value> {
    for case in call.more_lambdas() {
        let value = case.call([])?;
        if !matches!(value, Value::None) {
            return Ok(value);
        }
    }
    Ok(Value::None)
}

fn examine(call: &Call) -> Result<Value> {
    let mut cases = call.more_lambdas().into_iter();
    call.iter(move || {
        cases.next().map(|case| case.holds([]).map(Value::Bool)).transpose()
    })
}

fn select_all_cases(call: &Call) -> Result<Value> {
    let mut cases = call.more_lambdas().into_iter().zip(0..);
    call.iter(move || {
        for (case, at) in cases.by_ref() {
            if case.holds([])? {
                return Ok(Some(Value::Int(at)));
            }
        }
        Ok(None)
    })
}

fn select_case(call: &Call) -> Result<Value> {
    let cases = call.more_lambdas();
    for (case, at) in cases.iter().zip(0..) {
        if case.holds([])? {
            return Ok(Value::Int(at));
        }
    }
    Ok(Value::Int(cases.len() as i64))
}

fn switch(call: &Call) -> Result<Value> {
    for rule in &call.more {
        if let Argument::Rule(condition, value) = rule
            && condition.holds([])?
        {
            return value.call([]);
        }
    }
    Ok(Value::None)
}

fn switch_case(call: &Call) -> Result<Value> {
    let cases = call.more_lambdas();
    let chosen = call.int(0, 0).ok().and_then(|at| usize::try_from(at).ok());
    let chosen = chosen.and_then(|at| cases.get(at)).or(cases.last());
    chosen.map_or(Ok(Value::None), |case| case.call([]))
}
