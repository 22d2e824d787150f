//! The texts of TXT records, quoted and plain, and the names of addresses for reverse DNS.

use super::ip::Address;
use crate::eval::jinja::filter::parameter::{type_error, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{self, Bound, Exception, Result, Value, limit_bytes};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("community.dns.quote_txt", "quote_txt", &["value"],
        &["always_quote", "character_encoding"], quote_txt),
    Plugin::new("community.dns.reverse_pointer", "reverse_pointer", &["ip"], &[], reverse_pointer),
    Plugin::new("community.dns.unquote_txt", "unquote_txt", &["value"], &["character_encoding"],
        unquote_txt),
];

/// Maximum number of bytes of one string of a TXT record.
const MAX_STRING: usize = 255;

/// The base of the three digits behind a backslash.
#[derive(Clone, Copy)]
enum ByteEscape {
    Decimal,
    Octal,
}

impl ByteEscape {
    fn read(argument: Option<&Value>) -> Result<ByteEscape> {
        let Some(argument) = argument else { return Ok(ByteEscape::Decimal) };
        match argument.as_str() {
            Some("decimal") => Ok(ByteEscape::Decimal),
            Some("octal") => Ok(ByteEscape::Octal),
            _ => value_error(format!(
                "character_encoding must be \"decimal\" or \"octal\", not {}",
                python::repr(argument)?
            )),
        }
    }

    fn name(self) -> &'static str {
        match self {
            ByteEscape::Decimal => "decimal",
            ByteEscape::Octal => "octal",
        }
    }

    fn base(self) -> u16 {
        match self {
            ByteEscape::Decimal => 10,
            ByteEscape::Octal => 8,
        }
    }

    fn written(self, byte: u8) -> String {
        match self {
            ByteEscape::Decimal => format!("\\{byte:03}"),
            ByteEscape::Octal => format!("\\{byte:03o}"),
        }
    }
}

/// Returns the text of an argument, a string or bytes.
fn text_of(value: &Value, filter: &str) -> Result<String> {
    match value {
        Value::Str(text) => Ok(text.to_string()),
        Value::Bytes(bytes) => read_utf8(bytes.to_vec()),
        _ => type_error(format!("Input for community.dns.{filter} must be a string")),
    }
}

fn read_utf8(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Exception::of_value("the text is not UTF-8"))
}

/// `reverse_pointer`: the name of an address for reverse DNS.
fn reverse_pointer(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let text = text_of(&value, "reverse_pointer")?;
    match Address::read(&text) {
        Some(address) => Ok(Value::from(address.reverse_pointer())),
        None => value_error(format!(
            "Cannot parse IP address: {} does not appear to be an IPv4 or IPv6 address",
            python::repr(&Value::from(text))?
        )),
    }
}

/// `quote_txt`: the strings of a TXT record that hold a text.
fn quote_txt(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [always, escape]) = arguments.split();
    let text = text_of(&value, "quote_txt")?;
    let always = match always {
        None => false,
        Some(Value::Bool(always)) => always,
        Some(other) => {
            let other = python::repr(&other)?;
            return type_error(format!("always_quote must be a boolean, not {other}"));
        }
    };
    let escape = ByteEscape::read(escape.as_ref())?;
    limit_bytes(text.len().saturating_mul(4))?;
    let mut strings = Vec::new();
    let mut string = String::new();
    for byte in text.bytes() {
        let written = match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => escape.written(byte),
        };
        // An escape is not split between two strings.
        if string.len() + written.len() > MAX_STRING {
            strings.push(quoted(&std::mem::take(&mut string), always));
        }
        string += &written;
    }
    if !string.is_empty() || strings.is_empty() {
        strings.push(quoted(&string, always));
    }
    Ok(Value::from(strings.join(" ")))
}

fn quoted(string: &str, always: bool) -> String {
    if always || string.is_empty() || string.contains(' ') {
        format!("\"{string}\"")
    } else {
        string.to_owned()
    }
}

/// The place of a byte in the text of a TXT record.
#[derive(Clone, Copy, PartialEq)]
enum TxtPlace {
    Between,
    Quoted,
    Unquoted,
}

/// `unquote_txt`: the text that the strings of a TXT record hold.
fn unquote_txt(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [escape]) = arguments.split();
    let text = text_of(&value, "unquote_txt")?;
    let escape = ByteEscape::read(escape.as_ref())?;
    let mut plain = Vec::new();
    let mut place = TxtPlace::Between;
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let at = text.len() - rest.len();
        match (byte, place) {
            (b' ', TxtPlace::Quoted) => plain.push(b' '),
            (b' ', _) => place = TxtPlace::Between,
            (b'"', TxtPlace::Quoted) => place = TxtPlace::Between,
            (b'"', TxtPlace::Between) => place = TxtPlace::Quoted,
            (b'"', TxtPlace::Unquoted) => {
                return value_error(format!(
                    "Unexpected double quotation mark inside an unquoted block at position {at}"
                ));
            }
            (byte, _) => {
                if place == TxtPlace::Between {
                    place = TxtPlace::Unquoted;
                }
                if *byte == b'\\' {
                    let (byte, length) = escaped(rest, at, escape)?;
                    plain.push(byte);
                    rest = rest.get(length..).unwrap_or_default();
                } else {
                    plain.push(*byte);
                }
            }
        }
    }
    if place == TxtPlace::Quoted {
        return value_error("Missing double quotation mark at the end of value");
    }
    read_utf8(plain).map(Value::from)
}

/// Returns the byte that stands behind a backslash, and the length of its spelling. `at` is
/// the offset behind the backslash.
fn escaped(rest: &[u8], at: usize, escape: ByteEscape) -> Result<(u8, usize)> {
    let Some(first) = rest.first() else {
        return value_error("Unexpected backslash at end of string");
    };
    if matches!(first, b'\\' | b'"') {
        return Ok((*first, 1));
    }
    let kind = escape.name();
    let mut number = 0;
    for (place, ordinal) in ["first", "second", "third"].into_iter().enumerate() {
        let Some(byte) = rest.get(place) else { break };
        let letter = String::from_utf8_lossy(std::slice::from_ref(byte)).into_owned();
        let Some(digit) = char::from(*byte).to_digit(escape.base().into()) else {
            let index = at + place + 1;
            return value_error(match place {
                0 => format!(
                    "A backslash must not be followed by \"{letter}\" (index {index})"
                ),
                _ => format!(
                    "The {ordinal} letter of the {kind} sequence at index {index} is not a \
                     {kind} digit, but \"{letter}\""
                ),
            });
        };
        if rest.len() < 3 {
            return value_error(format!(
                "The {kind} sequence at the end requires {} more digit(s)",
                3 - rest.len()
            ));
        }
        number = number * escape.base() + digit as u16;
    }
    match u8::try_from(number) {
        Ok(byte) => Ok((byte, 3)),
        Err(_) => value_error("bytes must be in range(0, 256)"),
    }
}
