//! Filters of numbers: conversions, rounding, powers, and amounts of bytes.

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::parameter::{
    flag, given, index, number, optional_text, text, type_error_of, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{
    self, Bound, Class, Exception, Operator, Result, Value, binary,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("abs", "abs", abs),
    Plugin::new("filesizeformat", "do_filesizeformat", &["value"], &["binary"], filesizeformat),
    Plugin::new("float", "do_float", &["value"], &["default"], float),
    Plugin::new("human_readable", "human_readable", &["size"], &["isbits", "unit"], human_readable),
    Plugin::new("human_to_bytes", "human_to_bytes", &["size"], &["default_unit", "isbits"], human_to_bytes),
    Plugin::new("int", "do_int", &["value"], &["default", "base"], int),
    Plugin::new("log", "logarithm", &["x"], &["base"], log),
    Plugin::new("pow", "power", &["x", "y"], &[], pow),
    Plugin::new("root", "inversepower", &["x"], &["base"], root),
    Plugin::new("round", "do_round", &["value"], &["precision", "method"], round),
];

fn abs(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    match &value {
        Value::Float(x) => Ok(Value::Float(x.abs())),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => {
            // The addition converts a bool: `abs(True)` is 1.
            let number = python::add(&value, &Value::Int(0))?;
            if python::compare(&number, &Value::Int(0))?.is_lt() {
                python::negative(&number)
            } else {
                Ok(number)
            }
        }
        other => type_error_of(other, "bad operand type for abs(): '{}'"),
    }
}

/// `float`: the default if the value cannot be converted.
fn float(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [default]) = arguments.split();
    match python::float(&value) {
        Ok(number) => Ok(Value::Float(number)),
        Err(error) => instead(default.unwrap_or(Value::Float(0.0)), error),
    }
}

/// `int`: the default if the value cannot be converted.
fn int(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [default, base]) = arguments.split();
    let whole = match (&value, base) {
        (Value::Str(text), base) => {
            number(base, 10).and_then(|base| python::parse_int(text, base))
        }
        (other, _) => python::int(other),
    };
    let whole = match whole {
        // Jinja tries `int(float(value))` before it gives up: `'42.5' | int` is 42.
        Err(error) if is_refusal(&error) => python::float(&value)
            .map(Value::Float)
            .and_then(|number| python::int(&number)),
        done => done,
    };
    whole.or_else(|error| match (error.class, &value) {
        // Jinja catches the overflow of `int(float('inf'))` for a string only.
        (Class::Overflow, Value::Str(_)) => Ok(default.clone().unwrap_or(Value::Int(0))),
        _ => instead(default.clone().unwrap_or(Value::Int(0)), error),
    })
}

fn is_refusal(error: &Exception) -> bool {
    matches!(error.class, Class::Type | Class::Value)
}

fn instead(default: Value, error: Box<Exception>) -> Result<Value> {
    if is_refusal(&error) { Ok(default) } else { Err(error) }
}

fn round(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [precision, method]) = arguments.split();
    let method = text(method, "common")?;
    let precision = precision.unwrap_or(Value::Int(0));
    if method == "common" {
        return python::round(&value, index(&precision)?);
    }
    let toward: fn(f64) -> f64 = match &*method {
        "ceil" => f64::ceil,
        "floor" => f64::floor,
        _ => return value_error("method must be common, ceil or floor"),
    };
    // Python's own operators: a negative precision makes the scale a float, a large one
    // an integer beyond 64 bits.
    let scale = binary(Operator::Pow, &Value::Int(10), &precision)?;
    let scaled = real_of(&python::mul(&value, &scale)?)?;
    let whole = python::int(&Value::Float(toward(scaled)))?;
    binary(Operator::Div, &whole, &scale)
}

fn real_of(value: &Value) -> Result<f64> {
    match python::Number::of(value) {
        Some(number) => number.float(),
        None => type_error_of(value, "must be real number, not {}"),
    }
}

/// Converts a number to a float, with the message of Ansible's `function`.
fn real(value: &Value, function: &str) -> Result<f64> {
    real_of(value).map_err(|error| match error.class {
        Class::Type => Exception::of_type(format!(
            "{function}() can only be used on numbers: {}",
            error.message
        )),
        _ => error,
    })
}

fn domain() -> Box<Exception> {
    Exception::of_value("math domain error")
}

fn log(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([x], [base]) = arguments.split();
    let natural = |value: &Value| {
        let logarithm = match value {
            Value::Big(big) => {
                // An integer beyond 1e308 is no float, but its logarithm is.
                let shift = big.bits().saturating_sub(64);
                let top = Value::integer((**big).clone() >> shift);
                python::float(&top)?.ln() + shift as f64 * std::f64::consts::LN_2
            }
            other => real(other, "log")?.ln(),
        };
        if (logarithm.is_nan() || logarithm == f64::NEG_INFINITY)
            && !matches!(value, Value::Float(x) if x.is_nan())
        {
            Err(domain())
        } else {
            Ok(logarithm)
        }
    };
    let logarithm = natural(&x)?;
    let Some(base) = base else { return Ok(Value::Float(logarithm / 1.0)) };
    // `log10` is exact for powers of ten; the quotient of two logarithms is not.
    if python::equal(&base, &Value::Int(10))? && !matches!(x, Value::Big(_)) {
        return Ok(Value::Float(real(&x, "log")?.log10()));
    }
    binary(Operator::Div, &Value::Float(logarithm), &Value::Float(natural(&base)?))
}

fn pow(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([x, y], []) = arguments.split();
    Ok(Value::Float(raise(real(&x, "pow")?, real(&y, "pow")?)?))
}

/// `math.pow`
fn raise(x: f64, y: f64) -> Result<f64> {
    let power = x.powf(y);
    // Infinite operands have infinite results; for finite ones they are an overflow.
    if !x.is_finite() || !y.is_finite() || power.is_finite() {
        return Ok(power);
    }
    if power.is_nan() || x == 0.0 {
        return Err(domain());
    }
    Err(Exception::new(Class::Overflow, "math range error"))
}

fn root(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([x], [base]) = arguments.split();
    let base = given(base).unwrap_or(Value::Int(2));
    let square = python::equal(&base, &Value::Int(2))?;
    let x = real(&x, "root")?;
    let root = if !square {
        let base = Value::Float(python::float(&base)?);
        let exponent = binary(Operator::Div, &Value::Float(1.0), &base)?;
        raise(x, python::float(&exponent)?)
    } else if x < 0.0 {
        Err(domain())
    } else {
        Ok(x.sqrt())
    };
    root.map(Value::Float)
}

/// The prefixes of the powers of 1024, the greatest first.
const LETTERS: [char; 8] = ['Y', 'Z', 'E', 'P', 'T', 'G', 'M', 'K'];

fn size(letter: char) -> Option<BigInt> {
    let letter = letter.to_ascii_uppercase();
    let at = LETTERS.iter().rev().position(|known| *known == letter);
    match (at, letter) {
        (Some(at), _) => Some(BigInt::from(1024).pow(at as u32 + 1)),
        (None, 'B') => Some(BigInt::from(1)),
        (None, _) => None,
    }
}

fn filesizeformat(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [binary]) = arguments.split();
    let bytes = python::float(&value)?;
    let binary = flag(binary, false)?;
    let (base, inside) = if binary { (1024, "i") } else { (1000, "") };
    if bytes == 1.0 {
        return Ok(Value::text("1 Byte"));
    }
    if bytes < f64::from(base) {
        return Ok(Value::from(format!("{} Bytes", bytes.trunc())));
    }
    let prefixes = [if binary { 'K' } else { 'k' }, 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
    // The units are integers: 1e24, a float below 10 ** 24, is no YB.
    let mut unit = i128::from(base);
    for (at, prefix) in prefixes.into_iter().enumerate() {
        unit *= i128::from(base);
        let next = Value::integer(unit.into());
        let is_less =
            !bytes.is_nan() && python::compare(&Value::Float(bytes), &next)?.is_lt();
        // The last prefix is used for all greater numbers.
        if is_less || at + 1 == prefixes.len() {
            let count = f64::from(base) * bytes / unit as f64;
            let count = format!("{count:.1}").to_lowercase();
            return Ok(Value::from(format!("{count} {prefix}{inside}B")));
        }
    }
    Ok(Value::None)
}

fn human_readable(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([amount], [bits, unit]) = arguments.split();
    let base = if flag(bits, false)? { "bits" } else { "Bytes" };
    if python::Number::of(&amount).is_none() {
        let wrong = "human_readable() failed on bad input: '>=' not supported between \
                     instances of '{}' and 'int'";
        return type_error_of(&amount, wrong);
    }
    let wanted = optional_text(unit)?.map(|unit| unit.to_uppercase());
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

fn human_to_bytes(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([amount], [default, bits]) = arguments.split();
    let written = python::str(&amount)?;
    let default = optional_text(default)?;
    let trimmed = written.trim_end();
    let letters = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let digits = letters.trim_end();
    let unit = &trimmed[letters.len()..];
    let (whole, part) = digits.split_once('.').unwrap_or(("", digits));
    if part.is_empty() || !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(refuse(format!("can't interpret following string: {written}")));
    }
    let number: f64 = digits.parse().unwrap_or(0.0);
    let unit = if unit.is_empty() { default.as_deref() } else { Some(unit) };
    let one = match unit {
        None | Some("") => BigInt::from(1),
        Some(unit) => factor(unit, flag(bits, false)?).map_err(refuse)?,
    };
    let one: f64 = num_traits::ToPrimitive::to_f64(&one).unwrap_or(f64::INFINITY);
    // As `round()` of Python.
    let bytes = (number * one).round_ties_even();
    let bytes = BigInt::from_f64(bytes).ok_or_else(|| refuse("too large".to_owned()))?;
    Ok(Value::integer(bytes))
}

fn refuse(why: String) -> Box<Exception> {
    Exception::of_value(format!("human_to_bytes() can't interpret the input: {why}"))
}

/// Returns the size of a unit that is written in full or in short: `MB`, `megabyte`.
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
        return Ok(size);
    }
    Err(format!("expect {expected} or {full}, got {unit}"))
}
