//! `urljoin`: the parts of a URL come in, the URL goes out.

use super::Call;
use crate::eval::python::url::{quote, quote_plus};
use crate::eval::python::{Exception, Result, Value, str, truth};

/// `urljoin`: scheme, host, port, path, query and fragment; null if all are empty.
pub(super) fn join(call: &Call<'_>) -> Result<Value> {
    let given = call.list()?;
    if !(2..=6).contains(&given.len()) {
        return Err(Exception::of_type(format!(
            "urljoin() takes from 2 to 6 arguments but {} were given",
            given.len()
        )));
    }
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
