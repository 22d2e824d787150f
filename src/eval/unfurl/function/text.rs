//! Functions of strings: `concat`, `token` and `urljoin`.

use crate::eval::python::url::{quote, quote_plus};
use crate::eval::python::{Class, Exception, Result, Value, limit_bytes, str, truth};
use crate::eval::sensitive;
use crate::eval::unfurl::resource::child;

use super::call::{ExpressionFunction, FunctionCall, function, text_of};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("concat", concat).required(&["items"]).keywords(&["sep"]).top_level(),
    function("token", token).required(&["text", "separator", "index"]).top_level(),
    function("urljoin", join_url).required(&["scheme", "host"])
        .optional(&["port", "path", "query", "fragment"]),
];

/// Implements `concat`: the items of a list as one string.
fn concat(call: &FunctionCall<'_>) -> Result<Value> {
    let Value::List(items) = call.data()? else { return call.data() };
    let separator = match call.keyword("sep")? {
        Some(separator) => text_of(&separator, "sep")?,
        None => String::new(),
    };
    let mut joined = String::new();
    for (at, item) in items.items()?.iter().enumerate() {
        // The result of the call is marked as a whole afterwards.
        let item = str(&sensitive::bare(item))?;
        limit_bytes(joined.len() + separator.len() + item.len())?;
        joined.extend((at > 0).then_some(&*separator));
        joined.push_str(&item);
    }
    Ok(Value::text(joined))
}

/// Implements `token`: one of the parts between separators.
fn token(call: &FunctionCall<'_>) -> Result<Value> {
    let given = call.list()?;
    let [text, separator, index] = given.as_slice() else {
        return Err(Exception::of_type("'token' takes a text, a separator and an index"));
    };
    let (whole, separator) =
        (text_of(text, "a text")?, text_of(separator, "a separator")?);
    if separator.is_empty() {
        return Err(Exception::of_value("empty separator"));
    }
    let Value::Int(index) = index else {
        return Err(Exception::of_type(format!(
            "an index must be an integer, not {}",
            index.type_name()
        )));
    };
    let tokens: Vec<Value> = whole.split(&separator).map(Value::from).collect();
    match child(&Value::list(tokens), &Value::Int(*index))? {
        Some(token) => Ok(token),
        None => Err(Exception::new(Class::Index, "list index out of range")),
    }
}

/// Implements `urljoin`: a URL of its parts; null if all are empty.
fn join_url(call: &FunctionCall<'_>) -> Result<Value> {
    let given = call.arguments()?;
    let part = |at: usize| match given.get(at) {
        Some(value) if truth(value)? => str(value),
        _ => Ok(String::new()),
    };
    let (scheme, host, port) = (part(0)?, part(1)?, part(2)?);
    let (path, query, fragment) = (quote(&part(3)?, "/"), part(4)?, part(5)?);
    if [&scheme, &host, &path, &query, &fragment].iter().all(|part| part.is_empty()) {
        return Ok(Value::None);
    }
    let mut url = if scheme.is_empty() { String::new() } else { format!("{scheme}:") };
    let place = match (&*scheme, &*port) {
        // The default port of the scheme is left out.
        (_, "") | ("http", "80") | ("https", "443") => host,
        _ => format!("{host}:{port}"),
    };
    if !place.is_empty() {
        url.push_str("//");
        url.push_str(&place);
        if !path.is_empty() && !path.starts_with('/') {
            url.push('/');
        }
    }
    url.push_str(&path);
    if !query.is_empty() {
        url.push('?');
        url.push_str(&quote_plus(&query, ""));
    }
    if !fragment.is_empty() {
        url.push('#');
        url.push_str(&quote(&fragment, "/"));
    }
    Ok(Value::text(url))
}
