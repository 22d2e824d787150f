//! Amounts of bytes as people write them, and back.

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::parameter::{flag, given};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Exception, Operator, Result, Value};

/// The letters of the powers of 1024.
const LETTERS: [char; 8] = ['Y', 'Z', 'E', 'P', 'T', 'G', 'M', 'K'];

/// What one of a unit is: 1024 to the power of its letter's place, from behind.
fn size(letter: char) -> Option<BigInt> {
    let letter = letter.to_ascii_uppercase();
    let at = LETTERS.iter().rev().position(|known| *known == letter);
    match (at, letter) {
        (Some(at), _) => Some(BigInt::from(1024).pow(at as u32 + 1)),
        (None, 'B') => Some(BigInt::from(1)),
        (None, _) => None,
    }
}

pub(super) fn filesizeformat(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [binary]) = arguments.split();
    let bytes = python::float(&value)?;
    let binary = flag(binary, false)?;
    let (base, inside) = if binary { (1024.0, "i") } else { (1000.0, "") };
    if bytes == 1.0 {
        return Ok(Value::text("1 Byte"));
    }
    if bytes < base {
        return Ok(Value::from(format!("{} Bytes", bytes.trunc())));
    }
    let prefixes = [if binary { 'K' } else { 'k' }, 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
    let mut unit = base;
    for (at, prefix) in prefixes.into_iter().enumerate() {
        if bytes < unit * base || at + 1 == prefixes.len() {
            return Ok(Value::from(format!("{:.1} {prefix}{inside}B", bytes / unit)));
        }
        unit *= base;
    }
    Ok(Value::None)
}

pub(super) fn human_readable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([amount], [bits, unit]) = arguments.split();
    let base = if flag(bits, false)? { "bits" } else { "Bytes" };
    if !matches!(amount, Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_))
    {
        return Err(Exception::of_type(format!(
            "human_readable() failed on bad input: '>=' not supported between instances of \
             '{}' and 'int'",
            amount.type_name()
        )));
    }
    let wanted = given(unit).map(|unit| python::str(&unit)).transpose()?;
    let wanted = wanted.map(|unit| unit.to_uppercase());
    for letter in LETTERS.into_iter().chain(['B']) {
        let size = Value::integer(size(letter).unwrap_or_default());
        let fits = match &wanted {
            None => python::compare(&amount, &size)?.is_ge(),
            Some(unit) => *unit == letter.to_string(),
        };
        if fits && letter != 'B' {
            let short = base.chars().next().unwrap_or('B');
            return shown(
                &python::binary(Operator::Div, &amount, &size)?,
                &format!("{letter}{short}"),
            );
        }
    }
    shown(&amount, base)
}

fn shown(amount: &Value, unit: &str) -> Result<Value> {
    Ok(Value::from(format!("{:.2} {unit}", python::float(amount)?)))
}

pub(super) fn human_to_bytes(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([amount], [default, bits]) = arguments.split();
    let written = python::str(&amount)?;
    let default = given(default).map(|unit| python::str(&unit)).transpose()?;
    let refuse = |why: String| {
        Exception::of_value(format!("human_to_bytes() can't interpret the input: {why}"))
    };
    let trimmed = written.trim_end();
    let letters = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (digits, unit) = (letters.trim_end(), &trimmed[letters.len()..]);
    let (whole, part) = digits.split_once('.').unwrap_or(("", digits));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if part.is_empty() || !all_digits(whole) || !all_digits(part) {
        return Err(refuse(format!("can't interpret following string: {written}")));
    }
    let number: f64 = digits.parse().unwrap_or(0.0);
    let unit = if unit.is_empty() { default.as_deref() } else { Some(unit) };
    let one = match unit {
        None | Some("") => BigInt::from(1),
        Some(unit) => factor(unit, flag(bits, false)?).map_err(refuse)?,
    };
    let one: f64 = num_traits::ToPrimitive::to_f64(&one).unwrap_or(f64::INFINITY);
    let bytes = (number * one).round_ties_even();
    let bytes = BigInt::from_f64(bytes).ok_or_else(|| refuse("too large".to_owned()))?;
    Ok(Value::integer(bytes))
}

/// How many bytes, or bits, one of a unit is.
fn factor(unit: &str, bits: bool) -> std::result::Result<BigInt, String> {
    let letter = unit.chars().next().unwrap_or(' ');
    let short = if bits { 'b' } else { 'B' };
    let known = "ZETTA YOTTA EXA PETA TERA GIGA MEGA KILO";
    let size = size(letter).ok_or_else(|| {
        format!("the unit {unit} is none of {LETTERS:?} and B ({known})")
    })?;
    if unit.len() == 1 {
        return Ok(size);
    }
    let upper = letter.to_ascii_uppercase();
    let expected = match upper {
        'B' => short.to_string(),
        upper => format!("{upper}{short}"),
    };
    let name = if bits { "bit" } else { "byte" };
    let names = ["", "kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta"];
    let full = names.iter().find(|n| n.starts_with(upper.to_ascii_lowercase()));
    let full = format!("{}{name}", full.unwrap_or(&""));
    if unit == expected || unit.to_lowercase() == full {
        Ok(size)
    } else {
        Err(format!("expect {expected} or {full}, got {unit}"))
    }
}
