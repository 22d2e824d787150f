//! `str_split` and `Fn::Split`: a delimiter and a text come in, its parts go out.

use super::Call;
use super::argument::{incorrect, of_type, taken, unpack};
use crate::eval::python::{self, Arguments, Class, Exception, Result, Value};
use crate::hot::Stack;

/// `str_split`: a delimiter, a text and perhaps which part of it.
pub(super) fn check(call: &Call) -> Result<()> {
    match &call.arguments {
        Value::Str(_) | Value::Dict(_) => Err(wrong_split(call, Class::Type)),
        _ => Ok(()),
    }
}

fn wrong_split(call: &Call, class: Class) -> Box<Exception> {
    incorrect(class, call, &split_example(call))
}

fn split_example(call: &Call) -> String {
    format!("\"{}\" : [ \",\", \"apples,pears\", <index>]", call.name())
}

pub(super) fn split(call: &Call, stack: &Stack) -> Result<Value> {
    let parts = taken(stack.resolve(&call.arguments)?)?;
    let [delimiter, text, index @ ..] = &parts[..] else {
        return Err(wrong_split(call, Class::Value));
    };
    if matches!(text, Value::None) {
        return Ok(Value::None);
    }
    let split = python::call_method(text, "split", Arguments::of([delimiter.clone()]))?;
    let Some(index) = index.first() else { return Ok(split) };
    let name = call.name();
    let index = python::int(index).map_err(|wrong| match wrong.class {
        Class::Value => {
            let example = split_example(call);
            let message = format!("Incorrect index to \"{name}\" should be: {example}");
            Exception::of_value(message)
        }
        _ => wrong,
    })?;
    python::item(&split, &index).map_err(|wrong| match wrong.class {
        Class::Index => Exception::of_value(format!(
            "Incorrect index to \"{name}\" should be between 0 and {}",
            python::length(&split).unwrap_or_default() as i64 - 1
        )),
        _ => wrong,
    })
}

/// `Fn::Split`: a delimiter and a text.
pub(super) fn check_plain(call: &Call) -> Result<()> {
    let example = format!("\"{}\" : [ \",\", \"str1,str2\"]]", call.name());
    pair(call, &example)
}

/// Makes sure that the arguments are two, and not a text or a map.
pub(super) fn pair(call: &Call, example: &str) -> Result<()> {
    if let Value::Str(_) | Value::Dict(_) = &call.arguments {
        return Err(incorrect(Class::Type, call, example));
    }
    match unpack::<2>(&call.arguments) {
        Err(wrong) if wrong.class == Class::Value => {
            Err(incorrect(Class::Value, call, example))
        }
        other => other.map(drop),
    }
}

pub(super) fn plain_split(call: &Call, stack: &Stack) -> Result<Value> {
    let [delimiter, text] = unpack(&call.arguments)?;
    let text = stack.resolve(&text)?;
    let Value::Str(_) = delimiter else {
        return Err(of_type(format!("Delimiter for {} must be string", call.name())));
    };
    let Value::Str(_) = text else {
        return Err(of_type(format!(
            "String to split must be string; got <class '{}'>",
            text.type_name()
        )));
    };
    python::call_method(&text, "split", Arguments::of([delimiter]))
}
