//! Functions of strings: `str_replace`, its strict variants and `Fn::Replace`, which replace
//! placeholders in a text; `str_split`, `Fn::Split` and `digest`; `make_url`, which builds a
//! URL from its parts.

use crate::eval::python::url::{Url, quote, quote_plus};
use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, Key, Result, Value, encode, hashlib,
    limit_bytes,
};
use crate::hot::exception::replacing;
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

use super::collection::{items_of_list, json};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("Fn::Replace", |c, s| replace(c, s, &placed(c)?, SCALARS)).until(Version::Icehouse)
        .check(|c| check(c, &placed(c)?)),
    function("str_replace", |c, s| replace(c, s, &named(c)?, SCALARS))
        .takes(&["params", "template"], &[]).until(Version::Kilo).check(|c| check(c, &named(c)?)),
    function("str_replace", |c, s| replace(c, s, &named(c)?, ANY)).takes(&["params", "template"], &[])
        .since(Version::Liberty).check(|c| check(c, &named(c)?)),
    function("str_replace_strict", |c, s| replace(c, s, &named(c)?, STRICT))
        .takes(&["params", "template"], &[]).since(Version::Ocata).check(|c| check(c, &named(c)?)),
    function("str_replace_vstrict", |c, s| replace(c, s, &named(c)?, VERY_STRICT))
        .takes(&["params", "template"], &[]).since(Version::Pike).check(|c| check(c, &named(c)?)),
    function("Fn::Split", plain_split).until(Version::Icehouse)
        .check(|c| pair_of(c, "\"{}\" : [ \",\", \"str1,str2\"]]").map(drop)),
    function("digest", digest).since(Version::Kilo),
    function("make_url", make_url).takes(&[], &PARTS).since(Version::Pike).validate(validate_url),
    function("str_split", split).since(Version::Liberty).check(check_split),
];

/// The requirements of a variant of `str_replace`.
#[derive(Clone, Copy)]
struct Strictness {
    /// True if mappings and lists are allowed as values. They are written as JSON.
    json: bool,
    /// True if every placeholder must occur in the text.
    strict: bool,
    /// True if every value must be non-empty.
    full: bool,
}

const SCALARS: Strictness = Strictness { json: false, strict: false, full: false };
const ANY: Strictness = Strictness { json: true, ..SCALARS };
const STRICT: Strictness = Strictness { strict: true, ..ANY };
const VERY_STRICT: Strictness = Strictness { full: true, ..STRICT };

/// Returns the unresolved mapping and text of `str_replace`.
fn named(call: &IntrinsicCall) -> Result<[Value; 2]> {
    let name = call.name();
    let (values, []) = call.bind(&format!(
        "\"{name}\" syntax should be {name}:\n              \
         template: This is var1 template var2\n              \
         params:\n                var1: a\n                var2: string"
    ))?;
    Ok(values)
}

/// Returns the unresolved mapping and text of `Fn::Replace`.
fn placed(call: &IntrinsicCall) -> Result<[Value; 2]> {
    let pair = "[ {\"$var1\": \"foo\", \"%var2%\": \"bar\"}, \"$var1 is %var2%\"]";
    pair_of(call, &format!("{{\"{}\": {pair}}}", call.name()))
}

fn check(call: &IntrinsicCall, [params, _]: &[Value; 2]) -> Result<()> {
    match params {
        Value::Dict(_) => Ok(()),
        params if IntrinsicCall::of(params).is_some() => Ok(()),
        _ => Err(call.type_error("\"{}\" parameters must be a mapping")),
    }
}

fn replace(
    call: &IntrinsicCall,
    stack: &Stack,
    [params, template]: &[Value; 2],
    rule: Strictness,
) -> Result<Value> {
    let template = stack.resolve(template)?;
    let params = stack.resolve(params)?;
    if rule.strict {
        // Heat makes a set of the placeholders first, which fails for unhashable items
        // before the types are checked.
        python::iterate(&params)?
            .into_iter()
            .try_for_each(|key| Key::new(key).map(drop))?;
    }
    let template = call.text(&template, "\"{}\" template must be a string")?;
    let params = call.map(&params, "\"{}\" params must be a map")?;
    // Text stands at even indices, what was inserted for a placeholder between it: that is
    // not searched again.
    let mut parts = vec![template.to_string()];
    let mut missing = Vec::new();
    let mut size = 0;
    for key in longest_first(params)? {
        let value = params.get(&Key::new(key.clone())?)?.unwrap_or(Value::None);
        let key = call.text(&key, "\"{}\" param placeholders must be strings")?;
        let value = replacement(call, key, &value, rule)?;
        // Python's `split` refuses an empty separator.
        if key.is_empty() {
            return Err(Exception::of_value("empty separator"));
        }
        stack.context.spend(parts.len() as u64)?;
        stack.context.spend_bytes(template.len())?;
        let before = parts.len();
        parts = substitute(parts, key, &value, &mut size)?;
        // No piece was split: the placeholder does not occur.
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
    Ok(Value::from(parts.concat()))
}

/// Returns the placeholders, longer ones first, so that `$ab` is replaced before `$a`.
/// Those of equal length are sorted.
fn longest_first(params: &Dict) -> Result<Vec<Value>> {
    let keys = python::sort(params.keys(), false)?;
    let mut keys = keys
        .into_iter()
        .map(|key| Ok((python::length(&key)?, key)))
        .collect::<Result<Vec<_>>>()?;
    keys.sort_by(|(a, _), (b, _)| b.cmp(a));
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Replaces a placeholder in all pieces that are text. `size` counts the inserted bytes.
fn substitute(
    parts: Vec<String>,
    key: &str,
    value: &str,
    size: &mut usize,
) -> Result<Vec<String>> {
    let mut next = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        if at % 2 == 1 {
            next.push(part);
            continue;
        }
        for (i, piece) in part.split(key).enumerate() {
            if i > 0 {
                next.push(value.to_owned());
                *size += value.len();
                limit_bytes(*size)?;
            }
            next.push(piece.to_owned());
        }
    }
    Ok(next)
}

fn replacement(
    call: &IntrinsicCall,
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
            return Err(Exception::of_type(format!(
                "\"{name}\" params must be strings or numbers, param {key} is not valid"
            )));
        }
        Value::List(_) | Value::Dict(_) if rule.full && !python::truth(value)? => {
            String::new()
        }
        Value::List(_) | Value::Dict(_) => match json(value) {
            Err(wrong) if wrong.class == Class::Type => {
                return Err(Exception::of_type(format!(
                    "\"{name}\" params must be strings, numbers, list or map. \
                     Failed to json serialize {}",
                    python::str(value)?
                )));
            }
            written => written?,
        },
        _ => {
            let message = "\"{}\" params must be strings, numbers, list or map.";
            return Err(call.type_error(message));
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

/// `hashlib.algorithms_available` with OpenSSL 3.
#[rustfmt::skip]
const AVAILABLE: [&str; 19] = [
    "blake2b", "blake2s", "md5", "md5-sha1", "ripemd160", "sha1", "sha224", "sha256", "sha384", "sha3_224",
    "sha3_256", "sha3_384", "sha3_512", "sha512", "sha512_224", "sha512_256", "shake_128", "shake_256", "sm3",
];

/// Checks `str_split: [delimiter, text, index]`; the index is optional.
fn check_split(call: &IntrinsicCall) -> Result<()> {
    match &call.arguments {
        Value::Str(_) | Value::Dict(_) => Err(call.incorrect(Class::Type, SPLIT_EXAMPLE)),
        _ => Ok(()),
    }
}

const SPLIT_EXAMPLE: &str = "\"{}\" : [ \",\", \"apples,pears\", <index>]";

fn split(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    // Heat resolves the whole argument at once, so it may be a call that returns the
    // list.
    let parts = items_of_list(stack.resolve(&call.arguments)?)?;
    let [delimiter, text, index @ ..] = &parts[..] else {
        return Err(call.incorrect(Class::Value, SPLIT_EXAMPLE));
    };
    if matches!(text, Value::None) {
        return Ok(Value::None);
    }
    let split = python::call_method(text, "split", Arguments::of([delimiter.clone()]))?;
    let Some(index) = index.first() else { return Ok(split) };
    let index = python::int(index).map_err(replacing(&[Class::Value], |_| {
        let message = format!("Incorrect index to \"{{}}\" should be: {SPLIT_EXAMPLE}");
        call.value_error(&message)
    }))?;
    python::item(&split, &index).map_err(replacing(&[Class::Index], |_| {
        let last = python::length(&split).unwrap_or_default() as i64 - 1;
        let message = "Incorrect index to \"{}\" should be between 0 and";
        call.value_error(&format!("{message} {last}"))
    }))
}

/// Returns the two items of the argument, which is neither a string nor a mapping.
fn pair_of(call: &IntrinsicCall, example: &str) -> Result<[Value; 2]> {
    if let Value::Str(_) | Value::Dict(_) = &call.arguments {
        return Err(call.incorrect(Class::Type, example));
    }
    python::unpack(&call.arguments)
        .map_err(replacing(&[Class::Value], |_| call.incorrect(Class::Value, example)))
}

fn plain_split(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [delimiter, text] = python::unpack(&call.arguments)?;
    let text = stack.resolve(&text)?;
    call.text(&delimiter, "Delimiter for {} must be string")?;
    let Value::Str(_) = text else {
        return Err(Exception::of_type_of(
            &text,
            "String to split must be string; got <class '{}'>",
        ));
    };
    python::call_method(&text, "split", Arguments::of([delimiter]))
}

fn digest(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let arguments = call.items(&stack.resolve(&call.arguments)?, NOT_STRINGS)?;
    if !arguments.iter().all(|argument| matches!(argument, Value::Str(_))) {
        return Err(call.type_error(NOT_STRINGS));
    }
    let [Value::Str(algorithm), Value::Str(text)] = &arguments[..] else {
        let usage = "Function \"{}\" usage: [\"<algorithm>\", \"<value>\"]";
        return Err(call.value_error(usage));
    };
    if !AVAILABLE.contains(&&*algorithm.to_lowercase()) {
        let known = AVAILABLE.map(|name| format!("'{name}'")).join(", ");
        return Err(Exception::of_value(format!("Algorithm must be one of {{{known}}}")));
    }
    // An estimate: a digest reads about 16 bytes in the time of one step.
    stack.context.spend(text.len() as u64 >> 4)?;
    hashlib::digest(algorithm, &encode(text, "latin-1", "strict")?).map(Value::from)
}

const NOT_STRINGS: &str = "Argument to function \"{}\" must be a list of strings";

/// Parts of a URL, in the order in which Heat checks them.
const PARTS: [&str; 8] =
    ["scheme", "username", "password", "host", "port", "path", "query", "fragment"];

fn validate_url(call: &IntrinsicCall, stack: &Stack) -> Result<()> {
    stack.validate_arguments(call)?;
    let parts = call.map(&call.arguments, "The arguments to \"{}\" must be a map")?;
    let unknown = call.unknown_names();
    if !unknown.is_empty() {
        let unknown = python::join(&", ".into(), &Value::list(unknown))?;
        let message = format!("Invalid arguments to \"{}\": {}", call.name(), &*unknown);
        return Err(call.with_name_hint(Exception::of_value(message)));
    }
    check_url(call, parts)
}

/// Checks the type of every part. Raises a `TypeError`, or a `ValueError` for the port.
fn check_url(call: &IntrinsicCall, parts: &Dict) -> Result<()> {
    for name in PARTS {
        let Some(part) = parts.get_text(name)? else { continue };
        let is_call = IntrinsicCall::of(&part).is_some();
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

fn check_port(call: &IntrinsicCall, port: &Value, parts: &Dict) -> Result<()> {
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

fn make_url(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let parts = match stack.resolve(&call.arguments)? {
        Value::Dict(parts) => parts,
        other => return Err(python::no_attribute(&other, "get")),
    };
    check_url(call, &parts)?;
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
    let shows_netloc = !url.scheme.is_empty()
        && USES_NETLOC.contains(&&*url.scheme)
        && !url.path.starts_with("//");
    Ok(Value::from(url.unsplit(shows_netloc)))
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
    let name = quote(&text(parts, "username")?, "");
    let password = quote(&text(parts, "password")?, "");
    let user = match (name, password) {
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
    let mut pairs = Vec::new();
    for (key, value) in query.entries()? {
        let key = quote_plus(&python::str(key.value())?, "");
        pairs.push(format!("{key}={}", quote_plus(&python::str(&value)?, "")));
    }
    // Heat leaves slashes in a query readable.
    Ok(pairs.join("&").replace("%2F", "/"))
}
