//! PyYAML's resolver and constructor: a plain scalar → its tag → its value.

use std::sync::{Arc, LazyLock};

use num_bigint::BigInt;

use crate::eval::python::convert::MAX_INT_DIGITS;
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::time::{Date, DateTime, Zone};
use crate::eval::python::{Exception, Result, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Str,
    Null,
    Bool,
    Int,
    Float,
    Timestamp,
    /// `!!merge`: `<<`
    Merge,
    /// `!!value`: `=`
    Value,
}

impl Tag {
    pub fn name(self) -> &'static str {
        match self {
            Tag::Str => "!!str",
            Tag::Null => "!!null",
            Tag::Bool => "!!bool",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Timestamp => "!!timestamp",
            Tag::Merge => "!!merge",
            Tag::Value => "!!value",
        }
    }
}

// The expressions are PyYAML's (`resolver.py`), sexagesimal numbers included.
const FLOAT: &str = r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$";

const INT: &str = r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$";

const TIMESTAMP: &str = r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$";

static NUMBERS: LazyLock<Vec<(Tag, Arc<Pattern>)>> = LazyLock::new(|| {
    let all = [(Tag::Float, FLOAT), (Tag::Int, INT), (Tag::Timestamp, TIMESTAMP)];
    let compiled = |(tag, re)| Some((tag, regex::compile(re, Flags::default()).ok()?));
    all.into_iter().filter_map(compiled).collect()
});

pub fn resolve(text: &str) -> Tag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE"
        | "false" | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => {
            Tag::Bool
        }
        "<<" => Tag::Merge,
        "=" => Tag::Value,
        // PyYAML selects its expressions by the first character; most texts need none.
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c)) => {
            let matches = |re: &Pattern| matches!(re.match_start(text), Ok(Some(_)));
            let found = NUMBERS.iter().find(|(_, re)| matches(re));
            found.map_or(Tag::Str, |(tag, _)| *tag)
        }
        _ => Tag::Str,
    }
}

/// Constructs the value of a scalar. Raises a `ValueError` if the tag has no such value.
pub fn construct(text: &str, tag: Tag) -> Result<Value> {
    match tag {
        Tag::Str | Tag::Merge | Tag::Value => Ok(Value::from(text)),
        Tag::Null => Ok(Value::None),
        Tag::Bool => match &*text.to_lowercase() {
            "yes" | "true" | "on" => Ok(Value::Bool(true)),
            "no" | "false" | "off" => Ok(Value::Bool(false)),
            _ => Err(invalid("bool", text)),
        },
        Tag::Int => integer(text).ok_or_else(|| invalid("int", text)),
        Tag::Float => float(text).ok_or_else(|| invalid("float", text)),
        Tag::Timestamp => timestamp(text),
    }
}

fn invalid(kind: &str, text: &str) -> Box<Exception> {
    Exception::of_value(format!("invalid {kind}: '{text}'"))
}

/// Returns true for a minus sign, and the text without sign and underscores.
fn signed(text: &str) -> (bool, String) {
    let text = text.replace('_', "");
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(&text);
    (text.starts_with('-'), unsigned.to_owned())
}

fn integer(text: &str) -> Option<Value> {
    let (negative, digits) = signed(text);
    let read = |digits: &str, radix| BigInt::parse_bytes(digits.as_bytes(), radix);
    let number = match digits.as_bytes() {
        [b'0'] => BigInt::ZERO,
        [b'0', b'b', ..] => read(&digits[2..], 2)?,
        [b'0', b'x', ..] => read(&digits[2..], 16)?,
        // A leading zero means octal in YAML 1.1.
        [b'0', ..] => read(&digits, 8)?,
        // Python refuses it, since reading takes quadratic time.
        decimal if decimal.len() > MAX_INT_DIGITS => return None,
        _ => digits
            .split(':')
            .try_fold(BigInt::ZERO, |sum, part| Some(sum * 60 + read(part, 10)?))?,
    };
    Some(Value::integer(if negative { -number } else { number }))
}

fn float(text: &str) -> Option<Value> {
    let (negative, digits) = signed(&text.to_lowercase());
    let number = match &*digits {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ if digits.contains(':') => digits
            .split(':')
            .map(|part| part.parse::<f64>().ok())
            .try_fold(0.0, |sum, part| Some(sum * 60.0 + part?))?,
        digits if digits.bytes().any(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some(Value::Float(if negative { -number } else { number }))
}

fn timestamp(text: &str) -> Result<Value> {
    let error = || invalid("timestamp", text);
    let number = |text: &str| text.parse::<i64>().map_err(|_| error());
    let end = text.find(|c: char| "Tt \t".contains(c)).unwrap_or(text.len());
    let (date, time) = text.split_at(end);
    let parts: Vec<i64> = date.split('-').map(number).collect::<Result<_>>()?;
    let [year, month, day] = parts[..] else { return Err(error()) };
    let date = Date::new(year, month, day)?;
    if time.is_empty() {
        return Ok(Value::object(date));
    }
    let time = time.trim_start_matches(|c: char| "Tt \t".contains(c));
    let end = time.find(|c: char| !(c.is_ascii_digit() || ":.".contains(c)));
    let (clock, zone) = time.split_at(end.unwrap_or(time.len()));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let parts: Vec<i64> = clock.split(':').map(number).collect::<Result<_>>()?;
    let [hour, minute, second] = parts[..] else { return Err(error()) };
    // Digits beyond the sixth are cut off.
    let micro = number(&format!("{fraction:0<6.6}"))?;
    let zone = match zone.trim_start() {
        "" => None,
        "Z" => Some(Zone::utc()),
        zone => {
            let Some(east) = zone.strip_prefix(['-', '+']) else { return Err(error()) };
            let (hours, minutes) = east.split_once(':').unwrap_or((east, "0"));
            let hours = number(hours)?;
            let minutes = number(minutes)?;
            // The expression allows two digits; other callers may pass more.
            if hours > 99 || minutes > 99 {
                return Err(error());
            }
            let seconds = (hours * 60 + minutes) * 60;
            Some(Zone::offset(if zone.starts_with('-') { -seconds } else { seconds })?)
        }
    };
    Ok(Value::object(DateTime::new(date, [hour, minute, second, micro], zone)?))
}
