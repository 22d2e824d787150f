//! Texts ⇄ parts of URLs.

use super::parameter::{members, string, text};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Exception, Key, Result, Value, url};

/// `urlencode`: a text for a path, pairs for a query.
pub(super) fn urlencode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let pairs = match &value {
        Value::Dict(dict) => {
            let entries = dict.entries()?.into_iter();
            entries.map(|(key, value)| [key.into_value(), value]).collect()
        }
        Value::List(_)
        | Value::Tuple(_)
        | Value::Set(_)
        | Value::Range(_)
        | Value::Object(_) => {
            members(&value)?.iter().map(python::unpack).collect::<Result<Vec<_>>>()?
        }
        other => return Ok(Value::from(url::quote(&python::str(other)?, "/"))),
    };
    let quote = |value: &Value| -> Result<String> {
        Ok(url::quote_plus(&python::str(value)?, ""))
    };
    let pair = |[key, value]: &[Value; 2]| -> Result<String> {
        Ok(format!("{}={}", quote(key)?, quote(value)?))
    };
    let pairs: Vec<String> = pairs.iter().map(pair).collect::<Result<_>>()?;
    Ok(Value::from(pairs.join("&")))
}

pub(super) fn urldecode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let text = string(&value, "expected a str,")?;
    Ok(Value::from(url::unquote_plus(text)))
}

pub(super) fn urlsplit(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [part, alias]) = arguments.split();
    let alias = text(alias, "urlsplit")?;
    let split = url::split(string(&value, "expected a str,")?)?;
    let shown = |part: Option<&str>| part.map_or(Value::None, Value::text);
    let parts = [
        ("fragment", Value::text(&*split.fragment)),
        ("hostname", shown(split.hostname().as_deref())),
        ("netloc", Value::text(&*split.netloc)),
        ("password", shown(split.password())),
        ("path", Value::text(&*split.path)),
        ("port", split.port()?.map_or(Value::None, |port| Value::Int(port.into()))),
        ("query", Value::text(&*split.query)),
        ("scheme", Value::text(&*split.scheme)),
        ("username", shown(split.username())),
    ];
    let part = text(part, "")?;
    if part.is_empty() {
        let entry = |(name, value): (&str, Value)| (Key::text(name), value);
        return Ok(Value::Dict(parts.into_iter().map(entry).collect()));
    }
    let found = parts.into_iter().find(|(name, _)| *name == part);
    found.map(|(_, value)| value).ok_or_else(|| {
        Exception::of_value(format!("{alias}: unknown URL component: {part}"))
    })
}
