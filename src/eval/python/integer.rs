//! Operations that only numbers have: bitwise ones and powers modulo a number of integers,
//! and `round`.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::limit::charge_work;
use super::number::{divide_to_even, words};
use super::{Class, Exception, Number, Result, Value, limit_bytes};

/// `a & b`, `|`, `^`, `<<` or `>>`. Raises a `TypeError` for operands that are no
/// integers, a `ValueError` for a negative shift.
pub fn bitwise(sign: &str, a: &Value, b: &Value) -> Result<Value> {
    let (Some(a), Some(b)) = (whole(a), whole(b)) else {
        return Err(Exception::of_type(format!("{sign} is for integers")));
    };
    let shift = |b: &BigInt| {
        if b.is_negative() {
            Err(Exception::of_value("negative shift count"))
        } else {
            Ok(usize::try_from(b).unwrap_or(usize::MAX))
        }
    };
    Ok(Value::integer(match sign {
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" if a.is_zero() => shift(&b).map(|_| a)?,
        "<<" => {
            let shift = shift(&b)?;
            limit_bytes(shift)?;
            a << shift
        }
        // Beyond the size of any integer the result is 0 or -1; the bound keeps `usize`
        // from overflowing within the crate.
        _ => a >> shift(&b)?.min(1 << 30),
    }))
}

/// `pow(base, exponent, modulus)`. Raises a `ValueError` for a modulus of 0, or a
/// negative exponent of a base without inverse.
pub fn power_modulo(base: &Value, exponent: &Value, modulus: &Value) -> Result<Value> {
    let (Some(base), Some(exponent), Some(modulus)) =
        (whole(base), whole(exponent), whole(modulus))
    else {
        let message = "pow() 3rd argument not allowed unless all arguments are integers";
        return Err(Exception::of_type(message));
    };
    if modulus.is_zero() {
        return Err(Exception::of_value("pow() 3rd argument cannot be 0"));
    }
    // A power takes as many multiplications of the size of the modulus as the exponent
    // has bits: numbers of 4,096 bits still pass.
    if modulus.bits().saturating_mul(exponent.bits()) > 1 << 24 {
        let message = "a power takes more steps than are allowed";
        return Err(Exception::new(Class::Limit, message));
    }
    let square = words(&modulus).saturating_mul(words(&modulus));
    charge_work(square.saturating_mul(exponent.bits()))?;
    if !exponent.is_negative() {
        return Ok(Value::integer(base.modpow(&exponent, &modulus)));
    }
    // Euclid's algorithm takes about as many rounds as the modulus has bits.
    charge_work(words(&modulus).saturating_mul(modulus.bits()))?;
    let inverse = base.modinv(&modulus).ok_or_else(|| {
        Exception::of_value("base is not invertible for the given modulus")
    })?;
    Ok(Value::integer(inverse.modpow(&-exponent, &modulus)))
}

fn whole(value: &Value) -> Option<BigInt> {
    Number::of(value).filter(|x| !matches!(x, Number::Float(_)))?.whole().ok()
}

/// `round(value, decimals)`. Raises a `TypeError` for a value that is no number.
pub fn round(value: &Value, decimals: i64) -> Result<Value> {
    match (value, whole(value)) {
        (_, Some(number)) => round_whole(number, decimals),
        (Value::Float(x), _) => Ok(Value::Float(round_float(*x, decimals))),
        (other, None) => {
            Err(Exception::of_type_of(other, "type {} doesn't define __round__ method"))
        }
    }
}

/// Rounds an integer to a multiple of a power of ten, half to even.
fn round_whole(number: BigInt, precision: i64) -> Result<Value> {
    if precision >= 0 {
        return Ok(Value::integer(number));
    }
    // Integers of up to 20,000 digits are rounded. The power of ten for more would take
    // long to compute, and the result of most numbers is 0.
    if precision < -20_000 {
        return Ok(Value::Int(0));
    }
    let unit = BigInt::from(10).pow(u32::try_from(-precision).unwrap_or(u32::MAX));
    charge_work(4 * words(&number) * words(&unit))?;
    Ok(Value::integer(divide_to_even(&number, &unit) * unit))
}

/// Rounds a float by its exact value: 2.675, which is a bit less, becomes 2.67.
fn round_float(x: f64, precision: i64) -> f64 {
    match precision {
        _ if !x.is_finite() => x,
        // A float has no more decimals, and no more digits before the point.
        324.. => x,
        i64::MIN..=-309 => 0.0 * x,
        0.. => format!("{x:.*}", precision as usize).parse().unwrap_or(x),
        _ => {
            let digits = format!("{x:e}");
            let exponent = digits.split_once('e').and_then(|(_, e)| e.parse().ok());
            let kept = exponent.unwrap_or(0_i64) + precision;
            match usize::try_from(kept) {
                Ok(kept) => format!("{x:.kept$e}").parse().unwrap_or(x),
                Err(_) => {
                    let unit = 10f64.powi(-precision as i32);
                    (x / unit).round_ties_even() * unit
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bitwise, power_modulo};
    use crate::eval::python::{Result, Value, repr};

    #[test]
    fn calculates_as_python_does() -> Result<()> {
        for (sign, a, b, result) in [
            ("&", -2, 7, "6"),
            ("|", 5, 2, "7"),
            ("^", -1, 5, "-6"),
            ("<<", 1, 100, "1267650600228229401496703205376"),
            ("<<", 0, i64::MAX, "0"),
            (">>", -5, 1, "-3"),
            (">>", -5, i64::MAX, "-1"),
        ] {
            assert_eq!(repr(&bitwise(sign, &Value::Int(a), &Value::Int(b))?)?, result);
        }
        for (a, b, c, result) in
            [(3, 4, 5, "1"), (3, -1, 7, "5"), (2, 3, -5, "-2"), (-3, -2, 7, "4")]
        {
            let power = power_modulo(&Value::Int(a), &Value::Int(b), &Value::Int(c))?;
            assert_eq!(repr(&power)?, result);
        }
        assert!(power_modulo(&Value::Int(2), &Value::Int(-1), &Value::Int(4)).is_err());
        assert!(bitwise("<<", &Value::Int(1), &Value::Int(-1)).is_err());
        assert!(bitwise("<<", &Value::Int(1), &Value::Int(i64::MAX)).is_err());
        Ok(())
    }
}
