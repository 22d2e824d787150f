//! Functions that stand alone: `q`, `sensitive`, references to inputs and attributes,
//! random strings, and notations of containers and ports.

use crate::eval::complete::copy;
use crate::eval::python::{
    Class, Dict, Exception, Result, Stamp, Str, Value, limit_bytes, limit_members, str,
};
use crate::eval::sensitive as marks;
use crate::eval::unfurl::expression;
use crate::eval::unfurl::path::one_of;
use crate::eval::{Context, complete};

use super::call::{ExpressionFunction, UnfurlCall, function, text_of};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("_generate", generate).keywords(&["preset", "len", "ranges"]).top_level(),
    function("container_image", container_image).required(&["image"]).unary(),
    function("generate_string", generate).keywords(&["preset", "len", "ranges"]),
    function("get_attribute", get_attribute).required(&["resource", "attribute"]).top_level(),
    function("get_ensemble_metadata", get_metadata).optional(&["key"]),
    function("get_input", get_input).required(&["name"]).optional(&["default"]).top_level(),
    function("get_property", get_attribute).required(&["resource", "attribute"]).top_level(),
    function("portspec", portspec).required(&["port"]).unary(),
    function("q", quote).required(&["data"]).top_level().unary(),
    function("sensitive", sensitive).required(&["data"]).unary(),
];

/// Implements `q`: returns the argument, marked so that it is never evaluated.
fn quote(call: &UnfurlCall<'_>) -> Result<Value> {
    mark_quoted(&call.argument, &call.scope.context)
}

/// Implements `sensitive`: marks data that is never shown.
fn sensitive(call: &UnfurlCall<'_>) -> Result<Value> {
    marks::mark(&call.data()?, &call.scope.context)
}

/// Implements `get_ensemble_metadata`, which is empty for a document.
fn get_metadata(call: &UnfurlCall<'_>) -> Result<Value> {
    Ok(match call.data()? {
        Value::None => Value::Dict(Dict::default()),
        _ => Value::text(""),
    })
}

/// Implements `get_input`: an entry of the document's `inputs`, or a default.
fn get_input(call: &UnfurlCall<'_>) -> Result<Value> {
    let (name, default) = match call.argument.force()? {
        Value::List(given) => (given.get(0)?.unwrap_or(Value::None), given.get(1)?),
        other => (other, None),
    };
    let written = call.data_of(&name)?;
    let name = text_of(&written, "a name")?;
    let inputs = expression::value(&Value::text(".root::inputs"), call.scope)?;
    if let Value::Dict(inputs) = inputs
        && let Some(value) = inputs.get_text(&name)?
    {
        return Ok(value);
    }
    match default {
        Some(default) => call.data_of(&default),
        None => {
            let message = format!("undefined input '{name}'");
            let missing = Exception::new(Class::Undefined, message);
            Err(missing.naming_value(&written))
        }
    }
}

/// Implements `get_attribute` and `get_property`: an attribute, and a path into it.
fn get_attribute(call: &UnfurlCall<'_>) -> Result<Value> {
    let mut keys = Vec::new();
    for key in call.list()? {
        keys.push(str(&key)?);
    }
    let Some((first, rest)) = keys.split_first().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(Exception::of_type(format!(
            "'{}' takes a resource and the name of an attribute",
            call.name()
        )));
    };
    let start = match &**first {
        "SELF" => ".".to_owned(),
        "HOST" => ".hosted_on".to_owned(),
        name => format!("::{name}"),
    };
    let path = Value::text(format!("{start}::{}", rest.join("::")));
    Ok(one_of(expression::results(&path, call.scope)?))
}

/// Implements `generate_string` and `_generate`: a random string.
fn generate(call: &UnfurlCall<'_>) -> Result<Value> {
    let settings = match call.data()? {
        Value::Dict(settings) => settings,
        _ => call.keywords.clone(),
    };
    let preset = settings.get_text("preset")?;
    let preset = preset.as_ref().and_then(Value::as_str).unwrap_or_default();
    let usual = match preset {
        "number" => 1,
        "password" => 15,
        _ => 10,
    };
    let length = match settings.get_text("len")? {
        Some(Value::Int(length)) if length > 0 => length as usize,
        _ => usual,
    };
    limit_bytes(length)?;
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let characters: Vec<char> = match (preset, settings.get_text("ranges")?) {
        ("number", _) => ('0'..='9').collect(),
        ("", Some(Value::List(ranges))) if !ranges.is_empty() => {
            characters(&ranges.items()?)?
        }
        _ => letters.chain("%()*+,-./<>?=^_~".chars()).collect(),
    };
    let mut random = call.scope.context.random()?;
    loop {
        // Each character is drawn on its own.
        call.scope.context.spend(length as u64)?;
        let drawn = (0..length).map(|_| random.choice(&characters).unwrap_or(&'0'));
        let text: String = drawn.collect();
        // A password has a digit, unless it is a single character.
        let wants_digit = preset == "password" && length > 1;
        if !wants_digit || text.contains(|c: char| c.is_ascii_digit()) {
            return Ok(Value::text(text));
        }
    }
}

/// Returns the characters of several ranges.
fn characters(ranges: &[Value]) -> Result<Vec<char>> {
    let mut all = Vec::new();
    for pair in ranges {
        all.extend(range(pair)?);
        limit_members(all.len())?;
    }
    Ok(all)
}

/// Returns the characters of a range, without its end.
fn range(pair: &Value) -> Result<Vec<char>> {
    let items = if let Value::List(pair) = pair { pair.items()? } else { Vec::new() };
    let number = |value: Value| match value {
        Value::Int(number) => u32::try_from(number).ok(),
        Value::Str(text) => text.chars().next().map(u32::from),
        _ => None,
    };
    let ends: Option<Vec<u32>> = items.into_iter().map(number).collect();
    match ends.as_deref() {
        Some([from, to]) => Ok((*from..*to).filter_map(char::from_u32).collect()),
        _ => Err(Exception::of_value("a range is a pair of characters or numbers")),
    }
}

/// Implements `container_image`: the name of an image in canonical notation; null if it
/// is empty.
fn container_image(call: &UnfurlCall<'_>) -> Result<Value> {
    let data = call.data()?;
    let given = match &data {
        Value::None => "",
        it => it.as_str().ok_or_else(|| Exception::of_type("an image is a string"))?,
    };
    let (host, path) = match given.split_once('/') {
        Some((host, rest)) if host.contains(':') || rest.contains('/') => {
            (Some(host), rest)
        }
        _ => (None, given),
    };
    let (name, rest) = match path.split_once('@') {
        Some((name, digest)) => (name, format!("@{}", digest_of(digest))),
        None => match path.split_once(':') {
            Some((name, "")) => (name, String::new()),
            Some((name, tag)) => (name, format!(":{tag}")),
            None => (path, String::new()),
        },
    };
    let name = name.trim_start_matches('/').to_lowercase();
    Ok(match (name.is_empty(), host) {
        (true, _) => Value::None,
        (_, Some(host)) => Value::text(format!("{host}/{name}{rest}")),
        (_, None) => Value::text(name + &rest),
    })
}

fn digest_of(digest: &str) -> String {
    if digest.contains(':') { digest.to_owned() } else { format!("sha256:{digest}") }
}

/// Implements `portspec`: `80:8080/tcp` as a mapping of its parts.
fn portspec(call: &UnfurlCall<'_>) -> Result<Value> {
    let data = call.data()?;
    let text = match &data {
        Value::None => return Ok(Value::None),
        Value::Int(port) => port.to_string(),
        Value::Str(text) if text.is_empty() => return Ok(Value::None),
        Value::Str(text) => text.to_string(),
        other => {
            let message = "a port is a number or a string, not {}";
            return Err(Exception::of_type_of(other, message));
        }
    };
    let (ports, protocol) = text.split_once('/').unwrap_or((&text, "tcp"));
    if !["tcp", "udp", "icmp"].contains(&protocol) {
        return Err(Exception::of_value(format!("'{protocol}' is no protocol of ports")));
    }
    let (source, target) = ports.split_once(':').unwrap_or((ports, ""));
    let target = if target.is_empty() { source } else { target };
    let [source, source_range] = port_range(source)?;
    let [target, target_range] = port_range(target)?;
    let entries = [
        ("protocol", Value::text(protocol)),
        ("source", source),
        ("source_range", source_range),
        ("target", target),
        ("target_range", target_range),
    ];
    Ok(Value::Dict(Dict::named(entries)))
}

/// Parses a port, or else a range of ports; the other one is null.
fn port_range(text: &str) -> Result<[Value; 2]> {
    let port = |text: &str| match text.trim().parse::<u16>() {
        Ok(port) if port > 0 => Ok(Value::Int(port.into())),
        _ => Err(Exception::of_value(format!("'{text}' is no port"))),
    };
    match text.split_once('-') {
        Some((low, high)) => Ok([Value::None, Value::list([port(low)?, port(high)?])]),
        None => Ok([port(text)?, Value::None]),
    }
}

/// Marks a value and all that it contains as quoted.
fn mark_quoted(value: &Value, context: &Context) -> Result<Value> {
    // Copying cannot stop at a value that is evaluated later.
    let whole = complete(value, context)?;
    Ok(copy(&whole, |scalar| match scalar {
        Value::Str(text) => {
            let stamp = Stamp { quoted: true, ..text.stamp() };
            Value::Str(Str::stamped(text.shared(), stamp))
        }
        other => other.clone(),
    }))
}
