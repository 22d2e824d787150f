//! The methods of `int` and `float`.

use num_bigint::{BigInt, Sign};
use num_traits::Signed;

use super::super::number::Number;
use super::super::{Bound, Exception, Result, Signature, Value, float, limit_bytes};
use super::dispatch::{MethodTable, method, plain};

pub const INT: MethodTable<Number> = &[
    plain("as_integer_ratio", |number, _| {
        Ok(Value::tuple([Value::integer(number.whole()?), Value::Int(1)]))
    }),
    plain("bit_count", |number, _| {
        let (_, words) = number.whole()?.to_u32_digits();
        Ok(Value::Int(words.iter().map(|word| i64::from(word.count_ones())).sum()))
    }),
    plain("bit_length", |number, _| {
        Ok(Value::Int(i64::try_from(number.whole()?.bits()).unwrap_or(i64::MAX)))
    }),
    plain("conjugate", |number, _| Ok(Value::integer(number.whole()?))),
    method(Signature::named("from_bytes", &["bytes", "byteorder", "signed"]), from_bytes),
    method(Signature::named("to_bytes", &["length", "byteorder", "signed"]), to_bytes),
];

pub const FLOAT: MethodTable<f64> = &[
    plain("as_integer_ratio", |x, _| ratio(*x)),
    plain("conjugate", |x, _| Ok(Value::Float(*x))),
    plain("hex", |x, _| Ok(hex(*x).into())),
    plain("is_integer", |x, _| Ok(Value::Bool(x.is_finite() && x.fract() == 0.0))),
];

/// Reads the parameter `byteorder`: true for `big`.
fn big_first(arguments: &Bound) -> Result<bool> {
    if arguments.get(1).is_none() {
        return Ok(true);
    }
    let name = arguments.name();
    let order = arguments
        .text(1, |of| format!("{name}() argument 'byteorder' must be str, not {of}"))?;
    match &*order {
        "big" => Ok(true),
        "little" => Ok(false),
        _ => Err(Exception::of_value("byteorder must be either 'little' or 'big'")),
    }
}

fn to_bytes(number: &Number, arguments: &Bound) -> Result<Value> {
    let length = usize::try_from(arguments.integer(0, 1)?)
        .map_err(|_| Exception::of_value("length argument must be non-negative"))?;
    limit_bytes(length)?;
    let number = number.whole()?;
    let signed = arguments.flag(2, false)?;
    let big = big_first(arguments)?;
    if number.is_negative() && !signed {
        return Err(Exception::of_overflow("can't convert negative int to unsigned"));
    }
    let mut bytes =
        if signed { number.to_signed_bytes_le() } else { number.to_bytes_le().1 };
    // Zero fits into no bytes at all: `(0).to_bytes(0)` is `b''`.
    if number == BigInt::ZERO {
        bytes.clear();
    }
    if bytes.len() > length {
        return Err(Exception::of_overflow("int too big to convert"));
    }
    bytes.resize(length, if number.is_negative() { 0xff } else { 0 });
    if big {
        bytes.reverse();
    }
    Ok(Value::bytes(bytes))
}

fn from_bytes(_: &Number, arguments: &Bound) -> Result<Value> {
    let bytes = match arguments.value(0) {
        Value::Bytes(bytes) => bytes.to_vec(),
        other => {
            let message = "cannot convert '{}' object to bytes";
            return Err(Exception::of_type_of(&other, message));
        }
    };
    Ok(Value::integer(match (arguments.flag(2, false)?, big_first(arguments)?) {
        (true, true) => BigInt::from_signed_bytes_be(&bytes),
        (true, false) => BigInt::from_signed_bytes_le(&bytes),
        (false, true) => BigInt::from_bytes_be(Sign::Plus, &bytes),
        (false, false) => BigInt::from_bytes_le(Sign::Plus, &bytes),
    }))
}

fn ratio(x: f64) -> Result<Value> {
    if x.is_nan() {
        return Err(Exception::of_value("cannot convert NaN to integer ratio"));
    }
    if x.is_infinite() {
        return Err(Exception::of_overflow("cannot convert Infinity to integer ratio"));
    }
    let (top, bottom) = float::ratio(x);
    Ok(Value::tuple([top, bottom].map(Value::integer)))
}

fn hex(x: f64) -> String {
    if !x.is_finite() {
        return float::shortest(x);
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (mantissa, exponent) = float::parts(x);
    match mantissa {
        0 => format!("{sign}0x0.0p+0"),
        _ => {
            let lead = mantissa >> 52;
            let exponent = exponent + 52;
            format!("{sign}0x{lead}.{:013x}p{exponent:+}", mantissa & ((1 << 52) - 1))
        }
    }
}
