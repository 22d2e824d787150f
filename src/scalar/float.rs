//! Spells floating-point numbers: the shortest text that reads back as the same number.

/// Returns the spelling that is a fraction to every dialect: `1.0`, `1.5e-07`, `-.inf`.
pub(super) fn spell(x: f64) -> String {
    finite(x, |Decimal { negative, digits, exponent }| {
        let text = match exponent {
            -5..16 => positional(&digits, exponent),
            _ => scientific(&digits, exponent, false),
        };
        let sign = if negative { "-" } else { "" };
        match text.find(['.', 'e']) {
            // Without a point YAML 1.1 reads an integer, or with an exponent a string.
            None => format!("{sign}{text}.0"),
            Some(e) if text[e..].starts_with('e') => {
                format!("{sign}{}.0{}", &text[..e], &text[e..])
            }
            Some(_) => format!("{sign}{text}"),
        }
    })
}

/// Returns the spelling of yaml.v2: `1`, `1e+06`, `1.5e-07`, `-.inf`.
pub(crate) fn spell_go(x: f64) -> String {
    finite(x, |Decimal { negative, digits, exponent }| {
        let text = match exponent {
            -4..6 => positional(&digits, exponent),
            _ => scientific(&digits, exponent, false),
        };
        if negative { format!("-{text}") } else { text }
    })
}

/// A finite number as `d.ddd` times a power of ten.
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i32,
}

fn finite(x: f64, spell: fn(Decimal) -> String) -> String {
    if x.is_nan() {
        return ".nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { ".inf".into() } else { "-.inf".into() };
    }
    let text = format!("{:e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    spell(Decimal {
        negative: x.is_sign_negative(),
        digits: mantissa.replace('.', ""),
        exponent: exponent.parse().unwrap_or(0),
    })
}

/// Returns the digits with a point among or before them, where one is needed.
pub(crate) fn positional(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent as usize + 1;
    if digits.len() > whole {
        format!("{}.{}", &digits[..whole], &digits[whole..])
    } else {
        format!("{digits:0<whole$}")
    }
}

/// Returns one digit, a point, the others and an exponent. `keep` keeps a lone point.
pub(crate) fn scientific(digits: &str, exponent: i32, keep: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() && !keep { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    #[test]
    fn go() {
        let spelled =
            [-0.0, 0.1, 1e6, 999_999.0, 1e-5, 2.5e-7, f64::MAX].map(super::spell_go);
        let wanted = ["-0", "0.1", "1e+06", "999999", "1e-05", "2.5e-07"];
        assert_eq!(spelled[..6], wanted);
        assert_eq!(spelled[6], "1.7976931348623157e+308");
    }
}
