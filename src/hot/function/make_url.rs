//! `make_url`: builds a URL from its parts.

use std::borrow::Cow;

use crate::eval::python::url::{Url, quote, quote_plus};
use crate::eval::python::{self, Class, Dict, Exception, Result, Value};
use crate::hot::exception::replacing;
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("make_url", make_url).takes(&[], &PARTS).since(Version::Pike).validate(validate),
];

/// Parts of a URL, in the order in which Heat checks them.
const PARTS: [&str; 8] =
    ["scheme", "username", "password", "host", "port", "path", "query", "fragment"];

fn validate(call: &FunctionCall, stack: &Stack) -> Result<()> {
    stack.validate_arguments(call)?;
    let Value::Dict(parts) = &call.arguments else {
        return Err(call.type_error("The arguments to \"{}\" must be a map"));
    };
    let unknown = call.unknown_names();
    if !unknown.is_empty() {
        let unknown = python::join(&", ".into(), &Value::list(unknown))?;
        let message = format!("Invalid arguments to \"{}\": {}", call.name(), &*unknown);
        return Err(call.with_name_hint(Exception::of_value(message)));
    }
    check(call, parts)
}

/// Checks the type of every part. Raises a `TypeError`, or a `ValueError` for the port.
fn check(call: &FunctionCall, parts: &Dict) -> Result<()> {
    for name in PARTS {
        let Some(part) = parts.get_text(name)? else { continue };
        let is_call = FunctionCall::of(&part).is_some();
        let wanted = match (name, &part) {
            // Heat returns here by mistake, so `fragment` is never checked if there is a
            // query.
            ("query", Value::Dict(_)) => return Ok(()),
            ("query", _) if is_call => return Ok(()),
            ("query", _) => "map",
            (_, _) if is_call => continue,
            ("port", _) => {
                check_port(call, &part, parts)?;
                continue;
            }
            (_, Value::Str(_)) => continue,
            _ => "string",
        };
        let message = format!("The \"{name}\" argument to \"{{}}\" must be a {wanted}");
        let raised = call.type_error(&message);
        return Err(if matches!(part, Value::None) {
            raised.hint("it is null: `--attrs` and `--ids` say what resources have")
        } else {
            raised
        });
    }
    Ok(())
}

fn check_port(call: &FunctionCall, port: &Value, parts: &Dict) -> Result<()> {
    let number = python::int(port).map_err(replacing(&[Class::Value], |_| {
        Exception::of_value(format!(
            "Invalid URL port \"{}\" for {} called with {}",
            python::str(port).unwrap_or_default(),
            call.name(),
            python::repr(&Value::Dict(parts.clone())).unwrap_or_default()
        ))
    }))?;
    match number {
        Value::Int(1..=65535) => Ok(()),
        other => Err(Exception::of_value(format!(
            "Invalid URL port {}, must be in range 1-65535",
            python::str(&other)?
        ))),
    }
}

fn make_url(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let parts = match stack.resolve(&call.arguments)? {
        Value::Dict(parts) => parts,
        other => return Err(python::no_attribute(&other, "get")),
    };
    check(call, &parts)?;
    let scheme = text(&parts, "scheme")?;
    if scheme.contains(':') {
        return Err(Exception::of_value("URL \"scheme\" should not contain ':'"));
    }
    let query = match parts.get_text("query")? {
        Some(Value::Dict(query)) => encoded(&query)?,
        _ => String::new(),
    };
    let url = Url {
        scheme,
        netloc: netloc(&parts)?,
        path: quote(&text(&parts, "path")?, "/"),
        query,
        fragment: quote(&text(&parts, "fragment")?, "/"),
    };
    Ok(Value::from(unsplit(&url)))
}

/// Implements `urlunsplit`: the text of a URL.
fn unsplit(url: &Url) -> String {
    let Url { scheme, netloc, path, query, fragment } = url;
    let mut url = Cow::Borrowed(&**path);
    let has_netloc =
        !scheme.is_empty() && USES_NETLOC.contains(&&**scheme) && !path.starts_with("//");
    if !netloc.is_empty() || has_netloc {
        let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
        url = format!("//{netloc}{slash}{path}").into();
    }
    let part = |sign: &str, text: &str| match text {
        "" => String::new(),
        text => format!("{sign}{text}"),
    };
    let colon = if scheme.is_empty() { "" } else { ":" };
    let (query, fragment) = (part("?", query), part("#", fragment));
    format!("{scheme}{colon}{url}{query}{fragment}")
}

/// Schemes whose URLs have a network location, `uses_netloc`.
const USES_NETLOC: &[&str] = &[
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms",
    "https", "shttp", "snews", "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn",
    "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
];

fn text(parts: &Dict, name: &str) -> Result<String> {
    match parts.get_text(name)? {
        None => Ok(String::new()),
        Some(Value::Str(text)) => Ok(text.to_string()),
        Some(_) => Err(Exception::of_type("quote_from_bytes() expected bytes")),
    }
}

/// Returns `user:password@host:port`.
fn netloc(parts: &Dict) -> Result<String> {
    let secret = |name: &str| text(parts, name).map(|text| quote(&text, ""));
    let user = match (secret("username")?, secret("password")?) {
        (name, password) if name.is_empty() && password.is_empty() => String::new(),
        (name, password) if password.is_empty() => format!("{name}@"),
        (name, password) => format!("{name}:{password}@"),
    };
    let host = text(parts, "host")?;
    // The brackets of an IPv6 address are not to be quoted.
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host = match quote(bare.unwrap_or(&host), ":") {
        host if host.contains(':') => format!("[{host}]"),
        host => host,
    };
    let port = match parts.get_text("port")? {
        Some(port) => format!(":{}", python::str(&port)?),
        None => String::new(),
    };
    Ok(format!("{user}{host}{port}"))
}

/// Returns `name=value&name=value`.
fn encoded(query: &Dict) -> Result<String> {
    let quoted = |value: &Value| python::str(value).map(|text| quote_plus(&text, ""));
    let mut pairs = Vec::new();
    for (key, value) in query.entries()? {
        pairs.push(format!("{}={}", quoted(key.value())?, quoted(&value)?));
    }
    // Heat leaves slashes in a query readable.
    Ok(pairs.join("&").replace("%2F", "/"))
}
