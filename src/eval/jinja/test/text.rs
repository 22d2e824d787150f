//! Tests of strings: case, regular expressions, URIs.

use crate::eval::jinja::filter::parameter::{
    flag, given, members, method, text, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Result, Value, regex, url};

#[rustfmt::skip]
pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("lower", "test_lower", |_, arguments| {
    method(&Value::from(python::str(&arguments.only())?), "islower", [])
}),
    Plugin::new("match", "match", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::new("regex", "regex", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::new("search", "search", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::of_value("upper", "test_upper", |_, arguments| {
    method(&Value::from(python::str(&arguments.only())?), "isupper", [])
}),
    Plugin::new("uri", "is_uri", &["value"], &["schemes"], |_, arguments| {
    Ok(Value::Bool(parts(arguments)?.is_some()))
}),
    Plugin::new("url", "is_url", &["value"], &["schemes"], url),
    Plugin::of_value("urn", "is_urn", urn),
];

fn pattern(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [value, pattern, ignorecase, multiline, kind]) = arguments.split();
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
            return value_error(message);
        }
    };
    Ok(Value::Bool(found.is_some()))
}

/// Splits a URI that has one of the schemes.
fn parts(arguments: Bound) -> Result<Option<url::Url>> {
    let ([value], [schemes]) = arguments.split();
    let schemes = given(schemes).map_or(Ok(Vec::new()), |schemes| members(&schemes))?;
    let wanted = |scheme: &str| {
        schemes.is_empty() || schemes.iter().any(|known| known.as_str() == Some(scheme))
    };
    Ok(split(&value).filter(|split| wanted(&split.scheme)))
}

fn split(value: &Value) -> Option<url::Url> {
    match value {
        Value::Str(text) => url::split(text).ok(),
        Value::None => url::split("").ok(),
        _ => None,
    }
}

fn url(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let parts = parts(arguments)?;
    Ok(Value::Bool(parts.is_some_and(|it| !it.netloc.is_empty() || it.scheme == "file")))
}

fn urn(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let urn = split(&arguments.only()).filter(|split| split.scheme == "urn");
    Ok(Value::Bool(urn.is_some()))
}
