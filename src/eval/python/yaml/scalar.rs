//! PyYAML's resolver and constructor: a plain scalar → its tag → its value.

use std::sync::{Arc, LazyLock};

use num_bigint::BigInt;

use crate::eval::python::convert::MAX_INT_DIGITS;
use crate::eval::python::regex::{self, Flags, Pattern};
use crate::eval::python::time::{Date, DateTime, Zone};
use crate::eval::python::{Exception, Result, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YamlTag {
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

impl YamlTag {
    pub fn name(self) -> &'static str {
        match self {
            YamlTag::Str => "!!str",
            YamlTag::Null => "!!null",
            YamlTag::Bool => "!!bool",
            YamlTag::Int => "!!int",
            YamlTag::Float => "!!float",
            YamlTag::Timestamp => "!!timestamp",
            YamlTag::Merge => "!!merge",
            YamlTag::Value => "!!value",
        }
    }
}

// The expressions are PyYAML's (`resolver.py`), sexagesimal numbers included.
const FLOAT: &str = r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$";

const INT: &str = r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$";

const TIMESTAMP: &str = r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$";

static NUMBERS: LazyLock<Vec<(YamlTag, Arc<Pattern>)>> = LazyLock::new(|| {
    let all =
        [(YamlTag::Float, FLOAT), (YamlTag::Int, INT), (YamlTag::Timestamp, TIMESTAMP)];
    let all =
        all.map(|(tag, re)| Some((tag, regex::compile(re, Flags::default()).ok()?)));
    all.into_iter().flatten().collect()
});

pub fn resolve(text: &str) -> YamlTag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => YamlTag::Null,
        "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE"
        | "false" | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => {
            YamlTag::Bool
        }
        "<<" => YamlTag::Merge,
        "=" => YamlTag::Value,
        // PyYAML selects its expressions by the first character; most texts need none.
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c)) => {
            let mut numbers = NUMBERS.iter();
            let found =
                numbers.find(|(_, re)| matches!(re.match_start(text), Ok(Some(_))));
            found.map_or(YamlTag::Str, |(tag, _)| *tag)
        }
        _ => YamlTag::Str,
    }
}

/// Constructs the value of a scalar. Raises a `ValueError` if the tag has no such value.
pub fn construct(text: &str, tag: YamlTag) -> Result<Value> {
    match tag {
        YamlTag::Str | YamlTag::Merge | YamlTag::Value => Ok(Value::from(text)),
        YamlTag::Null => Ok(Value::None),
        YamlTag::Bool => match &*text.to_lowercase() {
            "yes" | "true" | "on" => Ok(Value::Bool(true)),
            "no" | "false" | "off" => Ok(Value::Bool(false)),
            _ => Err(invalid("bool", text)),
        },
        YamlTag::Int => integer(text).ok_or_else(|| invalid("int", text)),
        YamlTag::Float => float(text).ok_or_else(|| invalid("float", text)),
        YamlTag::Timestamp => timestamp(text),
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
    let number = match digits.as_bytes() {
        [b'0'] => BigInt::ZERO,
        [b'0', b'b', binary @ ..] => BigInt::parse_bytes(binary, 2)?,
        [b'0', b'x', hex @ ..] => BigInt::parse_bytes(hex, 16)?,
        // A leading zero means octal in YAML 1.1.
        octal @ [b'0', ..] => BigInt::parse_bytes(octal, 8)?,
        // Python refuses it, since reading takes quadratic time.
        decimal if decimal.len() > MAX_INT_DIGITS => return None,
        decimal => {
            decimal.split(|b| *b == b':').try_fold(BigInt::ZERO, |sum, part| {
                Some(sum * 60 + BigInt::parse_bytes(part, 10)?)
            })?
        }
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
    parse_timestamp(text)?.ok_or_else(|| invalid("timestamp", text))
}

/// Returns `None` for a text that is no timestamp. Raises a `ValueError` if there is no such
/// time.
fn parse_timestamp(text: &str) -> Result<Option<Value>> {
    let end = text.find(|c: char| "Tt \t".contains(c)).unwrap_or(text.len());
    let (date, time) = text.split_at(end);
    let Some([year, month, day]) = three_numbers(date, '-') else { return Ok(None) };
    let date = Date::new(year, month, day)?;
    if time.is_empty() {
        return Ok(Some(Value::object(date)));
    }
    let time = time.trim_start_matches(|c: char| "Tt \t".contains(c));
    let end = time.find(|c: char| !(c.is_ascii_digit() || ":.".contains(c)));
    let (clock, zone) = time.split_at(end.unwrap_or(time.len()));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let Some([hour, minute, second]) = three_numbers(clock, ':') else { return Ok(None) };
    // Digits beyond the sixth are cut off.
    let Ok(micro) = format!("{fraction:0<6.6}").parse() else { return Ok(None) };
    let zone = match zone.trim_start() {
        "" => None,
        "Z" => Some(Zone::utc()),
        zone => {
            let Some(east) = zone.strip_prefix(['-', '+']) else { return Ok(None) };
            let (hours, minutes) = east.split_once(':').unwrap_or((east, "0"));
            let (Ok(hours), Ok(minutes)) = (hours.parse::<i64>(), minutes.parse::<i64>())
            else {
                return Ok(None);
            };
            // The expression allows two digits; other callers may pass more.
            if hours > 99 || minutes > 99 {
                return Ok(None);
            }
            let seconds = (hours * 60 + minutes) * 60;
            Some(Zone::offset(if zone.starts_with('-') { -seconds } else { seconds })?)
        }
    };
    Ok(Some(Value::object(DateTime::new(date, [hour, minute, second, micro], zone)?)))
}

fn three_numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let parts = text.split(separator).map(|part| part.parse().ok());
    parts.collect::<Option<Vec<_>>>()?.try_into().ok()
}
