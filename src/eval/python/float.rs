//! Texts of floats: the shortest that reads back, and those of a given number of digits.

use num_bigint::BigInt;

use crate::scalar::{positional, scientific};

/// `repr(x)`: `1.0`, `1e-05`, `inf`.
pub fn shortest(x: f64) -> String {
    if !x.is_finite() {
        return special(x);
    }
    let (mut sign, mut digits, mut exponent) = decimal(&format!("{x:e}"));
    if digits.len() > 14 {
        // Of two shortest texts that are equally near, Python takes the even one, Rust
        // the nearer to zero.
        let even = format!("{x:.*e}", digits.len() - 1);
        if even.parse() == Ok(x) {
            (sign, digits, exponent) = decimal(&even);
        }
    }
    let text = match exponent {
        -4..16 => point(&digits, exponent, true),
        _ => power(&digits, exponent, false),
    };
    format!("{sign}{text}")
}

/// Formats a float by `e`, `f` or `g`. `keep` keeps what `g` leaves out (the flag `#`).
pub fn spell(x: f64, kind: char, precision: usize, keep: bool) -> String {
    if !x.is_finite() {
        return special(x);
    }
    match kind {
        'f' => {
            let text = fixed(x, precision);
            if keep && precision == 0 { text + "." } else { text }
        }
        'e' => {
            let (sign, digits, exponent) = rounded(x, precision);
            format!("{sign}{}", power(&digits, exponent, keep))
        }
        _ => general(x, precision.max(1), keep, false),
    }
}

/// Formats a float with at most `precision` digits, always with a point or an exponent
/// (`12.0`, `1.23e+02`), as `format()` does without conversion.
pub fn spell_short(x: f64, precision: usize, keep: bool) -> String {
    if x.is_finite() { general(x, precision.max(1), keep, true) } else { special(x) }
}

/// `inf`, `-inf`, `nan`
fn special(x: f64) -> String {
    x.to_string().to_lowercase()
}

/// Returns the mantissa and the binary exponent of a finite float, without its sign.
pub fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let fraction = (1 << 52) - 1;
    match (bits >> 52 & 0x7ff) as i32 {
        0 => (bits & fraction, -1074),
        exponent => (bits & fraction | 1 << 52, exponent - 1075),
    }
}

/// `x.as_integer_ratio()` of a finite float.
pub fn ratio(x: f64) -> (BigInt, BigInt) {
    let (mantissa, exponent) = parts(x);
    if mantissa == 0 {
        return (BigInt::ZERO, BigInt::from(1));
    }
    // The denominator is a power of two, and so are all common factors.
    let even = (mantissa.trailing_zeros() as i32).min((-exponent).max(0));
    let exponent = exponent + even;
    let top = BigInt::from(mantissa >> even) << exponent.max(0);
    (if x < 0.0 { -top } else { top }, BigInt::from(1) << (-exponent).max(0))
}

/// Maximum number of digits that `format!` is asked for; the rest are zeros.
// The smallest float has 1,074 digits after its point.
const MAX_DIGITS: usize = 1100;

fn fixed(x: f64, precision: usize) -> String {
    let text = format!("{x:.*}", precision.min(MAX_DIGITS));
    text + &"0".repeat(precision.saturating_sub(MAX_DIGITS))
}

/// Formats a float in positional notation, else with an exponent. With `fraction` one digit
/// less is before the point, and at least one after it.
fn general(x: f64, precision: usize, keep: bool, fraction: bool) -> String {
    let (sign, digits, exponent) = rounded(x, precision - 1);
    let significant = if keep { &*digits } else { digits.trim_end_matches('0') };
    let most = precision as i64 - i64::from(fraction);
    let text = match exponent {
        -4.. if i64::from(exponent) < most => point(significant, exponent, fraction),
        _ => power(significant, exponent, keep),
    };
    let dot = if keep && !text.contains(['.', 'e']) { "." } else { "" };
    format!("{sign}{text}{dot}")
}

/// Returns sign, digits and exponent, rounded to one digit and `more`.
fn rounded(x: f64, more: usize) -> (&'static str, String, i32) {
    let (sign, digits, exponent) = decimal(&format!("{x:.*e}", more.min(MAX_DIGITS)));
    (sign, digits + &"0".repeat(more.saturating_sub(MAX_DIGITS)), exponent)
}

fn decimal(text: &str) -> (&'static str, String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (sign, digits, exponent.parse().unwrap_or(0))
}

/// Formats digits in positional notation.
fn point(digits: &str, exponent: i32, fraction: bool) -> String {
    let text = positional(or_zero(digits), exponent);
    if fraction && !text.contains('.') { text + ".0" } else { text }
}

fn power(digits: &str, exponent: i32, keep: bool) -> String {
    scientific(or_zero(digits), exponent, keep)
}

fn or_zero(digits: &str) -> &str {
    if digits.is_empty() { "0" } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_is_what_repr_shows() {
        for (x, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1.5e-7, "1.5e-07"),
            (0.0001, "0.0001"),
            (1.25e300, "1.25e+300"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(shortest(x), text);
        }
    }

    #[test]
    fn spells_as_many_digits_as_asked_for() {
        for (x, kind, precision, keep, text) in [
            (3.146, 'f', 2, false, "3.15"),
            (2.5, 'f', 0, false, "2"),
            (2.5, 'f', 0, true, "2."),
            (12345.678, 'e', 6, false, "1.234568e+04"),
            (0.0, 'e', 0, true, "0.e+00"),
            (0.00001, 'g', 6, false, "1e-05"),
            (100_000.0, 'g', 6, false, "100000"),
            (1e6, 'g', 6, false, "1e+06"),
            (100_000.0, 'g', 6, true, "100000."),
            (1.5, 'g', 4, true, "1.500"),
            (0.0, 'g', 6, false, "0"),
            (999_999.5, 'g', 6, false, "1e+06"),
        ] {
            assert_eq!(spell(x, kind, precision, keep), text, "{x} {kind}");
        }
    }
}
