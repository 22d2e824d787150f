//! Contexts, checks and calls by name.

use std::sync::Arc;

use super::super::argument::Call;
use super::super::choose;
use super::super::env::{Env, Held, number};
use super::super::flow::{Memo, flow, is_iterator};
use super::super::input::Input;
use super::super::overload::Kind::{Any, Dict, Iterable, Lambda, Sequence, Text};
use super::super::overload::{Overload, function, may, method, need};
use crate::eval::python::{Class, Exception, Result, Str, Value};

pub(super) const TABLE: &[Overload] = &[
    method(
        "assert",
        &[need("obj", Any), need("condition", Lambda), may("message", Text)],
        assert,
    ),
    function(
        "call",
        &[
            need("name", Text),
            need("args", Sequence),
            need("kwargs", Dict),
            may("receiver", Any),
        ],
        call,
    ),
    function("def", &[need("name", Text), need("func", Lambda)], define),
    function("let", &[], bind).more(Any).names(),
    method("unpack", &[need("sequence", Iterable)], unpack).more(Text),
    function("with", &[], bind).more(Any),
];

fn held(env: Arc<Env>) -> Value {
    Value::object(Held(env))
}

fn bind(call: &Call) -> Result<Value> {
    let mut names = number(call.more());
    for (name, value) in &call.names {
        names.push((Str::from(format!("${}", &**name)), value.clone()));
    }
    Ok(held(Env::within(&call.env, names)))
}

fn define(call: &Call) -> Result<Value> {
    let (name, lambda) = (camel_case(&call.text(0)?), call.lambda(1)?);
    let Some(body) = lambda.expression() else {
        return Err(Exception::of_type("a function is defined by an expression"));
    };
    Ok(held(Env::defining(lambda.env(), name, body.clone())))
}

/// `snake_case_` → `snakeCase`
fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut chars = name.trim_end_matches('_').chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '_' && !camel.is_empty() => {
                camel.extend(next.to_uppercase());
                chars.next();
            }
            _ => camel.push(c),
        }
    }
    camel
}

fn unpack(call: &Call) -> Result<Value> {
    let (names, mut members) = (call.more(), call.flow(0)?);
    if names.is_empty() {
        return Ok(held(Env::numbered(&call.env, members.rest()?)));
    }
    let mut values = Vec::new();
    while values.len() <= names.len()
        && let Some(member) = members.next()?
    {
        values.push(member);
    }
    if values.len() != names.len() {
        return Err(Exception::of_value(format!(
            "Cannot unpack {} elements into {}",
            values.len(),
            names.len()
        )));
    }
    let name = |name: &Value| match name.as_str().unwrap_or_default() {
        "$" | "" => Str::from("$1"),
        known if known.starts_with('$') => Str::from(known),
        bare => Str::from(format!("${bare}")),
    };
    let named = names.iter().map(name).zip(values).collect();
    Ok(held(Env::within(&call.env, named)))
}

fn assert(call: &Call) -> Result<Value> {
    let object = call.value(0);
    // What is looked at must still be there afterwards.
    let object =
        if is_iterator(&object) { Memo::value(&call.engine, &object) } else { object };
    if call.lambda(1)?.holds([object.clone()])? {
        Ok(object)
    } else {
        let message = call.given(2).and_then(Value::as_str);
        Err(Exception::new(Class::Value, message.unwrap_or("Assertion failed")))
    }
}

fn call(call: &Call) -> Result<Value> {
    let inputs = flow(&call.value(1))?.rest()?.into_iter().map(Input::Value).collect();
    let mut names = Vec::new();
    for (key, value) in call.dict(2)?.entries()? {
        match key.as_str() {
            Some(name) if is_keyword(name) => {
                names.push((Str::from(name), Input::Value(value)));
            }
            Some(_) => {
                return Err(Exception::of_value(
                    "dictionary changed size during iteration",
                ));
            }
            None => {
                return Err(Exception::of_type("expected string or bytes-like object"));
            }
        }
    }
    let receiver = call.given(3).cloned();
    choose::call(&call.engine, &call.env, &call.text(0)?, receiver, inputs, names)
}

fn is_keyword(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c == '_' || c.is_alphabetic()) && !name.starts_with("__")
}
