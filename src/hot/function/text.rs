//! Functions of strings: `str_split`, `Fn::Split` and `digest`.

use crate::eval::python::{
    self, Arguments, Class, Exception, Result, Value, encode, hashlib,
};
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

use super::argument::{incorrect, items_of_list};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::Split", plain_split).until(Version::Icehouse).check(check_plain),
    function("digest", digest).since(Version::Kilo),
    function("str_split", split).since(Version::Liberty).check(check),
];

/// `hashlib.algorithms_available` with OpenSSL 3.
const AVAILABLE: [&str; 19] = [
    "blake2b",
    "blake2s",
    "md5",
    "md5-sha1",
    "ripemd160",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512_224",
    "sha512_256",
    "shake_128",
    "shake_256",
    "sm3",
];

/// Checks `str_split: [delimiter, text, index]`; the index is optional.
fn check(call: &FunctionCall) -> Result<()> {
    match &call.arguments {
        Value::Str(_) | Value::Dict(_) => Err(wrong_split(call, Class::Type)),
        _ => Ok(()),
    }
}

fn wrong_split(call: &FunctionCall, class: Class) -> Box<Exception> {
    incorrect(class, call, &split_example(call))
}

fn split_example(call: &FunctionCall) -> String {
    format!("\"{}\" : [ \",\", \"apples,pears\", <index>]", call.name())
}

fn split(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    // Heat resolves the whole argument at once, so it may be a call that returns the
    // list.
    let parts = items_of_list(stack.resolve(&call.arguments)?)?;
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

fn check_plain(call: &FunctionCall) -> Result<()> {
    pair(call, &format!("\"{}\" : [ \",\", \"str1,str2\"]]", call.name()))
}

/// Checks that the argument has two items and is neither a string nor a mapping.
fn pair(call: &FunctionCall, example: &str) -> Result<()> {
    if let Value::Str(_) | Value::Dict(_) = &call.arguments {
        return Err(incorrect(Class::Type, call, example));
    }
    match python::unpack::<2>(&call.arguments) {
        Err(wrong) if wrong.class == Class::Value => {
            Err(incorrect(Class::Value, call, example))
        }
        other => other.map(drop),
    }
}

fn plain_split(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let [delimiter, text] = python::unpack(&call.arguments)?;
    let text = stack.resolve(&text)?;
    let Value::Str(_) = delimiter else {
        return Err(Exception::of_type(format!(
            "Delimiter for {} must be string",
            call.name()
        )));
    };
    let Value::Str(_) = text else {
        return Err(Exception::of_type(format!(
            "String to split must be string; got <class '{}'>",
            text.type_name()
        )));
    };
    python::call_method(&text, "split", Arguments::of([delimiter]))
}

fn digest(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let arguments = match stack.resolve(&call.arguments)? {
        Value::List(arguments) => arguments.items()?,
        _ => return Err(not_strings(call)),
    };
    if !arguments.iter().all(|argument| matches!(argument, Value::Str(_))) {
        return Err(not_strings(call));
    }
    let [Value::Str(algorithm), Value::Str(text)] = &arguments[..] else {
        return Err(Exception::of_value(format!(
            "Function \"{}\" usage: [\"<algorithm>\", \"<value>\"]",
            call.name()
        )));
    };
    if !AVAILABLE.contains(&&*algorithm.to_lowercase()) {
        let known = AVAILABLE.map(|name| format!("'{name}'")).join(", ");
        return Err(Exception::of_value(format!("Algorithm must be one of {{{known}}}")));
    }
    // An estimate: a digest reads about 16 bytes in the time of one step.
    stack.context.spend(text.len() as u64 >> 4)?;
    hashlib::digest(algorithm, &encode(text, "latin-1", "strict")?).map(Value::from)
}

fn not_strings(call: &FunctionCall) -> Box<Exception> {
    Exception::of_type(format!(
        "Argument to function \"{}\" must be a list of strings",
        call.name()
    ))
}
