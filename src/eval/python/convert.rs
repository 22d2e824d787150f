//! `int()` and `float()`, and the texts of numbers that they read.

use num_bigint::BigInt;
use num_traits::Num;

use super::character::{is_decimal, is_space};
use super::float::parts;
use super::{Exception, Number, Result, Value, repr};

/// Maximum number of digits of an integer, `sys.int_info.default_max_str_digits`.
pub(in crate::eval) const MAX_INT_DIGITS: usize = 4300;

/// `int(value)`. Raises a `TypeError` for other types, a `ValueError` for other texts.
pub fn int(value: &Value) -> Result<Value> {
    match (Number::of(value), value) {
        (Some(number), _) => number.whole().map(Value::integer),
        (None, Value::Str(text)) => parse_int(text, 10),
        (None, Value::Bytes(bytes)) => parse_int(&String::from_utf8_lossy(bytes), 10),
        (None, Value::Lazy(lazy)) => int(&lazy.force()?),
        (None, other) => Err(Exception::of_type_of(
            other,
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        )),
    }
}

/// `float(value)`. Raises a `TypeError` for other types, a `ValueError` for other texts.
pub fn float(value: &Value) -> Result<f64> {
    match (Number::of(value), value) {
        (Some(number), _) => number.float(),
        (None, Value::Str(text)) => parse_float(text),
        (None, Value::Bytes(bytes)) => parse_float(&String::from_utf8_lossy(bytes)),
        (None, Value::Lazy(lazy)) => float(&lazy.force()?),
        (None, other) => {
            let message = "float() argument must be a string or a real number, not '{}'";
            Err(Exception::of_type_of(other, message))
        }
    }
}

/// `hash(x)` of a float as an unsigned 64-bit integer: `x` modulo the prime 2**61 - 1.
pub fn float_hash(x: f64) -> u64 {
    const BITS: i32 = 61;
    const PRIME: u64 = (1 << BITS) - 1;
    if !x.is_finite() {
        return if x.is_nan() {
            // Python hashes the identity of a NaN, which is no property of the value.
            0
        } else if x > 0.0 {
            314_159
        } else {
            314_159u64.wrapping_neg()
        };
    }
    // 2**61 is 1 modulo the prime, so that multiplying by a power of two is a rotation.
    let (whole, exponent) = parts(x);
    let turn = exponent.rem_euclid(BITS);
    let hash =
        (whole << turn & PRIME) | whole.checked_shr((BITS - turn) as u32).unwrap_or(0);
    match (hash % PRIME, x < 0.0) {
        (hash, false) => hash,
        // -1 reports an error in CPython, so that no hash is -1.
        (1, true) => 2u64.wrapping_neg(),
        (hash, true) => hash.wrapping_neg(),
    }
}

/// `int(text, base)`. Raises a `ValueError` for a base that is not 0 or from 2 to 36, or
/// text that is no integer in it.
pub fn parse_int(text: &str, base: i64) -> Result<Value> {
    if base != 0 && !(2..=36).contains(&base) {
        return Err(Exception::of_value("int() base must be >= 2 and <= 36, or 0"));
    }
    let refuse = || {
        let text = repr(&Value::text(text)).unwrap_or_default();
        Exception::of_value(format!("invalid literal for int() with base {base}: {text}"))
    };
    let text = plain(text);
    let (negative, unsigned) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, &*text),
    };
    let (radix, digits) = prefixed(unsigned, base as u32).ok_or_else(refuse)?;
    let digits = joined(digits, |c| c.is_digit(radix)).ok_or_else(refuse)?;
    // Bases that are powers of two convert in linear time, so Python does not limit them.
    if digits.len() > MAX_INT_DIGITS && !radix.is_power_of_two() {
        return Err(Exception::of_value(format!(
            "Exceeds the limit ({MAX_INT_DIGITS} digits) for integer string conversion: value has {} \
             digits; use sys.set_int_max_str_digits() to increase the limit",
            digits.len()
        )));
    }
    let number = BigInt::from_str_radix(&digits, radix).map_err(|_| refuse())?;
    Ok(Value::integer(if negative { -number } else { number }))
}

/// Returns the base of digits, and the digits after their prefix (`0x`, `0o`, `0b`).
fn prefixed(text: &str, base: u32) -> Option<(u32, &str)> {
    for (mark, own) in [('x', 16), ('o', 8), ('b', 2)] {
        let rest = text
            .strip_prefix('0')
            .and_then(|rest| rest.strip_prefix([mark, mark.to_ascii_uppercase()]));
        if let Some(rest) = rest.filter(|_| base == own || base == 0) {
            return Some((own, rest.strip_prefix('_').unwrap_or(rest)));
        }
    }
    match base {
        // In base 0 a leading zero, which means octal in C, is refused before other
        // digits.
        0 if text.starts_with('0') && text.contains(|c| !matches!(c, '0' | '_')) => None,
        0 => Some((10, text)),
        base => Some((base, text)),
    }
}

/// `float(text)`. Raises a `ValueError` for text that is no number.
pub(super) fn parse_float(text: &str) -> Result<f64> {
    let refuse = || {
        let text = repr(&Value::text(text)).unwrap_or_default();
        Exception::of_value(format!("could not convert string to float: {text}"))
    };
    let text = plain(text);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let written = match &*unsigned.to_ascii_lowercase() {
        "inf" | "infinity" | "nan" => Some(text.to_string()),
        _ => decimal(unsigned).map(|digits| {
            if text.starts_with('-') { format!("-{digits}") } else { digits }
        }),
    };
    written.and_then(|text| text.parse().ok()).ok_or_else(refuse)
}

/// Normalizes a decimal number to digits with a point, without underscores.
fn decimal(text: &str) -> Option<String> {
    let digits = |text: &str| {
        if text.is_empty() {
            Some(String::new())
        } else {
            joined(text, |c| c.is_ascii_digit())
        }
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = digits(whole)?;
    let part = digits(part)?;
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let exponent = match exponent {
        None => String::new(),
        Some(exponent) => {
            let bare = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let sign = if exponent.starts_with('-') { "-" } else { "" };
            format!("e{sign}{}", joined(bare, |c| c.is_ascii_digit())?)
        }
    };
    Some(format!("{whole}.{part}0{exponent}"))
}

/// Trims a text, and replaces digits of other scripts by those of ASCII.
fn plain(text: &str) -> String {
    let digit = |c: char| {
        if c.is_ascii() {
            c
        } else {
            digit(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
        }
    };
    text.trim_matches(is_space).chars().map(digit).collect()
}

/// Returns the value of a decimal digit of any script.
pub fn digit(c: char) -> Option<u32> {
    // Unicode puts the ten digits of a script side by side, from 0 to 9. Some ranges hold
    // several sets of ten (mathematical digits), hence the remainder.
    let before = (0..c as u32).rev().map(char::from_u32);
    let before = before.take_while(|c| c.is_some_and(is_decimal));
    is_decimal(c).then(|| before.count() as u32 % 10)
}

/// Removes single underscores between digits.
fn joined(text: &str, is_digit: impl Fn(char) -> bool) -> Option<String> {
    let fits = !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
    let digits = text.replace('_', "");
    (fits && !digits.is_empty() && digits.chars().all(is_digit)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_python_reads() {
        let int = |text: &str, base| {
            parse_int(text, base).map(|x| repr(&x).unwrap_or_default())
        };
        for (text, base, expected) in [
            (" 1_000 ", 10, "1000"),
            ("-5", 10, "-5"),
            ("0x1F", 16, "31"),
            ("0o17", 0, "15"),
            ("٣", 10, "3"),
            ("z", 36, "35"),
            ("99999999999999999999", 10, "99999999999999999999"),
        ] {
            assert_eq!(int(text, base).as_deref(), Ok(expected));
        }
        for (text, base) in [("", 10), ("1__0", 10), ("010", 0), ("0x1F", 10), ("5", 50)]
        {
            assert!(int(text, base).is_err(), "{text}");
        }
        for (text, expected) in
            [("1e3", 1000.0), (" .5", 0.5), ("5.", 5.0), ("1_0.5", 10.5)]
        {
            assert_eq!(parse_float(text), Ok(expected));
        }
        for text in ["", ".", "e5", "1_e5", "0x10", "1,5", "- 1"] {
            assert!(parse_float(text).is_err(), "{text}");
        }
    }
}
