//! `str_replace` and its stricter kin: a text and what stands for parts of it come in, the
//! text with that in their place goes out.

use super::argument::{incorrect, json, of_type};
use crate::eval::python::{
    self, Class, Dict, Exception, Key, Result, Value, limit_bytes,
};
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack};
use crate::hot::version::Version;

/// The functions of this file, by name and then by version.
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    IntrinsicFunction::new("Fn::Replace", placed_scalars)
        .until(Version::Icehouse)
        .check(check_placed),
    IntrinsicFunction::new("str_replace", scalars)
        .takes(&["params", "template"], &[])
        .until(Version::Kilo)
        .check(check_named),
    IntrinsicFunction::new("str_replace", any)
        .takes(&["params", "template"], &[])
        .since(Version::Liberty)
        .check(check_named),
    IntrinsicFunction::new("str_replace_strict", strict)
        .takes(&["params", "template"], &[])
        .since(Version::Ocata)
        .check(check_named),
    IntrinsicFunction::new("str_replace_vstrict", very_strict)
        .takes(&["params", "template"], &[])
        .since(Version::Pike)
        .check(check_named),
];

/// How strict a replacement is.
#[derive(Clone, Copy, Default)]
struct Strictness {
    /// Maps and lists are written as JSON.
    json: bool,
    /// Every key must be in the text.
    strict: bool,
    /// Every value must be something.
    full: bool,
}

/// The map and the text of `str_replace`, not resolved.
fn named(call: &FunctionCall) -> Result<[Value; 2]> {
    let name = call.name();
    let (values, []) = call.bind(&format!(
        "\"{name}\" syntax should be {name}:\n              \
         template: This is var1 template var2\n              \
         params:\n                var1: a\n                var2: string"
    ))?;
    Ok(values)
}

/// The map and the text of `Fn::Replace`, not resolved.
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

fn check_named(call: &FunctionCall) -> Result<()> {
    check(call, &named(call)?)
}

fn check_placed(call: &FunctionCall) -> Result<()> {
    check(call, &placed(call)?)
}

fn check(call: &FunctionCall, [params, _]: &[Value; 2]) -> Result<()> {
    match params {
        Value::Dict(_) => Ok(()),
        params if FunctionCall::of(params).is_some() => Ok(()),
        _ => Err(of_type(format!("\"{}\" parameters must be a mapping", call.name()))),
    }
}

/// `str_replace` as it was first.
fn scalars(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    replace(call, stack, &named(call)?, Strictness::default())
}

/// `Fn::Replace`
fn placed_scalars(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    replace(call, stack, &placed(call)?, Strictness::default())
}

/// `str_replace`
fn any(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    replace(
        call,
        stack,
        &named(call)?,
        Strictness { json: true, ..Strictness::default() },
    )
}

/// `str_replace_strict`
fn strict(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let rule = Strictness { json: true, strict: true, full: false };
    replace(call, stack, &named(call)?, rule)
}

/// `str_replace_vstrict`
fn very_strict(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let rule = Strictness { json: true, strict: true, full: true };
    replace(call, stack, &named(call)?, rule)
}

/// A part of the text: what is already replaced is not looked at again.
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
        // Python keeps a set of what is not found yet, before it looks at what it was given.
        python::iterate(&params)?
            .into_iter()
            .try_for_each(|key| Key::new(key).map(drop))?;
    }
    let Value::Str(template) = template else {
        return Err(of_type(format!("\"{}\" template must be a string", call.name())));
    };
    let Value::Dict(params) = params else {
        return Err(of_type(format!("\"{}\" params must be a map", call.name())));
    };
    let mut parts = vec![Piece::Text(template.to_string())];
    let (mut missing, mut size) = (Vec::new(), 0);
    for key in longest_first(&params)? {
        let value = params.get(&Key::new(key.clone())?)?.unwrap_or(Value::None);
        let Value::Str(key) = key else {
            let message =
                format!("\"{}\" param placeholders must be strings", call.name());
            return Err(of_type(message));
        };
        let value = written(call, &key, &value, rule)?;
        if key.is_empty() {
            return Err(Exception::of_value("empty separator"));
        }
        stack.context.spend((parts.len() + template.len() / 16) as u64)?;
        let before = parts.len();
        parts = substitute(parts, &key, &value, &mut size)?;
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

/// The keys, longer ones first, else in order.
fn longest_first(params: &Dict) -> Result<Vec<Value>> {
    let keys = python::sort(params.keys(), false)?;
    let mut keys = keys
        .into_iter()
        .map(|key| Ok((python::length(&key)?, key)))
        .collect::<Result<Vec<_>>>()?;
    keys.sort_by(|(a, _), (b, _)| b.cmp(a));
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Counts in `size` how much was put in so far.
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

/// What stands in the text for a value.
fn written(
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
            return Err(of_type(format!(
                "\"{name}\" params must be strings or numbers, param {key} is not valid"
            )));
        }
        Value::List(_) | Value::Dict(_) if rule.full && !python::truth(value)? => {
            String::new()
        }
        Value::List(_) | Value::Dict(_) => match json(value) {
            Err(wrong) if wrong.class == Class::Type => {
                return Err(of_type(format!(
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
            return Err(of_type(message));
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
