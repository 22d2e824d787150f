//! [`Number`] and its arithmetic: integers of any size, and floats.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::limit::charge_work;
use super::{Class, Exception, Operator, Result, Value};

/// Maximum size of an integer that an operation makes, in bits.
// Multiplying takes more than linear time: a square of this size still takes
// milliseconds.
const MAX_INT_BITS: u64 = 1 << 20;

/// An operand of arithmetic; `True` is 1.
#[derive(Clone, Debug)]
pub enum Number {
    Small(i64),
    Big(BigInt),
    Float(f64),
}

/// Returns an integer that a type of C holds, such as `ssize_t`. Raises a `TypeError` for
/// other values, an `OverflowError` beyond 64 bits.
pub fn index(value: &Value, of: &str) -> Result<i64> {
    match Number::of(value) {
        Some(Number::Small(x)) => Ok(x),
        Some(Number::Big(_)) => {
            let message = format!("Python int too large to convert to C {of}");
            Err(Exception::of_overflow(message))
        }
        _ => {
            let message = "'{}' object cannot be interpreted as an integer";
            Err(Exception::of_type_of(value, message))
        }
    }
}

impl Number {
    pub fn of(value: &Value) -> Option<Number> {
        Some(match value {
            Value::Bool(x) => Number::Small(i64::from(*x)),
            Value::Int(x) => Number::Small(*x),
            Value::Big(x) => Number::Big((**x).clone()),
            Value::Float(x) => Number::Float(*x),
            _ => return None,
        })
    }

    /// Returns the number as a float. Raises an `OverflowError` for a large integer.
    pub fn float(&self) -> Result<f64> {
        match self {
            Number::Small(x) => Ok(*x as f64),
            Number::Float(x) => Ok(*x),
            Number::Big(x) => x.to_f64().filter(|x| x.is_finite()).ok_or_else(|| {
                Exception::of_overflow("int too large to convert to float")
            }),
        }
    }

    /// Truncates to an integer. Raises a `ValueError` (NaN) or an `OverflowError` (inf).
    pub fn whole(&self) -> Result<BigInt> {
        match self {
            Number::Small(x) => Ok((*x).into()),
            Number::Big(x) => Ok(x.clone()),
            Number::Float(x) if x.is_nan() => {
                Err(Exception::of_value("cannot convert float NaN to integer"))
            }
            Number::Float(x) => BigInt::from_f64(x.trunc()).ok_or_else(|| {
                Exception::of_overflow("cannot convert float infinity to integer")
            }),
        }
    }

    /// Compares two numbers; `None` if one is NaN.
    pub fn order(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Small(a), Number::Small(b)) => Some(a.cmp(b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
            (Number::Float(a), b) => order_float(*a, b),
            (a, Number::Float(b)) => order_float(*b, a).map(Ordering::reverse),
            (a, b) => Some(a.whole().ok()?.cmp(&b.whole().ok()?)),
        }
    }
}

/// Compares a float with an integer exactly.
// Converting the integer would make 2**53 + 1 equal to the float 2**53.
fn order_float(float: f64, integer: &Number) -> Option<Ordering> {
    if float.is_finite() {
        let floor = BigInt::from_f64(float.floor())?;
        let rest = (float > float.floor()).then_some(Ordering::Greater);
        Some(floor.cmp(&integer.whole().ok()?).then(rest.unwrap_or(Ordering::Equal)))
    } else {
        float.partial_cmp(&0.0)
    }
}

/// Applies an operator. Raises a `ZeroDivisionError`, `OverflowError` or limit error.
pub(super) fn calculate(operator: Operator, a: &Number, b: &Number) -> Result<Value> {
    match (a, b) {
        (Number::Small(a), Number::Small(b)) => match small(operator, *a, *b) {
            Some(value) => Ok(value),
            None => big(operator, &(*a).into(), &(*b).into()),
        },
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            float(operator, a.float()?, b.float()?).map(Value::Float)
        }
        _ => big(operator, &a.whole()?, &b.whole()?),
    }
}

/// Calculates with 64 bits; `None` if they do not suffice.
fn small(operator: Operator, a: i64, b: i64) -> Option<Value> {
    // Up to 2**53 integers are floats exactly, so that only the quotient is rounded.
    const EXACT: u64 = 1 << 53;
    let quotient =
        || Some(a.checked_div(b)? - i64::from(a % b != 0 && (a < 0) != (b < 0)));
    Some(Value::Int(match operator {
        Operator::Add => a.checked_add(b)?,
        Operator::Sub => a.checked_sub(b)?,
        Operator::Mul => a.checked_mul(b)?,
        Operator::Div if b != 0 && a.unsigned_abs().max(b.unsigned_abs()) <= EXACT => {
            return Some(Value::Float(a as f64 / b as f64));
        }
        Operator::Div => return None,
        Operator::FloorDiv => quotient()?,
        Operator::Mod => a.checked_sub(quotient()?.checked_mul(b)?)?,
        Operator::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
    }))
}

fn big(operator: Operator, a: &BigInt, b: &BigInt) -> Result<Value> {
    if matches!(operator, Operator::Div | Operator::FloorDiv | Operator::Mod) {
        charge_work(2 * words(a) * words(b))?;
    }
    Ok(Value::integer(match operator {
        Operator::Add => a + b,
        Operator::Sub => a - b,
        Operator::Mul => {
            limit(a.bits().saturating_add(b.bits()))?;
            charge_work(words(a) * words(b))?;
            a * b
        }
        Operator::Div => return true_divide(a, b).map(Value::Float),
        Operator::FloorDiv if b.is_zero() => {
            return Err(by_zero("integer division or modulo by zero"));
        }
        Operator::Mod if b.is_zero() => return Err(by_zero("integer modulo by zero")),
        Operator::FloorDiv => divide(a, b).0,
        Operator::Mod => divide(a, b).1,
        Operator::Pow => return power(a, b),
    }))
}

/// Returns the error for a divisor of zero.
pub(super) fn by_zero(message: &str) -> Box<Exception> {
    Exception::new(Class::ZeroDivision, message)
}

/// Returns the number of machine words of an integer. The work of a product or a quotient
/// grows with the product of those of its operands.
pub(super) fn words(number: &BigInt) -> u64 {
    number.bits() / 64 + 1
}

fn limit(bits: u64) -> Result<()> {
    if bits <= MAX_INT_BITS {
        return Ok(());
    }
    let message = format!(
        "an integer of {bits} bits is more than the {MAX_INT_BITS} that are allowed"
    );
    let hint = "no option allows more: a float may do";
    Err(Exception::new(Class::Limit, message).hint(hint))
}

/// Returns the quotient, rounded down, and the remainder, with the sign of the divisor.
fn divide(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let quotient = a / b;
    let rest = a % b;
    if !rest.is_zero() && rest.is_negative() != b.is_negative() {
        (quotient - 1, rest + b)
    } else {
        (quotient, rest)
    }
}

/// Returns the integer nearest to the quotient of two integers, ties to even.
pub(super) fn divide_to_even(a: &BigInt, b: &BigInt) -> BigInt {
    let (whole, rest) = divide(a, b);
    // The rest has the sign of the divisor.
    let up = match (rest * 2_i32).magnitude().cmp(b.magnitude()) {
        Ordering::Less => false,
        Ordering::Equal => whole.bit(0),
        Ordering::Greater => true,
    };
    whole + i32::from(up)
}

/// Returns the float nearest to the quotient of two integers.
fn true_divide(a: &BigInt, b: &BigInt) -> Result<f64> {
    if b.is_zero() {
        return Err(by_zero("division by zero"));
    }
    // A quotient of at least 65 bits: 53 for the float, the rest to round by.
    let shift = 66 + i64::try_from(b.bits()).unwrap_or(i64::MAX / 2)
        - i64::try_from(a.bits()).unwrap_or(i64::MAX / 2);
    let a = a << shift.max(0) as u64;
    let b = b << shift.min(0).unsigned_abs();
    // A last bit that is set for any remainder keeps the conversion from rounding a value
    // just above a half to even.
    let left: BigInt = BigInt::from(u8::from(!(&a % &b).is_zero()));
    let quotient: BigInt = a / b;
    let odd: BigInt =
        if quotient.is_negative() { quotient * 2 - left } else { quotient * 2 + left };
    let mut float = odd.to_f64().unwrap_or(0.0);
    let mut scale = shift.saturating_add(1);
    while scale != 0 && float != 0.0 && float.is_finite() {
        // In steps, because 2**-1074 times 2**1000 is a float and 2**2000 is none.
        let step = scale.clamp(-1000, 1000);
        float *= 2f64.powi(-step as i32);
        scale -= step;
    }
    if float.is_finite() {
        Ok(float)
    } else {
        Err(Exception::of_overflow("integer division result too large for a float"))
    }
}

fn power(base: &BigInt, exponent: &BigInt) -> Result<Value> {
    if exponent.is_negative() {
        let base = Number::Big(base.clone()).float()?;
        let exponent = Number::Big(exponent.clone()).float()?;
        return float(Operator::Pow, base, exponent).map(Value::Float);
    }
    if base.bits() <= 1 {
        let odd = exponent.bit(0) || !base.is_negative();
        return Ok(Value::integer(if exponent.is_zero() {
            1.into()
        } else if odd {
            base.clone()
        } else {
            -base
        }));
    }
    let times = exponent.to_u64().unwrap_or(u64::MAX);
    let bits = (base.bits() - 1).saturating_mul(times);
    limit(bits)?;
    charge_work((bits / 64 + 1).pow(2))?;
    Ok(Value::integer(num_traits::pow(base.clone(), times as usize)))
}

fn float(operator: Operator, a: f64, b: f64) -> Result<f64> {
    match operator {
        Operator::Add => Ok(a + b),
        Operator::Sub => Ok(a - b),
        Operator::Mul => Ok(a * b),
        Operator::Div if b == 0.0 => Err(by_zero("float division by zero")),
        Operator::FloorDiv if b == 0.0 => Err(by_zero("float floor division by zero")),
        Operator::Mod if b == 0.0 => Err(by_zero("float modulo")),
        Operator::Div => Ok(a / b),
        Operator::FloorDiv => Ok(divide_float(a, b).0),
        Operator::Mod => Ok(divide_float(a, b).1),
        Operator::Pow => power_float(a, b),
    }
}

// CPython's `float_divmod`, whose quotient is not `(a / b).floor()`: for 1.0 and 0.1 it
// is 9.
fn divide_float(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest == 0.0 {
        rest = 0f64.copysign(b);
    } else if (b < 0.0) != (rest < 0.0) {
        rest += b;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0f64.copysign(a / b), rest);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, rest)
}

fn power_float(a: f64, b: f64) -> Result<f64> {
    if a == 0.0 && b < 0.0 {
        let message = "0.0 cannot be raised to a negative power";
        return Err(Exception::new(Class::ZeroDivision, message));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0 {
        return Err(Exception::of_value("complex numbers are not supported"));
    }
    let result = a.powf(b);
    if result.is_infinite() && a.is_finite() && b.is_finite() {
        Err(Exception::of_overflow("(34, 'Numerical result out of range')"))
    } else {
        Ok(result)
    }
}

pub(super) fn negate(number: &Number) -> Value {
    match number {
        Number::Small(x) => match x.checked_neg() {
            Some(x) => Value::Int(x),
            None => Value::integer(-BigInt::from(*x)),
        },
        Number::Big(x) => Value::integer(-x),
        Number::Float(x) => Value::Float(-x),
    }
}
