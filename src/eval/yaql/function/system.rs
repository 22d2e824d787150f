//! Scopes, assertions and calls by name.

use std::sync::Arc;

use crate::eval::python::{Class, Exception, Result, Str, Value};

use super::super::call::BoundCall;
use super::super::evaluate::{ContextValue, Env, number};
use super::super::iterable::RememberingIterator;
use super::super::overload::{Function, function, method};
use super::super::resolve::{self, RawArgument};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    method("assert", "obj:Any condition:Lambda message:Text?", assert),
    function("call", "name:Text args:Sequence kwargs:Dict receiver:Any?", call),
    function("def", "name:Text func:Lambda", define),
    function("let", "*:Any **", bind),
    method("unpack", "sequence:Iterable *:Text", unpack),
    function("with", "*:Any", bind),
];

fn held(env: Arc<Env>) -> Value {
    Value::object(ContextValue(env))
}

fn bind(call: &BoundCall) -> Result<Value> {
    let mut names = number(call.variadic());
    for (name, value) in &call.keywords {
        names.push((Str::from(format!("${}", &**name)), value.clone()));
    }
    Ok(held(Env::within(&call.env, names)))
}

fn define(call: &BoundCall) -> Result<Value> {
    let name = camel_case(&call.text(0)?);
    let lambda = call.lambda(1)?;
    let Some(body) = lambda.expression() else {
        return Err(Exception::of_type("a function is defined by an expression"));
    };
    Ok(held(Env::defining(&lambda.env, name, body.clone())))
}

/// Converts `snake_case_` to `snakeCase`.
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

fn unpack(call: &BoundCall) -> Result<Value> {
    let names = call.variadic();
    let mut members = call.stream(0)?;
    if names.is_empty() {
        return Ok(held(Env::within(&call.env, number(members.rest()?))));
    }
    let mut values = Vec::new();
    while values.len() <= names.len()
        && let Some(member) = members.pull()?
    {
        values.push(member);
    }
    if values.len() != names.len() {
        let message =
            format!("Cannot unpack {} elements into {}", values.len(), names.len());
        return Err(Exception::of_value(message));
    }
    let name = |name: &Value| match name.as_str().unwrap_or_default() {
        "$" | "" => Str::from("$1"),
        known if known.starts_with('$') => Str::from(known),
        bare => Str::from(format!("${bare}")),
    };
    Ok(held(Env::within(&call.env, names.iter().map(name).zip(values).collect())))
}

fn assert(call: &BoundCall) -> Result<Value> {
    // The condition may consume an iterator, which the result still needs.
    let object = RememberingIterator::value(call.value(0));
    if call.lambda(1)?.holds([object.clone()])? {
        Ok(object)
    } else {
        let message = call.get(2).and_then(Value::as_str);
        Err(Exception::new(Class::Value, message.unwrap_or("Assertion failed")))
    }
}

fn call(call: &BoundCall) -> Result<Value> {
    let inputs = call.members(1)?.into_iter().map(RawArgument::Value).collect();
    let mut names = Vec::new();
    for (key, value) in call.dict(2)?.entries()? {
        match key.as_str() {
            Some(name) if is_keyword(name) => {
                names.push((Str::from(name), RawArgument::Value(value)));
            }
            Some(_) => {
                let message = "dictionary changed size during iteration";
                return Err(Exception::of_value(message));
            }
            None => {
                return Err(Exception::of_type("expected string or bytes-like object"));
            }
        }
    }
    resolve::call(&call.env, &call.text(0)?, call.get(3).cloned(), inputs, names)
}

fn is_keyword(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c == '_' || c.is_alphabetic()) && !name.starts_with("__")
}
