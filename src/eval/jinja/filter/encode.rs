//! Filters that encode strings: base64, digests, UUIDs, URLs.

use sha1::Digest;

use super::parameter::{flag, is_sequence, members, method, string, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::hashlib::digest;
use crate::eval::python::{self, Bound, Dict, Exception, Result, Value, base64, url};
use crate::scalar::to_base64;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("b64decode", "b64decode", &["string"], &["encoding", "urlsafe"], b64decode),
    Plugin::new("b64encode", "b64encode", &["string"], &["encoding", "urlsafe"], b64encode),
    Plugin::of_value("checksum", "checksum", hash),
    Plugin::new("hash", "get_hash", &["data"], &["hashtype"], hash),
    Plugin::of_value("md5", "md5", hash),
    Plugin::of_value("sha1", "sha1", hash),
    Plugin::new("to_uuid", "to_uuid", &["string"], &["namespace"], to_uuid),
    Plugin::of_value("urldecode", "unquote_plus", urldecode),
    Plugin::of_value("urlencode", "do_urlencode", urlencode),
    Plugin::new("urlsplit", "split_url", &["value"], &["query", "alias"], urlsplit),
];

fn b64encode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [encoding, safe]) = arguments.split();
    let bytes = match &value {
        Value::Bytes(bytes) => bytes.to_vec(),
        other => {
            let text = Value::from(python::str(other)?);
            let encoding = encoding.unwrap_or_else(|| Value::text("utf-8"));
            to_bytes(&method(&text, "encode", [encoding])?)?
        }
    };
    let encoded = to_base64(&bytes);
    Ok(Value::from(if flag(safe, false)? {
        // The alphabet for URLs differs in two characters; the padding stays.
        encoded.replace('+', "-").replace('/', "_")
    } else {
        encoded
    }))
}

fn b64decode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [encoding, safe]) = arguments.split();
    let mut encoded = to_bytes(&value)?;
    if flag(safe, false)? {
        for byte in &mut encoded {
            match byte {
                b'-' => *byte = b'+',
                b'_' => *byte = b'/',
                _ => {}
            }
        }
    }
    let bytes = Value::bytes(base64::decode(&encoded)?);
    method(&bytes, "decode", [text(encoding, "utf-8")?.into()])
}

/// `hash`, and `md5`, `sha1` and `checksum`, which name their digest.
fn hash(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let name = match call.name {
        "hash" => text(arguments.get(1).cloned(), "sha1")?,
        "md5" => "md5".to_owned(),
        _ => "sha1".to_owned(),
    };
    digest(&name, &to_bytes(&arguments.value(0))?).map(Value::from)
}

/// Returns the bytes that Ansible hashes: those of the value or of its `str()`.
fn to_bytes(value: &Value) -> Result<Vec<u8>> {
    match value {
        Value::Bytes(bytes) => Ok(bytes.to_vec()),
        other => python::str(other).map(String::into_bytes),
    }
}

/// The default namespace of Ansible's UUIDs.
const NAMESPACE: &str = "361E6D51-FAEC-444A-9079-341386DA8E2E";

/// `to_uuid`: a UUID of version 5.
fn to_uuid(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [namespace]) = arguments.split();
    let namespace = text(namespace, NAMESPACE)?;
    let Some(number) = uuid(&namespace) else {
        return value_error(format!(
            "Invalid value '{namespace}' for 'namespace': badly formed hexadecimal UUID string"
        ));
    };
    let mut whole = number.to_be_bytes().to_vec();
    whole.extend(to_bytes(&value)?);
    let hash = sha1::Sha1::digest(&whole);
    let number =
        hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte));
    // The bits of version 5 and of the variant of RFC 9562.
    let number = number & !(0xf << 76) & !(0x3 << 62) | 5 << 76 | 2 << 62;
    let mut digits = format!("{number:032x}");
    for at in [20, 16, 12, 8] {
        digits.insert(at, '-');
    }
    Ok(Value::from(digits))
}

/// Parses a UUID with or without hyphens, braces and the prefix of a URN.
fn uuid(text: &str) -> Option<u128> {
    let text = text.replace("urn:", "").replace("uuid:", "");
    let digits = text.trim_matches(['{', '}']).replace('-', "");
    let plain = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    u128::from_str_radix(&digits, 16).ok().filter(|_| plain)
}

/// `urlencode`: quotes a string for a path, and pairs for a query.
fn urlencode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let pairs = match &value {
        Value::Dict(dict) => {
            let entries = dict.entries()?.into_iter();
            entries.map(|(key, value)| [key.into_value(), value]).collect()
        }
        _ if is_sequence(&value) || matches!(value, Value::Set(_) | Value::Object(_)) => {
            members(&value)?.iter().map(python::unpack).collect::<Result<Vec<_>>>()?
        }
        other => return Ok(Value::from(url::quote(&python::str(other)?, "/"))),
    };
    let mut query = Vec::new();
    for [key, value] in &pairs {
        query.push(format!("{}={}", quote(key)?, quote(value)?));
    }
    Ok(Value::from(query.join("&")))
}

fn quote(value: &Value) -> Result<String> {
    Ok(url::quote_plus(&python::str(value)?, ""))
}

fn urldecode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    Ok(Value::from(url::unquote_plus(string(&value, "expected a str,")?)))
}

fn urlsplit(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [part, alias]) = arguments.split();
    // The messages name the filter as the caller calls it.
    let alias = text(alias, "urlsplit")?;
    let split = url::split(string(&value, "expected a str,")?)?;
    let parts = [
        ("fragment", Value::text(&*split.fragment)),
        ("hostname", split.hostname().as_deref().map_or(Value::None, Value::text)),
        ("netloc", Value::text(&*split.netloc)),
        ("password", split.password().map_or(Value::None, Value::text)),
        ("path", Value::text(&*split.path)),
        ("port", split.port()?.map_or(Value::None, |port| Value::Int(port.into()))),
        ("query", Value::text(&*split.query)),
        ("scheme", Value::text(&*split.scheme)),
        ("username", split.username().map_or(Value::None, Value::text)),
    ];
    let part = text(part, "")?;
    if part.is_empty() {
        return Ok(Value::Dict(Dict::named(parts)));
    }
    let found = parts.into_iter().find(|(name, _)| *name == part);
    found.map(|(_, value)| value).ok_or_else(|| {
        Exception::of_value(format!("{alias}: unknown URL component: {part}"))
    })
}
