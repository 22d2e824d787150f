//! Texts and markup: escaping, tags, links, attributes.

use std::collections::HashMap;
use std::sync::LazyLock;

use entities::ENTITIES;

use super::parameter::{flag, method, string};
use crate::eval::jinja::{CallSite, is_undefined};
use crate::eval::python::{self, Bound, Exception, Result, Stamp, Str, Value};

/// A text that is not escaped again.
pub(crate) fn markup(text: String) -> Value {
    Value::Str(Str::stamped(text, Stamp { markup: true, ..Stamp::default() }))
}

/// `escape(value)`: markup as it is, every other value as text that shows it.
pub(super) fn escape(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) if text.is_markup() => Ok(Value::Str(text)),
        other => Ok(markup(python::escape(&python::str(&other)?))),
    }
}

/// The same for markup, too.
pub(super) fn forceescape(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    Ok(markup(python::escape(&python::str(&value)?)))
}

pub(super) fn safe(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(markup(python::str(&arguments.only())?))
}

pub(super) fn striptags(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    let text = without(&without(&value, "<!--", "-->"), "<", ">");
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(Value::from(unescape(&words.join(" "))))
}

/// A text without everything from an opening mark to the closing one.
fn without(text: &str, open: &str, close: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, inside)) = rest.split_once(open) {
        let Some((_, after)) = inside.split_once(close) else { break };
        out.push_str(before);
        rest = after;
    }
    out + rest
}

/// A text with the characters that its references stand for, as a browser reads them.
fn unescape(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match reference(after) {
            Some((characters, length)) => {
                out.push_str(&characters);
                rest = after.get(length..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

/// The longest name of a reference, with its semicolon.
const NAME: usize = 33;

/// What named references stand for, by what follows `&`.
static CHARACTERS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let entry =
        |entity: &entities::Entity| Some((entity.entity.get(1..)?, entity.characters));
    ENTITIES.iter().filter_map(entry).collect()
});

/// What the reference at the start of a text stands for, and how many bytes it takes.
fn reference(text: &str) -> Option<(String, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix, marks) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 2),
            None => (number, 10, 1),
        };
        let length =
            digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
        let digits = digits.get(..length).filter(|digits| !digits.is_empty())?;
        let ends = usize::from(text.as_bytes().get(marks + length) == Some(&b';'));
        let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
        return Some((character(code), marks + length + ends));
    }
    let longest = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(NAME);
    let longest = longest.collect::<Vec<_>>().into_iter().rev();
    longest.into_iter().find_map(|end| {
        let characters = CHARACTERS.get(text.get(..end)?)?;
        Some(((*characters).to_owned(), end))
    })
}

/// What browsers show for a number; those from 128 to 159 mean what Windows means by them.
fn character(code: u32) -> String {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}',
        'Ž', '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›',
        'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match code {
        0 => '\u{fffd}'.to_string(),
        0x80..=0x9f => WINDOWS[code as usize - 0x80].to_string(),
        1..=8 | 0xe..=0x1f | 0xb | 0x7f | 0xfdd0..=0xfdef => String::new(),
        code if code & 0xfffe == 0xfffe && code <= 0x0010_ffff => String::new(),
        code => char::from_u32(code).unwrap_or('\u{fffd}').to_string(),
    }
}

pub(super) fn xmlattr(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [space]) = arguments.split();
    let mut out = String::new();
    for pair in python::iterate(&method(&value, "items", [])?)? {
        let [key, value] = python::unpack(&pair)?;
        if matches!(value, Value::None) || is_undefined(&value) {
            continue;
        }
        let key = string(&key, "expected string or bytes-like object,")?;
        if key.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=')) {
            let shown = python::repr(&Value::text(key))?;
            let message = format!("Invalid character in attribute name: {shown}");
            return Err(Exception::of_value(message));
        }
        let value = match &value {
            Value::Str(text) if text.is_markup() => text.to_string(),
            other => python::escape(&python::str(other)?),
        };
        out.push_str(&format!(" {}=\"{value}\"", python::escape(key)));
    }
    let spaced = flag(space, true)?;
    Ok(Value::from(
        out.get(usize::from(!spaced && !out.is_empty())..).unwrap_or_default(),
    ))
}
