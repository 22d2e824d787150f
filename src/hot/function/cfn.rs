//! Functions that the first version of the format took from CloudFormation: `Ref`,
//! `Fn::Select`, `Fn::Base64`, `Fn::GetAZs` and `Fn::MemberListToMap`; and the refusal of
//! these and others in later versions.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::eval::python::{self, Class, Dict, Exception, Key, Result, Value, json};
use crate::hot::exception::replacing;
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Stack, as_written, function};
use crate::hot::version::{Version, invalid};

use super::reference::get_resource;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::Base64", base64).until(Version::Icehouse),
    removed("Fn::Base64", Version::Juno),
    function("Fn::GetAZs", zones).until(Version::Icehouse),
    removed("Fn::GetAZs", Version::Juno),
    removed("Fn::Join", Version::Juno),
    function("Fn::MemberListToMap", members).until(Version::Icehouse).check(check_members),
    removed("Fn::MemberListToMap", Version::Juno),
    removed("Fn::Replace", Version::Juno),
    removed("Fn::ResourceFacade", Version::Juno),
    function("Fn::Select", select).until(Version::Kilo).check(check_select),
    removed("Fn::Select", Version::Liberty),
    removed("Fn::Split", Version::Juno),
    function("Ref", reference).until(Version::Icehouse).check(check_reference).resource(referred),
    removed("Ref", Version::Juno),
];

fn check_reference(call: &IntrinsicCall) -> Result<()> {
    Key::new(call.arguments.clone()).map(drop)?;
    IntrinsicCall::of(&call.arguments)
        .map_or(Ok(()), |inner| Err(inner.type_error("unhashable type: '{}'")))
}

/// Returns the physical name of a resource, or the value of a parameter.
fn reference(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let name = &call.arguments;
    // A resource wins over a parameter of the same name.
    if stack.find(name).is_none()
        && let Some(Ok(value)) = name.as_str().map(|name| stack.parameters.value(name))
    {
        return Ok(value);
    }
    get_resource(call, stack)
}

/// Returns the name if it is one of a resource.
fn referred(call: &IntrinsicCall, stack: &Stack) -> Result<Option<Value>> {
    Ok(stack.find(&call.arguments).map(|_| call.arguments.clone()))
}

fn check_select(call: &IntrinsicCall) -> Result<()> {
    let parts = python::unpack::<2>(&call.arguments).map(drop);
    parts.map_err(replacing(&[Class::Value], |_| {
        call.value_error("Arguments to \"{}\" must be of the form [index, collection]")
    }))
}

/// Returns an item of a collection, or of JSON in a string; an empty string for none.
fn select(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [index, collection] = python::unpack(&call.arguments)?;
    let index = stack.resolve(&index)?;
    let collection = stack.resolve(&collection)?;
    let collection = match &collection {
        Value::Str(text) if text.is_empty() => return Ok(collection),
        Value::Str(text) => json::load(text).map_err(|wrong| {
            Exception::of_value(format!("\"{}\": {}", call.name(), wrong.message))
        })?,
        _ => collection,
    };
    if let Value::Dict(map) = &collection {
        let key = call.text(&index, "Index to \"{}\" must be a string")?;
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
        (Value::List(_), _) => Err(call.type_error("Index to \"{}\" must be an integer")),
        (Value::None, _) => Ok(Value::from("")),
        _ => Err(call.type_error("Arguments to {} not fully resolved")),
    }
}

/// Returns the text unchanged: Heat passes plain text where Amazon expects base 64.
fn base64(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let text = stack.resolve(&call.arguments)?;
    call.text(&text, "\"{}\" argument must be a string")?;
    Ok(text)
}

/// Returns the zones of `Fn::GetAZs: region`, which are the same for all regions.
fn zones(_: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    Ok(Value::list(stack.input.zones.iter().map(|zone| Value::from(&**zone))))
}

/// Checks `Fn::MemberListToMap: [key, value, [".member.0.key=a", ".member.0.value=b"]]`.
fn check_members(call: &IntrinsicCall) -> Result<()> {
    let parts = python::unpack::<3>(&call.arguments);
    let parts = parts.map_err(replacing(&[Class::Value], |_| {
        Exception::of_type(
            "Wrong Arguments try: \"\n            \
             {'Fn::MemberListToMap': ['Name', 'Value',\n                                     \
             ['.member.0.Name=key',\n                                      \
             '.member.0.Value=door']]}\n            \"",
        )
    }))?;
    for (part, which) in parts.iter().zip(["Key", "Value"]) {
        if !matches!(part, Value::Str(_)) {
            return Err(call.type_error(&format!("{{}} {which} Name must be a string")));
        }
    }
    Ok(())
}

fn members(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [key, value, list] = python::unpack(&call.arguments)?;
    let list = stack.resolve(&list)?;
    let Ok(items) = python::iterate(&list) else {
        return Err(Exception::of_type("Member list must be a list"));
    };
    let texts = Dict::default();
    for (at, item) in items.iter().enumerate() {
        let Value::Str(text) = item else {
            return Err(Exception::of_type("Member list items must be strings"));
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

/// Splits `.member.0.rest` into the number and the rest.
fn numbered(name: &str) -> Option<(BigInt, &str)> {
    let (digits, rest) = name.strip_prefix(".member.")?.split_once('.')?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    // Python's `.` does not match a line break.
    Some((number, rest.split('\n').next()?))
}

/// Replacements in later versions.
const INSTEAD: [(&str, &str); 6] = [
    ("Fn::Join", "`list_join`"),
    ("Fn::Replace", "`str_replace`"),
    ("Fn::ResourceFacade", "`resource_facade`"),
    ("Fn::Select", "a path in `get_param` or `get_attr`"),
    ("Fn::Split", "`str_split`"),
    ("Ref", "`get_resource` or `get_param`"),
];

/// Returns a function that is refused from a version on.
const fn removed(name: &'static str, first: Version) -> IntrinsicFunction {
    // Conditions know it, too, so that it is refused there and not taken for data.
    function(name, keep).since(first).in_conditions(first).validate(refuse)
}

fn refuse(call: &IntrinsicCall, _: &Stack) -> Result<()> {
    let name = call.name();
    let message = format!("The function {name} is not supported in this version of HOT.");
    let raised = invalid(&message);
    Err(match INSTEAD.iter().find(|(removed, _)| *removed == name) {
        Some((_, instead)) => raised.hint(format!("{instead} does what it did")),
        None => raised,
    })
}

/// Returns the call as data, which it is where Heat does not validate it.
fn keep(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    Ok(as_written(call, stack.resolve(&call.arguments)?))
}
