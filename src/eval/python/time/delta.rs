//! `datetime.timedelta`.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::{bare, bind, call};
use crate::eval::python::method::MethodTable;
use crate::eval::python::number::{by_zero, divide_to_even};
use crate::eval::python::{
    Arguments, Exception, Number, Object, Operator, Result, Value, float,
};

/// A duration in microseconds, of at most 999,999,999 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta(i128);

const METHODS: MethodTable<Delta> =
    &[bare("total_seconds", |delta, _| Ok(Value::Float(delta.total())))];

const SECOND: i128 = 1_000_000;
const DAY: i128 = 86_400 * SECOND;

impl Delta {
    /// Makes a duration. Like all units, raises an `OverflowError` if it is too long.
    pub fn of_micros(micros: i128) -> Result<Delta> {
        let days = micros.div_euclid(DAY);
        if days.abs() <= 999_999_999 {
            Ok(Delta(micros))
        } else {
            let message = format!("days={days}; must have magnitude <= 999999999");
            Err(Exception::of_overflow(message))
        }
    }

    pub fn of_seconds(seconds: i64) -> Result<Delta> {
        Delta::of_micros(i128::from(seconds) * SECOND)
    }

    pub fn of_days(days: i64) -> Result<Delta> {
        Delta::of_micros(i128::from(days) * DAY)
    }

    pub fn micros(self) -> i128 {
        self.0
    }

    /// Implements `delta.days`.
    pub fn days(self) -> i64 {
        self.0.div_euclid(DAY) as i64
    }

    pub fn seconds(self) -> i64 {
        (self.0.rem_euclid(DAY) / SECOND) as i64
    }

    pub fn microseconds(self) -> i64 {
        (self.0.rem_euclid(SECOND)) as i64
    }

    /// Implements `delta.total_seconds()`.
    pub fn total(self) -> f64 {
        seconds(self.0)
    }

    fn scale(self, operator: Operator, number: &Number) -> Result<Option<Value>> {
        let micros = match (operator, number) {
            // Saturates: `of_micros` then reports the range error.
            (Operator::Mul, Number::Small(x)) => self.0.saturating_mul(i128::from(*x)),
            (Operator::Mul, Number::Float(x)) => {
                let (above, below) = ratio(*x)?;
                rounded(&(above * self.0), &below)?
            }
            (Operator::Div | Operator::FloorDiv, Number::Small(0)) => return Err(zero()),
            (Operator::FloorDiv, Number::Small(x)) => floor(self.0, (*x).into()),
            (Operator::Div, Number::Small(x)) => rounded(&self.0.into(), &(*x).into())?,
            (Operator::Div, Number::Float(0.0)) => return Err(zero()),
            (Operator::Div, Number::Float(x)) => {
                let (above, below) = ratio(*x)?;
                rounded(&(below * self.0), &above)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Value::object(Delta::of_micros(micros)?)))
    }

    fn combine(self, operator: Operator, other: Delta) -> Result<Option<Value>> {
        let micros = match operator {
            Operator::Add => self.0 + other.0,
            Operator::Sub => self.0 - other.0,
            Operator::Div | Operator::FloorDiv | Operator::Mod if other.0 == 0 => {
                return Err(zero());
            }
            Operator::Div => {
                return Ok(Some(Value::Float(self.0 as f64 / other.0 as f64)));
            }
            Operator::FloorDiv => {
                return Ok(Some(Value::integer(floor(self.0, other.0).into())));
            }
            Operator::Mod => self.0 - floor(self.0, other.0) * other.0,
            Operator::Mul | Operator::Pow => return Ok(None),
        };
        Ok(Some(Value::object(Delta::of_micros(micros)?)))
    }
}

fn zero() -> Box<Exception> {
    by_zero("integer division or modulo by zero")
}

/// Returns microseconds in seconds, rounded to the nearest float.
pub fn seconds(micros: i128) -> f64 {
    let sign = if micros < 0 { "-" } else { "" };
    let micros = micros.unsigned_abs();
    // Parsed from text: a division of two floats would round twice.
    let text = format!("{sign}{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.parse().unwrap_or(f64::NAN)
}

/// Returns a float as a fraction with a positive denominator.
fn ratio(x: f64) -> Result<(BigInt, BigInt)> {
    if !x.is_finite() {
        return Err(Exception::of_overflow(
            "cannot convert this float to an integer ratio",
        ));
    }
    // The exact ratio is needed: CPython rounds `delta * float` once, at the end.
    Ok(float::ratio(x))
}

fn floor(a: i128, b: i128) -> i128 {
    let whole = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { whole - 1 } else { whole }
}

/// Divides integers. Rounds to the nearest, ties to even.
fn rounded(a: &BigInt, b: &BigInt) -> Result<i128> {
    i128::try_from(divide_to_even(a, b))
        .map_err(|_| Exception::of_overflow("Python int too large to convert to C int"))
}

impl Object for Delta {
    fn type_name(&self) -> &str {
        "timedelta"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        Ok(Some(match name {
            "days" => Value::Int(self.days()),
            "seconds" => Value::Int(self.seconds()),
            "microseconds" => Value::Int(self.microseconds()),
            _ => return Ok(bind(Value::object(*self), METHODS, name)),
        }))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        call(METHODS, self, "datetime.timedelta", name, arguments)
    }

    fn truth(&self) -> Result<bool> {
        Ok(self.0 != 0)
    }

    fn display(&self) -> Result<String> {
        let days = self.days();
        let seconds = self.seconds();
        let micros = self.microseconds();
        let clock = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = format!("{}:{:02}:{:02}", clock.0, clock.1, clock.2);
        if micros != 0 {
            text.push_str(&format!(".{micros:06}"));
        }
        Ok(match days {
            0 => text,
            1 | -1 => format!("{days} day, {text}"),
            _ => format!("{days} days, {text}"),
        })
    }

    fn repr(&self) -> Result<String> {
        let parts = [
            ("days", self.days()),
            ("seconds", self.seconds()),
            ("microseconds", self.microseconds()),
        ];
        let parts = parts.iter().filter(|(_, x)| *x != 0);
        let parts: Vec<String> = parts.map(|(name, x)| format!("{name}={x}")).collect();
        let parts = if parts.is_empty() { "0".to_owned() } else { parts.join(", ") };
        Ok(format!("datetime.timedelta({parts})"))
    }

    fn binary(
        &self,
        operator: Operator,
        other: &Value,
        reflected: bool,
    ) -> Result<Option<Value>> {
        if let Some(other) = other.downcast::<Delta>() {
            let (a, b) = if reflected { (other, self) } else { (self, other) };
            return a.combine(operator, *b);
        }
        match Number::of(other) {
            Some(number) if !reflected || operator == Operator::Mul => {
                self.scale(operator, &number)
            }
            _ => Ok(None),
        }
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        Ok(other.downcast::<Delta>().map(|other| self.cmp(other)))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<Delta>() == Some(self))
    }

    fn plain(&self) -> Option<Value> {
        self.display().ok().map(Value::from)
    }
}
