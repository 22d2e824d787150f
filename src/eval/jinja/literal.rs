//! Python's literals: strings with escapes, and the values of the `#jinja2:` header.

use crate::eval::python::literal::simple_escape;
use crate::eval::python::{Class, Exception, Result, Value};

/// Resolves the escapes of a string without its quotes.
pub(super) fn unescape(text: &str) -> Result<String> {
    if !text.contains('\\') {
        return Ok(text.to_owned());
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + 1..).unwrap_or_default();
        rest = escape(rest, &mut out)?;
    }
    out.push_str(rest);
    Ok(out)
}

/// Resolves what follows a backslash. Returns the rest.
fn escape<'t>(text: &'t str, out: &mut String) -> Result<&'t str> {
    let Some(c) = text.chars().next() else {
        out.push('\\');
        return Ok(text);
    };
    let rest = text.get(c.len_utf8()..).unwrap_or_default();
    let simple = match c {
        '\n' => return Ok(rest),
        '\\' | '\'' | '"' => c,
        'x' => return number(rest, 2, out),
        'u' => return number(rest, 4, out),
        'U' => return number(rest, 8, out),
        '0'..='7' => {
            let octal = |b: &u8| (b'0'..=b'7').contains(b);
            let count = text.bytes().take(3).take_while(octal).count();
            let (digits, rest) = text.split_at(count);
            let code = u32::from_str_radix(digits, 8).unwrap_or_default();
            out.extend(char::from_u32(code));
            return Ok(rest);
        }
        other => simple_escape(other).unwrap_or_else(|| {
            out.push('\\');
            other
        }),
    };
    out.push(simple);
    Ok(rest)
}

fn number<'t>(text: &'t str, digits: usize, out: &mut String) -> Result<&'t str> {
    let code = text.get(..digits).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    let c = code.and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
    match c {
        Some(c) => out.push(c),
        None => {
            let message = "a string ends within an escape, or the escape is no character";
            return Err(Exception::new(Class::Syntax, message));
        }
    }
    Ok(text.get(digits..).unwrap_or_default())
}

/// Splits a text at separators outside of quotes.
pub(super) fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    for (at, c) in text.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == separator => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
            }
            None => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Parses a string, a bool or None.
pub(super) fn literal(text: &str) -> Result<Value> {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    match (text, quoted('\'').or_else(|| quoted('"'))) {
        (_, Some(inner)) => Ok(Value::text(unescape(inner)?)),
        ("True", _) => Ok(Value::Bool(true)),
        ("False", _) => Ok(Value::Bool(false)),
        ("None", _) => Ok(Value::None),
        _ => Err(Exception::new(Class::Syntax, format!("'{text}' is no Python literal"))),
    }
}
