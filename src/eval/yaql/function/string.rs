//! Strings.

use std::sync::Arc;

use super::super::call::FunctionCall;
use super::super::env::Env;
use super::super::key::thaw;
use super::super::measure::measure;
use super::super::overload::ParameterType::Text;
use super::super::overload::{Function, both, function, method};
use super::super::resolve::call_function;
use super::super::show::show;
use crate::eval::python::{
    self, Arguments, Class, Exception, Operator, Result, Value, binary, call_method,
    limit_bytes, slice,
};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_*", "left:Text right:Int", |call| repeat(call, 0, 1)),
    function("#operator_*", "left:Int right:Text", |call| repeat(call, 1, 0)),
    function("#operator_+", "*:Text", concat),
    function("#operator_in", "left:Text right:Text",
        |call| Ok(Value::Bool(call.text(1)?.contains(&*call.text(0)?)))),
    function("characters", CHARACTERS, characters),
    function("concat", "*:Text", concat),
    method("endsWith", "string:Text *:Text", |call| touches(call, "endswith")),
    method("indexOf", "string:Text sub:Text start:Int length:Int", |call| find_within(call, "find")),
    method("indexOf", "string:Text sub:Text start:Int?", |call| find(call, "find")),
    both("isEmpty", "string:Text|Null trim:Bool? chars:Text|Null?", is_empty),
    function("isString", "arg:Any", |call| Ok(Value::Bool(Text.accepts(&call.value(0))))),
    method("join", "sequence:Iterable separator:Text", |call| join(call, 0, 1)),
    method("join", "separator:Text sequence:Iterable", |call| join(call, 1, 0)),
    method("lastIndexOf", "string:Text sub:Text start:Int length:Int", |call| find_within(call, "rfind")),
    method("lastIndexOf", "string:Text sub:Text start:Int?", |call| find(call, "rfind")),
    both("len", "string:Text", |call| Ok(Value::Int(length(&call.text(0)?)))),
    both("norm", "string:Text|Null chars:Text|Null?", norm),
    method("replace", "string:Text old:Text new:Text count:Int?", replace),
    method("replace", "string:Text replacements:Dict count:Int?", replace_all),
    method("rightSplit", "string:Text separator:Text|Null? maxSplits:Int?", |call| split(call, "rsplit")),
    method("split", "string:Text separator:Text|Null? maxSplits:Int?", |call| split(call, "split")),
    method("startsWith", "string:Text *:Text", |call| touches(call, "startswith")),
    function("str", "value:Any", |call| text_of(&call.value(0))),
    method("substring", "string:Text start:Int length:Int?", substring),
    method("toCharArray", "string:Text", |call| Ok(Value::tuple(python::iterate(&call.value(0))?))),
    method("toLower", "string:Text", |call| plain(call, "lower")),
    method("toUpper", "string:Text", |call| plain(call, "upper")),
    method("trim", "string:Text chars:Text|Null?", |call| trim(call, "strip")),
    method("trimLeft", "string:Text chars:Text|Null?", |call| trim(call, "lstrip")),
    method("trimRight", "string:Text chars:Text|Null?", |call| trim(call, "rstrip")),
];

const CHARACTERS: &str = "digits:Bool|Null? hexdigits:Bool|Null? asciiLowercase:Bool|Null? \
    asciiUppercase:Bool|Null? asciiLetters:Bool|Null? letters:Bool|Null? octdigits:Bool|Null? \
    punctuation:Bool|Null? printable:Bool|Null? lowercase:Bool|Null? uppercase:Bool|Null? \
    whitespace:Bool|Null?";

fn repeat(call: &FunctionCall, text: usize, times: usize) -> Result<Value> {
    let (text, count) = (call.value(text), i128::from(call.position(times, 0)?));
    // 49 bytes are the header of an ASCII string, which is not repeated.
    let (one, none) = (measure(&text), 49);
    call.engine().check_total([(1 - count, none), (count, one)])?;
    binary(Operator::Mul, &text, &call.value(times))
}

fn concat(call: &FunctionCall) -> Result<Value> {
    let mut whole = String::new();
    for part in call.variadic() {
        whole.push_str(part.as_str().unwrap_or_default());
        limit_bytes(whole.len())?;
    }
    Ok(Value::from(whole))
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

/// Returns the characters of all requested kinds, without duplicates.
fn characters(call: &FunctionCall) -> Result<Value> {
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
    let names = CHARACTERS.split_whitespace().filter_map(|word| word.split(':').next());
    let mut found = indexmap::IndexSet::new();
    for ((at, kind), name) in kinds.iter().enumerate().zip(names) {
        if call.flag(at)? {
            // These constants of the module `string` exist in Python 2 only.
            if kind.is_empty() {
                let message = format!("module 'string' has no attribute '{name}'");
                return Err(Exception::new(Class::Unsupported, message));
            }
            found.extend(kind.iter().flat_map(|text| text.chars()));
        }
    }
    Ok(Value::tuple(found.into_iter().map(|c| Value::from(c.to_string()))))
}

fn touches(call: &FunctionCall, method: &str) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::of([Value::tuple(call.variadic())]))
}

fn find(call: &FunctionCall, method: &str) -> Result<Value> {
    let start = call.get(2).cloned().unwrap_or(Value::Int(0));
    call_method(&call.value(0), method, Arguments::of([call.value(1), start]))
}

fn find_within(call: &FunctionCall, method: &str) -> Result<Value> {
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

fn is_empty(call: &FunctionCall) -> Result<Value> {
    let Value::Str(text) = call.value(0) else { return Ok(Value::Bool(true)) };
    // The default is true, unlike that of other flags.
    let trims = call.get(1).is_none() || call.flag(1)?;
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

fn plain(call: &FunctionCall, method: &str) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::default())
}

fn trim(call: &FunctionCall, method: &str) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::of([call.value(1)]))
}

fn norm(call: &FunctionCall) -> Result<Value> {
    if matches!(call.value(0), Value::None) {
        return Ok(Value::None);
    }
    let value = trim(call, "strip")?;
    Ok(if value.as_str() == Some("") { Value::None } else { value })
}

fn split(call: &FunctionCall, method: &str) -> Result<Value> {
    let limit = call.get(2).cloned().unwrap_or(Value::Int(-1));
    call_method(&call.value(0), method, Arguments::of([call.value(1), limit]))
}

fn join(call: &FunctionCall, members: usize, separator: usize) -> Result<Value> {
    let (mut members, env) = (call.stream(members)?, &call.env);
    let mut texts = Vec::new();
    while let Some(member) = members.next()? {
        texts.push(text(env, &member)?);
    }
    python::join(&call.text(separator)?, &Value::tuple(texts)).map(Value::Str)
}

fn text(env: &Arc<Env>, value: &Value) -> Result<Value> {
    call_function(env, "str", std::slice::from_ref(value))
}

fn replace(call: &FunctionCall) -> Result<Value> {
    let count = call.get(3).cloned().unwrap_or(Value::Int(-1));
    let arguments = Arguments::of([call.value(1), call.value(2), count]);
    call_method(&call.value(0), "replace", arguments)
}

/// Replaces each key of a dict by its value, in the order of the dict.
fn replace_all(call: &FunctionCall) -> Result<Value> {
    let (mut whole, env) = (call.value(0), &call.env);
    let count = call.get(2).cloned().unwrap_or(Value::Int(-1));
    for (old, new) in call.dict(1)?.entries()? {
        let old = text(env, &thaw(old.value()))?;
        let arguments = Arguments::of([old, text(env, &new)?, count.clone()]);
        whole = call_method(&whole, "replace", arguments)?;
    }
    Ok(whole)
}

fn substring(call: &FunctionCall) -> Result<Value> {
    let length = call.text(0)?.chars().count() as i64;
    let count = match call.position(2, -1)? {
        count if count < 0 => length,
        count => count,
    };
    let start = match call.position(1, 0)? {
        start if start < 0 => start.saturating_add(length),
        start => start,
    };
    let end = Value::Int(start.saturating_add(count));
    slice(&call.value(0), &Value::Int(start), &end, &Value::None)
}
