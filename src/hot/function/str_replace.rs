//! `str_replace`, its strict variants and `Fn::Replace`: replaces placeholders in a text.

use super::argument::{incorrect, json};
use crate::eval::python::{
    self, Class, Dict, Exception, Key, Result, Value, limit_bytes,
};
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::Replace", |c, s| replace(c, s, &placed(c)?, SCALARS)).until(Version::Icehouse)
        .check(|c| check(c, &placed(c)?)),
    function("str_replace", |c, s| replace(c, s, &named(c)?, SCALARS))
        .takes(&["params", "template"], &[]).until(Version::Kilo).check(|c| check(c, &named(c)?)),
    function("str_replace", |c, s| replace(c, s, &named(c)?, ANY)).takes(&["params", "template"], &[])
        .since(Version::Liberty).check(|c| check(c, &named(c)?)),
    function("str_replace_strict", |c, s| replace(c, s, &named(c)?, STRICT))
        .takes(&["params", "template"], &[]).since(Version::Ocata).check(|c| check(c, &named(c)?)),
    function("str_replace_vstrict", |c, s| replace(c, s, &named(c)?, VERY_STRICT))
        .takes(&["params", "template"], &[]).since(Version::Pike).check(|c| check(c, &named(c)?)),
];

/// The requirements of a variant of `str_replace`.
#[derive(Clone, Copy)]
struct Strictness {
    /// True if mappings and lists are allowed as values. They are written as JSON.
    json: bool,
    /// True if every placeholder must occur in the text.
    strict: bool,
    /// True if every value must be non-empty.
    full: bool,
}

const SCALARS: Strictness = Strictness { json: false, strict: false, full: false };
const ANY: Strictness = Strictness { json: true, ..SCALARS };
const STRICT: Strictness = Strictness { strict: true, ..ANY };
const VERY_STRICT: Strictness = Strictness { full: true, ..STRICT };

/// Returns the unresolved mapping and text of `str_replace`.
fn named(call: &FunctionCall) -> Result<[Value; 2]> {
    let name = call.name();
    let (values, []) = call.bind(&format!(
        "\"{name}\" syntax should be {name}:\n              \
         template: This is var1 template var2\n              \
         params:\n                var1: a\n                var2: string"
    ))?;
    Ok(values)
}

/// Returns the unresolved mapping and text of `Fn::Replace`.
fn placed(call: &FunctionCall) -> Result<[Value; 2]> {
    let example = format!(
        "{{\"{}\": [ {{\"$var1\": \"foo\", \"%var2%\": \"bar\"}}, \"$var1 is %var2%\"]}}",
        call.name()
    );
    if let Value::Str(_) | Value::Dict(_) = &call.arguments {
        return Err(incorrect(Class::Type, call, &example));
    }
    python::unpack(&call.arguments).map_err(|wrong| match wrong.class {
        Class::Value => incorrect(Class::Value, call, &example),
        _ => wrong,
    })
}

fn check(call: &FunctionCall, [params, _]: &[Value; 2]) -> Result<()> {
    match params {
        Value::Dict(_) => Ok(()),
        params if FunctionCall::of(params).is_some() => Ok(()),
        _ => Err(Exception::of_type(format!(
            "\"{}\" parameters must be a mapping",
            call.name()
        ))),
    }
}

/// A piece of the text. `Done` was inserted for a placeholder and is not searched again.
enum Piece {
    Text(String),
    Done(String),
}

fn replace(
    call: &FunctionCall,
    stack: &Stack,
    [params, template]: &[Value; 2],
    rule: Strictness,
) -> Result<Value> {
    let (template, params) = (stack.resolve(template)?, stack.resolve(params)?);
    if rule.strict {
        // Heat makes a set of the placeholders first, which fails for unhashable items
        // before the types are checked.
        python::iterate(&params)?
            .into_iter()
            .try_for_each(|key| Key::new(key).map(drop))?;
    }
    let Value::Str(template) = template else {
        return Err(Exception::of_type(format!(
            "\"{}\" template must be a string",
            call.name()
        )));
    };
    let Value::Dict(params) = params else {
        return Err(Exception::of_type(format!(
            "\"{}\" params must be a map",
            call.name()
        )));
    };
    let mut parts = vec![Piece::Text(template.to_string())];
    let (mut missing, mut size) = (Vec::new(), 0);
    for key in longest_first(&params)? {
        let value = params.get(&Key::new(key.clone())?)?.unwrap_or(Value::None);
        let Value::Str(key) = key else {
            let message =
                format!("\"{}\" param placeholders must be strings", call.name());
            return Err(Exception::of_type(message));
        };
        let value = replacement(call, &key, &value, rule)?;
        // Python's `split` refuses an empty separator.
        if key.is_empty() {
            return Err(Exception::of_value("empty separator"));
        }
        stack.context.spend(parts.len() as u64)?;
        stack.context.spend_bytes(template.len())?;
        let before = parts.len();
        parts = substitute(parts, &key, &value, &mut size)?;
        // No piece was split: the placeholder does not occur.
        if parts.len() == before {
            missing.push(key.to_string());
        }
    }
    if rule.strict && !missing.is_empty() {
        return Err(Exception::of_value(format!(
            "The following params were not found in the template: {}",
            missing.join(",")
        )));
    }
    let texts = parts.iter().map(|(Piece::Text(text) | Piece::Done(text))| &**text);
    Ok(Value::from(texts.collect::<String>()))
}

/// Returns the placeholders, longer ones first, so that `$ab` is replaced before `$a`.
/// Those of equal length are sorted.
fn longest_first(params: &Dict) -> Result<Vec<Value>> {
    let keys = python::sort(params.keys(), false)?;
    let mut keys = keys
        .into_iter()
        .map(|key| Ok((python::length(&key)?, key)))
        .collect::<Result<Vec<_>>>()?;
    keys.sort_by(|(a, _), (b, _)| b.cmp(a));
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Replaces a placeholder in all pieces that are text. `size` counts the inserted bytes.
fn substitute(
    parts: Vec<Piece>,
    key: &str,
    value: &str,
    size: &mut usize,
) -> Result<Vec<Piece>> {
    let mut next = Vec::with_capacity(parts.len());
    for part in parts {
        let Piece::Text(text) = part else {
            next.push(part);
            continue;
        };
        for (i, piece) in text.split(key).enumerate() {
            if i > 0 {
                next.push(Piece::Done(value.to_owned()));
                *size += value.len();
                limit_bytes(*size)?;
            }
            next.push(Piece::Text(piece.to_owned()));
        }
    }
    Ok(next)
}

fn replacement(
    call: &FunctionCall,
    key: &str,
    value: &Value,
    rule: Strictness,
) -> Result<String> {
    let name = call.name();
    let text = match value {
        Value::None => String::new(),
        Value::Str(text) => text.to_string(),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_) => {
            python::str(value)?
        }
        _ if !rule.json => {
            return Err(Exception::of_type(format!(
                "\"{name}\" params must be strings or numbers, param {key} is not valid"
            )));
        }
        Value::List(_) | Value::Dict(_) if rule.full && !python::truth(value)? => {
            String::new()
        }
        Value::List(_) | Value::Dict(_) => match json(value) {
            Err(wrong) if wrong.class == Class::Type => {
                return Err(Exception::of_type(format!(
                    "\"{name}\" params must be strings, numbers, list or map. \
                     Failed to json serialize {}",
                    python::str(value)?
                )));
            }
            written => written?,
        },
        _ => {
            let message =
                format!("\"{name}\" params must be strings, numbers, list or map.");
            return Err(Exception::of_type(message));
        }
    };
    if rule.full && text.is_empty() {
        Err(Exception::of_value(format!(
            "{name} has an undefined or empty value for param {key}, \
             must be a defined non-empty value"
        )))
    } else {
        Ok(text)
    }
}
