//! Tests of strings: case, regular expressions, URIs.

use crate::eval::jinja::filter::parameter::{given, members, method, text, value_error};
use crate::eval::jinja::filter::regex::flags;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Result, Value, regex, url};

#[rustfmt::skip]
pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("lower", "test_lower", case),
    Plugin::new("match", "match", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::new("regex", "regex", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::new("search", "search", &[], &["value", "pattern", "ignorecase", "multiline", "match_type"],
        pattern),
    Plugin::of_value("upper", "test_upper", case),
    Plugin::new("uri", "is_uri", &["value"], &["schemes"], uri),
    Plugin::new("url", "is_url", &["value"], &["schemes"], uri),
    Plugin::of_value("urn", "is_urn", uri),
];

/// `lower` and `upper`.
fn case(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = Value::from(python::str(&arguments.only())?);
    method(&value, &format!("is{}", call.name), [])
}

fn pattern(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [value, pattern, ignorecase, multiline, kind]) = arguments.split();
    let kind = match call.name {
        "regex" => text(kind, "search")?,
        other => other.to_owned(),
    };
    let flags = flags(ignorecase, multiline)?;
    let value = text(value, "")?;
    let pattern = regex::compile(&text(pattern, "")?, flags)?;
    let found = match &*kind {
        "search" => pattern.search(&value)?,
        "match" => pattern.match_start(&value)?,
        "fullmatch" => pattern.match_full(&value)?,
        it => {
            let message = format!("match_type is search, match or fullmatch, not '{it}'");
            return value_error(message);
        }
    };
    Ok(Value::Bool(found.is_some()))
}

/// `uri`, `url` and `urn`: a URI that has one of the schemes, which the test may name.
fn uri(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let schemes = arguments.get(1).cloned();
    let schemes = given(schemes).map_or(Ok(Vec::new()), |schemes| members(&schemes))?;
    let found = match &arguments.value(0) {
        Value::Str(text) => url::split(text).ok(),
        Value::None => url::split("").ok(),
        _ => None,
    };
    Ok(Value::Bool(found.is_some_and(|url| {
        let mut schemes = schemes.iter().map(Value::as_str).peekable();
        (schemes.peek().is_none() || schemes.any(|known| known == Some(&*url.scheme)))
            && match call.name {
                "uri" => true,
                "url" => !url.netloc.is_empty() || url.scheme == "file",
                _ => url.scheme == "urn",
            }
    })))
}
