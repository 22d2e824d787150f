//! Strings that are made of strings.

use super::super::argument::{Call, Library};
use super::super::key::thaw;
use super::super::overload::Kind::{Dict, Int, Iterable, Text};
use super::super::overload::{Overload, Parameter, both, may, method, need};
use crate::eval::python::{self, Arguments, Result, Value, call_method, slice};

const TEXT: &[Parameter] = &[need("string", Text)];
const TRIM: &[Parameter] = &[need("string", Text), may("chars", Text).or_null()];
const SPLIT: &[Parameter] =
    &[need("string", Text), may("separator", Text).or_null(), may("maxSplits", Int)];

pub(super) const TABLE: &[Overload] = &[
    method("join", &[need("sequence", Iterable), need("separator", Text)], |call| {
        join(call, 0, 1)
    }),
    method("join", &[need("separator", Text), need("sequence", Iterable)], |call| {
        join(call, 1, 0)
    }),
    both("norm", &[need("string", Text).or_null(), may("chars", Text).or_null()], norm),
    method(
        "replace",
        &[need("string", Text), need("old", Text), need("new", Text), may("count", Int)],
        replace,
    ),
    method(
        "replace",
        &[need("string", Text), need("replacements", Dict), may("count", Int)],
        replace_all,
    ),
    method("rightSplit", SPLIT, |call| split(call, "rsplit")),
    method("split", SPLIT, |call| split(call, "split")),
    method(
        "substring",
        &[need("string", Text), need("start", Int), may("length", Int)],
        substring,
    ),
    method("toCharArray", TEXT, |call| {
        Ok(Value::tuple(python::iterate(&call.value(0))?))
    }),
    method("toLower", TEXT, |call| plain(call, "lower")),
    method("toUpper", TEXT, |call| plain(call, "upper")),
    method("trim", TRIM, |call| trim(call, "strip")),
    method("trimLeft", TRIM, |call| trim(call, "lstrip")),
    method("trimRight", TRIM, |call| trim(call, "rstrip")),
];

fn plain(call: &Call, method: &str) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::default())
}

fn trim(call: &Call, method: &str) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::of([call.value(1)]))
}

fn norm(call: &Call) -> Result<Value> {
    if matches!(call.value(0), Value::None) {
        return Ok(Value::None);
    }
    let value = trim(call, "strip")?;
    Ok(if value.as_str() == Some("") { Value::None } else { value })
}

fn split(call: &Call, method: &str) -> Result<Value> {
    let most = call.given(2).cloned().unwrap_or(Value::Int(-1));
    call_method(&call.value(0), method, Arguments::of([call.value(1), most]))
}

fn join(call: &Call, members: usize, separator: usize) -> Result<Value> {
    let (mut members, library) = (call.flow(members)?, call.library());
    let mut texts = Vec::new();
    while let Some(member) = members.next()? {
        texts.push(text(&library, &member)?);
    }
    python::join(&call.text(separator)?, &Value::tuple(texts)).map(Value::Str)
}

fn text(library: &Library, value: &Value) -> Result<Value> {
    library.function("str", std::slice::from_ref(value))
}

fn replace(call: &Call) -> Result<Value> {
    let count = call.given(3).cloned().unwrap_or(Value::Int(-1));
    let arguments = Arguments::of([call.value(1), call.value(2), count]);
    call_method(&call.value(0), "replace", arguments)
}

/// One replacement after the other, in the order of the dict.
fn replace_all(call: &Call) -> Result<Value> {
    let (mut whole, library) = (call.value(0), call.library());
    let count = call.given(2).cloned().unwrap_or(Value::Int(-1));
    for (old, new) in call.dict(1)?.entries()? {
        let old = text(&library, &thaw(old.value()))?;
        let arguments = Arguments::of([old, text(&library, &new)?, count.clone()]);
        whole = call_method(&whole, "replace", arguments)?;
    }
    Ok(whole)
}

fn substring(call: &Call) -> Result<Value> {
    let length = call.text(0)?.chars().count() as i64;
    let count = match call.place(2, -1)? {
        count if count < 0 => length,
        count => count,
    };
    let start = match call.place(1, 0)? {
        start if start < 0 => start.saturating_add(length),
        start => start,
    };
    let end = Value::Int(start.saturating_add(count));
    slice(&call.value(0), &Value::Int(start), &end, &Value::None)
}
