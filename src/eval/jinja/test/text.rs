//! What holds for a text: its case, a pattern it matches, whether it is a URI.

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::parameter::{
    bind, flag, given, members, method, only, text,
};
use crate::eval::python::{self, Arguments, Exception, Result, Value, regex, url};

pub(super) fn lower(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    method(&Value::from(python::str(&only(arguments, "test_lower")?)?), "islower", [])
}

pub(super) fn upper(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    method(&Value::from(python::str(&only(arguments, "test_upper")?)?), "isupper", [])
}

/// `match`, `search`, `regex`
pub(super) fn pattern(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let optional = ["value", "pattern", "ignorecase", "multiline", "match_type"];
    let ([], [value, pattern, ignorecase, multiline, kind]) =
        bind(arguments, call.name, [], optional)?;
    let kind = match call.name {
        "regex" => text(kind, "search")?,
        other => other.to_owned(),
    };
    let flags = regex::Flags {
        ignorecase: flag(ignorecase, false)?,
        multiline: flag(multiline, false)?,
        ..regex::Flags::default()
    };
    let value = text(value, "")?;
    let pattern = regex::compile(&text(pattern, "")?, flags)?;
    let found = match &*kind {
        "search" => pattern.search(&value)?,
        "match" => pattern.match_start(&value)?,
        "fullmatch" => pattern.match_full(&value)?,
        other => {
            let message =
                format!("match_type is search, match or fullmatch, not '{other}'");
            return Err(Exception::of_value(message));
        }
    };
    Ok(Value::Bool(found.is_some()))
}

/// Where a URI leads, if it is one of the schemes.
fn parts(arguments: Arguments, function: &str) -> Result<Option<url::Url>> {
    let ([value], [schemes]) = bind(arguments, function, ["value"], ["schemes"])?;
    let split = match &value {
        Value::Str(text) => url::split(text).ok(),
        Value::None => url::split("").ok(),
        _ => None,
    };
    let schemes = given(schemes).map_or(Ok(Vec::new()), |schemes| members(&schemes))?;
    let wanted = |scheme: &str| {
        schemes.is_empty() || schemes.iter().any(|known| known.as_str() == Some(scheme))
    };
    Ok(split.filter(|split| wanted(&split.scheme)))
}

pub(super) fn uri(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::Bool(parts(arguments, "is_uri")?.is_some()))
}

pub(super) fn url(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let parts = parts(arguments, "is_url")?;
    let holds = parts.is_some_and(|it| !it.netloc.is_empty() || it.scheme == "file");
    Ok(Value::Bool(holds))
}

pub(super) fn urn(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let mut arguments = arguments;
    if arguments.positional.len() > 1 || !arguments.keywords.is_empty() {
        bind(arguments.clone(), "is_urn", ["value"], [])?;
    }
    arguments.positional.push(Value::list([Value::text("urn")]));
    Ok(Value::Bool(parts(arguments, "is_urn")?.is_some()))
}
