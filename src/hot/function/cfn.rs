//! The functions that the first version took over from CloudFormation's templates: `Ref`,
//! `Fn::Select`, `Fn::Base64`, `Fn::GetAZs` and `Fn::MemberListToMap`.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::Call;
use super::argument::{of_type, unpack};
use crate::eval::python::{self, Class, Dict, Exception, Key, Result, Value, json};
use crate::hot::Stack;

/// `Ref: name`
pub(super) fn check_reference(call: &Call) -> Result<()> {
    Key::new(call.arguments.clone()).map(drop)?;
    match Call::of(&call.arguments) {
        Some(inner) => Err(of_type(format!("unhashable type: '{}'", inner.name()))),
        None => Ok(()),
    }
}

/// The physical name of a resource, or the value of a parameter.
pub(super) fn reference(call: &Call, stack: &Stack) -> Result<Value> {
    let name = &call.arguments;
    if !stack.has_resource(name)
        && let Some(Ok(value)) = name.as_str().map(|name| stack.parameter(name))
    {
        return Ok(value);
    }
    super::reference::get_resource(call, stack)
}

/// The resource, if it is one.
pub(super) fn referred(call: &Call, stack: &Stack) -> Result<Option<Value>> {
    let is_resource = stack.has_resource(&call.arguments);
    Ok(is_resource.then(|| call.arguments.clone()))
}

/// `Fn::Select: [index, collection]`
pub(super) fn check_select(call: &Call) -> Result<()> {
    match unpack::<2>(&call.arguments) {
        Err(wrong) if wrong.class == Class::Value => Err(Exception::of_value(format!(
            "Arguments to \"{}\" must be of the form [index, collection]",
            call.name()
        ))),
        other => other.map(drop),
    }
}

/// What is not there is an empty text. A text holds the collection as JSON.
pub(super) fn select(call: &Call, stack: &Stack) -> Result<Value> {
    let [index, collection] = unpack(&call.arguments)?;
    let (index, collection) = (stack.resolve(&index)?, stack.resolve(&collection)?);
    let name = call.name();
    let collection = match &collection {
        Value::Str(text) if text.is_empty() => return Ok(collection),
        Value::Str(text) => json::load(text).map_err(|wrong| {
            Exception::of_value(format!("\"{name}\": {}", wrong.message))
        })?,
        _ => collection,
    };
    if let Value::Dict(map) = &collection {
        let Value::Str(key) = &index else {
            return Err(of_type(format!("Index to \"{name}\" must be a string")));
        };
        return Ok(map.get_text(key)?.unwrap_or(Value::from("")));
    }
    let index = match python::int(&index) {
        Err(wrong) if matches!(wrong.class, Class::Value | Class::Type) => index,
        number => number?,
    };
    match (&collection, &index) {
        (Value::List(_), Value::Int(_) | Value::Big(_)) => {
            python::item(&collection, &index).or_else(|wrong| match wrong.class {
                Class::Index => Ok(Value::from("")),
                _ => Err(wrong),
            })
        }
        (Value::List(_), _) => {
            Err(of_type(format!("Index to \"{name}\" must be an integer")))
        }
        (Value::None, _) => Ok(Value::from("")),
        _ => Err(of_type(format!("Arguments to {name} not fully resolved"))),
    }
}

/// `Fn::Base64: text`, which stays as it is: Heat takes plain text where Amazon wants this.
pub(super) fn base64(call: &Call, stack: &Stack) -> Result<Value> {
    match stack.resolve(&call.arguments)? {
        text @ Value::Str(_) => Ok(text),
        _ => Err(of_type(format!("\"{}\" argument must be a string", call.name()))),
    }
}

/// `Fn::GetAZs: region`; all regions have the same zones.
pub(super) fn zones(_: &Call, stack: &Stack) -> Result<Value> {
    let zones = stack.input.zones.iter();
    Ok(Value::list(zones.map(|zone| Value::from(&**zone))))
}

/// `Fn::MemberListToMap: [key, value, [".member.0.key=a", ".member.0.value=b"]]`
pub(super) fn check_members(call: &Call) -> Result<()> {
    let parts = unpack::<3>(&call.arguments).map_err(|wrong| match wrong.class {
        Class::Value => of_type(
            "Wrong Arguments try: \"\n            \
             {'Fn::MemberListToMap': ['Name', 'Value',\n                                     \
             ['.member.0.Name=key',\n                                      \
             '.member.0.Value=door']]}\n            \"",
        ),
        _ => wrong,
    })?;
    for (part, which) in parts.iter().zip(["Key", "Value"]) {
        if !matches!(part, Value::Str(_)) {
            let message = format!("{} {which} Name must be a string", call.name());
            return Err(of_type(message));
        }
    }
    Ok(())
}

pub(super) fn members(call: &Call, stack: &Stack) -> Result<Value> {
    let [key, value, list] = unpack(&call.arguments)?;
    let list = stack.resolve(&list)?;
    let Ok(items) = python::iterate(&list) else {
        return Err(of_type("Member list must be a list"));
    };
    let texts = Dict::default();
    for (at, item) in items.iter().enumerate() {
        let Value::Str(text) = item else {
            return Err(of_type("Member list items must be strings"));
        };
        let Some((name, value)) = text.split_once('=') else {
            return Err(Exception::of_value(format!(
                "dictionary update sequence element #{at} has length 1; 2 is required"
            )));
        };
        texts.set(Key::text(name), Value::from(value));
    }
    let mut members: BTreeMap<BigInt, Dict> = BTreeMap::new();
    for (name, value) in texts.entries()? {
        if let Some((number, part)) = name.as_str().and_then(numbered) {
            members.entry(number).or_default().set(Key::text(part), value);
        }
    }
    let map = Dict::default();
    for member in members.values() {
        if let (Some(key), Some(value)) =
            (member.get(&Key::new(key.clone())?)?, member.get(&Key::new(value.clone())?)?)
        {
            map.set(Key::new(key)?, value);
        }
    }
    Ok(Value::Dict(map))
}

/// The number and the rest of `.member.0.rest`.
fn numbered(name: &str) -> Option<(BigInt, &str)> {
    let (digits, rest) = name.strip_prefix(".member.")?.split_once('.')?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    Some((number, rest.split('\n').next()?))
}
