//! Strings: operators, tests, and what is looked for in them.

use super::super::argument::Call;
use super::super::measure::measure;
use super::super::overload::Kind::{Any, Bool, Int, Text};
use super::super::overload::{Overload, Parameter, both, function, may, method, need};
use super::super::show::show;
use crate::eval::python::{
    Arguments, Class, Exception, Operator, Result, Value, binary, call_method, width,
};

const TEXT: &[Parameter] = &[need("string", Text)];
const FIND: &[Parameter] = &[need("string", Text), need("sub", Text), may("start", Int)];
const FIND_WITHIN: &[Parameter] =
    &[need("string", Text), need("sub", Text), need("start", Int), need("length", Int)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_*", &[need("left", Text), need("right", Int)], |call| {
        repeat(call, 0, 1)
    }),
    function("#operator_*", &[need("left", Int), need("right", Text)], |call| {
        repeat(call, 1, 0)
    }),
    function("#operator_+", &[], concat).more(Text),
    function("#operator_in", &[need("left", Text), need("right", Text)], |call| {
        Ok(Value::Bool(call.text(1)?.contains(&*call.text(0)?)))
    }),
    function("characters", CHARACTERS, characters),
    function("concat", &[], concat).more(Text),
    method("endsWith", TEXT, |call| touches(call, "endswith")).more(Text),
    method("indexOf", FIND_WITHIN, |call| find_within(call, "find")),
    method("indexOf", FIND, |call| find(call, "find")),
    both(
        "isEmpty",
        &[
            need("string", Text).or_null(),
            may("trim", Bool),
            may("chars", Text).or_null(),
        ],
        is_empty,
    ),
    function("isString", &[need("arg", Any)], |call| {
        Ok(Value::Bool(Text.accepts(&call.value(0))))
    }),
    method("lastIndexOf", FIND_WITHIN, |call| find_within(call, "rfind")),
    method("lastIndexOf", FIND, |call| find(call, "rfind")),
    both("len", TEXT, |call| Ok(Value::Int(length(&call.text(0)?)))),
    method("startsWith", TEXT, |call| touches(call, "startswith")).more(Text),
    function("str", &[need("value", Any)], |call| text_of(&call.value(0))),
];

const CHARACTERS: &[Parameter] = &[
    may("digits", Bool).or_null(),
    may("hexdigits", Bool).or_null(),
    may("asciiLowercase", Bool).or_null(),
    may("asciiUppercase", Bool).or_null(),
    may("asciiLetters", Bool).or_null(),
    may("letters", Bool).or_null(),
    may("octdigits", Bool).or_null(),
    may("punctuation", Bool).or_null(),
    may("printable", Bool).or_null(),
    may("lowercase", Bool).or_null(),
    may("uppercase", Bool).or_null(),
    may("whitespace", Bool).or_null(),
];

fn repeat(call: &Call, text: usize, times: usize) -> Result<Value> {
    let (text, count) = (call.value(text), i128::from(call.place(times, 0)?));
    let (one, none) = (measure(&text), 49);
    call.engine.weigh_all([(1 - count, none), (count, one)])?;
    binary(Operator::Mul, &text, &call.value(times))
}

fn concat(call: &Call) -> Result<Value> {
    let mut whole = String::new();
    for part in call.more() {
        whole.push_str(part.as_str().unwrap_or_default());
        width(whole.len())?;
    }
    Ok(Value::from(whole))
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

/// The characters of each kind that is asked for, each once.
fn characters(call: &Call) -> Result<Value> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const SPACE: &str = " \t\n\r\x0b\x0c";
    let kinds: [&[&str]; 12] = [
        &["0123456789"],
        &["0123456789abcdefABCDEF"],
        &[LOWER],
        &[UPPER],
        &[LOWER, UPPER],
        &[],
        &["01234567"],
        &[PUNCTUATION],
        &["0123456789", LOWER, UPPER, PUNCTUATION, SPACE],
        &[],
        &[],
        &[SPACE],
    ];
    let mut found = indexmap::IndexSet::new();
    for ((at, kind), parameter) in kinds.iter().enumerate().zip(CHARACTERS) {
        if call.flag(at)? {
            if kind.is_empty() {
                let name = parameter.name;
                let message = format!("module 'string' has no attribute '{name}'");
                return Err(Exception::new(Class::Unsupported, message));
            }
            found.extend(kind.iter().flat_map(|text| text.chars()));
        }
    }
    Ok(Value::tuple(found.into_iter().map(|c| Value::from(c.to_string()))))
}

fn touches(call: &Call, method: &str) -> Result<Value> {
    let parts = Value::tuple(call.more());
    call_method(&call.value(0), method, Arguments::of([parts]))
}

fn find(call: &Call, method: &str) -> Result<Value> {
    let start = call.given(2).cloned().unwrap_or(Value::Int(0));
    call_method(&call.value(0), method, Arguments::of([call.value(1), start]))
}

fn find_within(call: &Call, method: &str) -> Result<Value> {
    let length = length(&call.text(0)?);
    let start = match call.int(2, 0)? {
        start if start < 0 => start.saturating_add(length),
        start => start,
    };
    let count = match call.int(3, 0)? {
        count if count < 0 => length.saturating_sub(start),
        count => count,
    };
    let end = Value::Int(start.saturating_add(count));
    let arguments = Arguments::of([call.value(1), Value::Int(start), end]);
    call_method(&call.value(0), method, arguments)
}

fn is_empty(call: &Call) -> Result<Value> {
    let Value::Str(text) = call.value(0) else { return Ok(Value::Bool(true)) };
    let trims = call.given(1).is_none() || call.flag(1)?;
    let rest = if trims {
        call_method(&Value::Str(text), "strip", Arguments::of([call.value(2)]))?
    } else {
        Value::Str(text)
    };
    Ok(Value::Bool(rest.as_str() == Some("")))
}

fn text_of(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::None => Value::from("null"),
        Value::Bool(x) => Value::from(x.to_string()),
        Value::Str(text) => Value::Str(text.clone()),
        other => Value::from(show(other)?),
    })
}
