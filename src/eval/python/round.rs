//! `round(number, decimals)`.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::{Exception, Operator, Result, Value, add, binary, compare, mul, sub, truth};

/// `round(value, decimals)`. Raises a `TypeError` for a value that is no number.
pub fn round(value: &Value, decimals: i64) -> Result<Value> {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => round_whole(value, decimals),
        Value::Float(x) => Ok(Value::Float(round_float(*x, decimals))),
        other => Err(Exception::of_type(format!(
            "type {} doesn't define __round__ method",
            other.type_name()
        ))),
    }
}

/// Rounds an integer to a multiple of a power of ten, half to even.
fn round_whole(value: &Value, precision: i64) -> Result<Value> {
    let value = add(value, &Value::Int(0))?;
    if precision >= 0 {
        return Ok(value);
    }
    // Integers of up to 20,000 digits are rounded. The power of ten for more would take
    // long to compute, and the result of most numbers is 0.
    if precision < -20_000 {
        return Ok(Value::Int(0));
    }
    let unit = BigInt::from(10).pow(u32::try_from(-precision).unwrap_or(u32::MAX));
    let unit = Value::integer(unit);
    let rest = binary(Operator::Mod, &value, &unit)?;
    let (down, twice) = (sub(&value, &rest)?, mul(&rest, &Value::Int(2))?);
    let odd = binary(
        Operator::Mod,
        &binary(Operator::FloorDiv, &down, &unit)?,
        &Value::Int(2),
    )?;
    let up = match compare(&twice, &unit)? {
        Ordering::Less => false,
        Ordering::Equal => truth(&odd)?,
        Ordering::Greater => true,
    };
    if up { add(&down, &unit) } else { Ok(down) }
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
            let exponent =
                digits.split_once('e').and_then(|(_, e)| e.parse::<i64>().ok());
            let kept = exponent.unwrap_or(0) + precision;
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
