//! Plain text comes in; what it means other than itself goes out: null, a boolean or a
//! number. The first byte decides for nearly every word.

use std::borrow::Cow;

use num_bigint::BigInt;
use num_traits::Num;

use super::{Dialect, Scalar, time};

/// What plain `text` means, unless it is a string.
pub(super) fn typed(text: &str, dialect: Dialect) -> Option<Scalar<'static>> {
    match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
            special(text).or_else(|| match dialect {
                Dialect::Core => core_number(text),
                Dialect::Go => go_number(text),
                Dialect::Yaml11 => yaml11_number(text),
            })
        }
        Some(
            b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'o' | b'O',
        ) if text.len() <= 5 => word(text, dialect),
        Some(_) => None,
    }
}

/// Whether yaml.v2 writes the string `text` without quotes, as far as its meaning goes.
pub(crate) fn is_string_in_go(text: &str) -> bool {
    let numeric = matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-'));
    typed(text, Dialect::Go).is_none()
        && !(numeric && (time::is_timestamp(text) || time::is_sexagesimal(text)))
}

/// Whether every dialect reads plain `text` as that string, dates and `<<` included.
pub(super) fn is_string_everywhere(text: &str) -> bool {
    let numeric = matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-'));
    let typed = |dialect| typed(text, dialect).is_some();
    ![Dialect::Core, Dialect::Go, Dialect::Yaml11].into_iter().any(typed)
        && !(numeric && (time::is_like_timestamp(text) || time::is_sexagesimal(text)))
        // PyYAML fails on `0x_`.
        && !(numeric && text.ends_with('_'))
        && !matches!(text, "<<" | "=")
}

fn word(text: &str, dialect: Dialect) -> Option<Scalar<'static>> {
    match text {
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        "true" | "True" | "TRUE" => Some(Scalar::Bool(true)),
        "false" | "False" | "FALSE" => Some(Scalar::Bool(false)),
        _ if dialect == Dialect::Core => None,
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(Scalar::Bool(false)),
        "y" | "Y" if dialect == Dialect::Go => Some(Scalar::Bool(true)),
        "n" | "N" if dialect == Dialect::Go => Some(Scalar::Bool(false)),
        _ => None,
    }
}

fn special(text: &str) -> Option<Scalar<'static>> {
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            Some(Scalar::Float(f64::INFINITY))
        }
        "-.inf" | "-.Inf" | "-.INF" => Some(Scalar::Float(f64::NEG_INFINITY)),
        ".nan" | ".NaN" | ".NAN" => Some(Scalar::Float(f64::NAN)),
        _ => None,
    }
}

fn core_number(text: &str) -> Option<Scalar<'static>> {
    if let Some(digits) = text.strip_prefix("0x") {
        return integer("", digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return integer("", digits, 8);
    }
    let (sign, digits) = split_sign(text);
    integer(sign, digits, 10).or_else(|| decimal(text))
}

/// Go's own syntax of integers, then decimal fractions; `_` may stand anywhere but in
/// what begins with a point, where it may stand between digits.
fn go_number(text: &str) -> Option<Scalar<'static>> {
    if text.starts_with('.') && !separates_digits(text) {
        return None;
    }
    let text = without_underscores(text);
    let (sign, digits) = split_sign(&text);
    let fits = |scalar: &Scalar| match scalar {
        Scalar::Int(x) => {
            i64::try_from(*x).is_ok() || sign.is_empty() && u64::try_from(*x).is_ok()
        }
        _ => false,
    };
    let finite = |scalar: &Scalar| matches!(scalar, Scalar::Float(x) if x.is_finite());
    go_integer(sign, digits)
        .filter(fits)
        .or_else(|| decimal(&text).filter(finite))
        .or_else(|| signed_binary(&text))
}

fn go_integer(sign: &str, digits: &str) -> Option<Scalar<'static>> {
    match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => integer(sign, &digits[2..], 16),
        [b'0', b'o' | b'O', ..] => integer(sign, &digits[2..], 8),
        [b'0', b'b' | b'B', ..] => integer(sign, &digits[2..], 2),
        [b'0', ..] => integer(sign, digits, 8),
        _ => integer(sign, digits, 10),
    }
}

/// yaml.v2 also takes `0b-1`.
fn signed_binary(text: &str) -> Option<Scalar<'static>> {
    let digits = i64::from_str_radix(text.strip_prefix("0b")?, 2).ok()?;
    Some(Scalar::Int(digits.into()))
}

fn separates_digits(text: &str) -> bool {
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    let lone =
        |i: usize| bytes[i] != b'_' || digit(bytes.get(i + 1)) && digit(bytes.get(i - 1));
    (1..bytes.len()).all(lone)
}

fn yaml11_number(text: &str) -> Option<Scalar<'static>> {
    let (sign, unsigned) = split_sign(text);
    let plain = without_underscores(unsigned);
    let digits = &*plain;
    match unsigned.as_bytes() {
        [b'0', b'b', ..] => integer(sign, &digits[2..], 2),
        [b'0', b'x', ..] => integer(sign, &digits[2..], 16),
        [b'0', _, ..] => integer(sign, digits, 8),
        [b'0'..=b'9', ..] => integer(sign, digits, 10),
        [b'.', b'0'..=b'9', ..] if sign.is_empty() => None,
        _ => return None,
    }
    .or_else(|| yaml11_fraction(sign, unsigned))
    .or_else(|| sexagesimal(sign, unsigned))
}

/// A fraction needs its point, an exponent its sign.
fn yaml11_fraction(sign: &str, unsigned: &str) -> Option<Scalar<'static>> {
    let point = unsigned.find('.')?;
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(e) => (&unsigned[..e], &unsigned[e + 1..]),
        None => (unsigned, "+0"),
    };
    let signed = exponent.starts_with(['-', '+']) && point < mantissa.len();
    let number = format!("{sign}{}e{exponent}", without_underscores(mantissa));
    signed.then(|| decimal(&number))?
}

fn sexagesimal(sign: &str, unsigned: &str) -> Option<Scalar<'static>> {
    if !time::is_sexagesimal(unsigned) {
        return None;
    }
    let text = without_underscores(unsigned);
    if !text.contains('.') {
        let sum =
            |sum: i128, part: &str| sum.checked_mul(60)?.checked_add(part.parse().ok()?);
        let sum = text.split(':').try_fold(0, sum)?;
        let whole = Scalar::Int(if sign == "-" { -sum } else { sum });
        return unsigned.starts_with(|c| c != '0').then_some(whole);
    }
    let sum = |sum: f64, part: &str| Some(sum * 60.0 + part.parse::<f64>().ok()?);
    let sum = text.split(':').try_fold(0.0, sum)?;
    Some(Scalar::Float(if sign == "-" { -sum } else { sum }))
}

fn split_sign(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['-', '+'])))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// The most digits of an integer; Python reads no more.
const DIGITS: usize = 4300;

/// An integer; one of too many digits, the nearest float.
fn integer(sign: &str, digits: &str, radix: u32) -> Option<Scalar<'static>> {
    if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return None;
    }
    let negative = sign == "-";
    if let Ok(x) = i128::from_str_radix(digits, radix) {
        return Some(Scalar::Int(if negative { -x } else { x }));
    }
    if digits.trim_start_matches('0').len() > DIGITS {
        let x = large(digits, radix);
        return Some(Scalar::Float(if negative { -x } else { x }));
    }
    let x = BigInt::from_str_radix(digits, radix).ok()?;
    Some(Scalar::integer(if negative { -x } else { x }))
}

fn large(digits: &str, radix: u32) -> f64 {
    let shift = |x: f64, b: u8| {
        x * f64::from(radix) + f64::from(char::from(b).to_digit(radix).unwrap_or(0))
    };
    match radix {
        10 => digits.parse().unwrap_or(f64::INFINITY),
        _ => digits.bytes().fold(0.0, shift),
    }
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn decimal(text: &str) -> Option<Scalar<'static>> {
    let digit = text.bytes().any(|b| b.is_ascii_digit());
    let numeric =
        |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    // What is left to tell from a number is what Rust reads as one, and it reads no other.
    (digit && text.bytes().all(numeric))
        .then(|| text.parse().ok().map(Scalar::Float))
        .flatten()
}
