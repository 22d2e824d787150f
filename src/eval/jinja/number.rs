//! The text of a number → its value, as Jinja's lexer reads it.

use num_bigint::BigInt;

use crate::eval::python::Value;

/// A number and its length. After a dot there is no fraction.
pub(super) fn number(rest: &str, fraction: bool) -> (Value, usize) {
    if fraction && let Some(length) = float(rest) {
        let text = rest.get(..length).unwrap_or_default().replace('_', "");
        return (Value::Float(text.parse().unwrap_or(f64::INFINITY)), length);
    }
    let bytes = rest.as_bytes();
    let prefix = bytes.get(1).map(u8::to_ascii_lowercase);
    let radix = match prefix {
        _ if bytes.first() != Some(&b'0') => 10,
        Some(b'x') => 16,
        Some(b'o') => 8,
        Some(b'b') => 2,
        _ => 10,
    };
    if radix != 10 {
        let length = digits(
            rest.get(2..).unwrap_or_default(),
            |b| (b as char).is_digit(radix),
            true,
        );
        if length > 0 {
            return (
                whole(rest.get(2..2 + length).unwrap_or_default(), radix),
                2 + length,
            );
        }
    }
    let length = match bytes.first() {
        Some(b'0') => digits(rest, |b| b == b'0', false),
        _ => digits(rest, |b| b.is_ascii_digit(), false),
    };
    (whole(rest.get(..length).unwrap_or_default(), 10), length)
}

fn whole(text: &str, radix: u32) -> Value {
    let text = text.replace('_', "");
    match i64::from_str_radix(&text, radix) {
        Ok(small) => Value::Int(small),
        Err(_) => Value::integer(
            BigInt::parse_bytes(text.as_bytes(), radix).unwrap_or_default(),
        ),
    }
}

/// The length of digits with single underscores between them.
fn digits(rest: &str, is: impl Fn(u8) -> bool, leading: bool) -> usize {
    let bytes = rest.as_bytes();
    let mut end = 0;
    while let Some(&b) = bytes.get(end) {
        let next = bytes.get(end + 1).is_some_and(|&b| is(b));
        if is(b) || (b == b'_' && next && (end > 0 || leading)) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The length of a number with a fraction or an exponent.
fn float(rest: &str) -> Option<usize> {
    let decimal = |from: usize| {
        digits(rest.get(from..).unwrap_or_default(), |b| b.is_ascii_digit(), false)
    };
    let bytes = rest.as_bytes();
    let mut end = decimal(0);
    let fraction = match bytes.get(end) {
        Some(b'.') => decimal(end + 1),
        _ => 0,
    };
    if fraction > 0 {
        end += 1 + fraction;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = decimal(end + 1 + sign);
        if exponent > 0 {
            return Some(end + 1 + sign + exponent);
        }
    }
    (fraction > 0).then_some(end)
}
