//! Quantities: numbers with units of size, time, frequency or bit rate, as TOSCA writes them.

use std::cmp::Ordering;

use crate::eval::python::{self, Exception, Object, Operator, Result, Value, binary};

#[derive(Debug, PartialEq)]
struct Unit {
    /// Size, time, frequency or bit rate.
    dimension: &'static str,
    name: &'static str,
    /// Factor to the base unit of the dimension.
    factor: f64,
}

const fn unit(dimension: &'static str, name: &'static str, factor: f64) -> Unit {
    Unit { dimension, name, factor }
}

#[rustfmt::skip]
const UNITS: &[Unit] = &[
    unit("Size", "B", 1.0), unit("Size", "kB", 1e3), unit("Size", "KiB", 1024.0),
    unit("Size", "MB", 1e6), unit("Size", "MiB", 1048576.0), unit("Size", "GB", 1e9),
    unit("Size", "GiB", 1073741824.0), unit("Size", "TB", 1e12),
    unit("Size", "TiB", 1099511627776.0), unit("Time", "d", 86400.0), unit("Time", "h", 3600.0),
    unit("Time", "m", 60.0), unit("Time", "s", 1.0), unit("Time", "ms", 1e-3),
    unit("Time", "us", 1e-6), unit("Time", "ns", 1e-9), unit("Frequency", "Hz", 1.0),
    unit("Frequency", "kHz", 1e3), unit("Frequency", "MHz", 1e6), unit("Frequency", "GHz", 1e9),
    unit("Bitrate", "bps", 1.0), unit("Bitrate", "Kbps", 1e3), unit("Bitrate", "Kibps", 1024.0),
    unit("Bitrate", "Mbps", 1e6), unit("Bitrate", "Mibps", 1048576.0), unit("Bitrate", "Gbps", 1e9),
    unit("Bitrate", "Gibps", 1073741824.0), unit("Bitrate", "Tbps", 1e12),
    unit("Bitrate", "Tibps", 1099511627776.0),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rounding {
    /// To an integer; numbers below one stay.
    Sensible,
    Up,
    Down,
    Digits(i64),
}

/// A number with a unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// In the base unit of the dimension.
    value: f64,
    unit: &'static Unit,
}

impl Quantity {
    /// Parses a quantity such as `5 MB`.
    pub(super) fn read(text: &str) -> Option<Quantity> {
        let (number, unit) = split(text)?;
        let unit = find(unit?)?;
        Some(Quantity { value: number.parse::<f64>().ok()? * unit.factor, unit })
    }

    /// Returns true if both are equal and have the same dimension.
    pub(super) fn is_like(&self, other: &Quantity) -> bool {
        self.value == other.value && self.unit.dimension == other.unit.dimension
    }

    fn spell(&self) -> String {
        let number = self.value / self.unit.factor;
        // A float holds every integer below 1e15 exactly.
        let number = if number.fract() == 0.0 && number.abs() < 1e15 {
            Value::Int(number as i64)
        } else {
            Value::Float(number)
        };
        format!("{} {}", python::str(&number).unwrap_or_default(), self.unit.name)
    }
}

/// Returns the number and the unit at the start of a text.
fn split(text: &str) -> Option<(&str, Option<&str>)> {
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = bare.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(bare.len());
    if end == 0 {
        return None;
    }
    let (number, rest) = text.split_at(text.len() - bare.len() + end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('*').unwrap_or(rest).trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some((number, (end > 0).then_some(&rest[..end])))
}

fn find(name: &str) -> Option<&'static Unit> {
    // TOSCA ignores the case of units.
    let exact = UNITS.iter().find(|unit| unit.name == name);
    exact.or_else(|| UNITS.iter().find(|unit| unit.name.eq_ignore_ascii_case(name)))
}

/// Returns a quantity as a number of `unit`, or of its own unit; null if the text is no
/// number. Raises a `ValueError` if a unit is unknown.
pub(super) fn value_in(text: &str, unit: Option<&str>, round: Rounding) -> Result<Value> {
    let Some((number, own)) = split(text) else { return Ok(Value::None) };
    let Ok(mut value) = number.parse::<f64>() else { return Ok(Value::None) };
    let is_whole = !number.contains('.') && unit.is_none();
    if let Some(unit) = unit {
        if let Some(own) = own {
            value *= factor(own)?;
        }
        value /= factor(unit)?;
    }
    Ok(match round {
        Rounding::Up => whole(value.ceil()),
        Rounding::Down => whole(value.floor()),
        Rounding::Digits(_) if is_whole => whole(value),
        Rounding::Digits(digits) => python::round(&Value::Float(value), digits)?,
        Rounding::Sensible if value.abs() < 1.0 && !is_whole => Value::Float(value),
        Rounding::Sensible => whole(value.round_ties_even()),
    })
}

fn factor(name: &str) -> Result<f64> {
    match find(name) {
        Some(unit) => Ok(unit.factor),
        None => Err(Exception::of_value(format!("unknown unit '{name}'"))),
    }
}

fn whole(value: f64) -> Value {
    num_traits::FromPrimitive::from_f64(value).map_or(Value::None, Value::integer)
}

/// Returns the value for arithmetic: of a quantity, the number in the base unit.
fn number(value: &Value) -> Value {
    value
        .downcast::<Quantity>()
        .map_or_else(|| value.clone(), |own| Value::Float(own.value))
}

impl Object for Quantity {
    fn type_name(&self) -> &str {
        self.unit.dimension
    }

    fn truth(&self) -> Result<bool> {
        Ok(self.value != 0.0)
    }

    fn display(&self) -> Result<String> {
        Ok(self.spell())
    }

    fn binary(
        &self,
        operator: Operator,
        other: &Value,
        _reflected: bool,
    ) -> Result<Option<Value>> {
        // A power would need another dimension.
        if operator == Operator::Pow {
            return Ok(None);
        }
        let value = binary(operator, &Value::Float(self.value), &number(other))?;
        Ok(match value {
            Value::Float(value) => {
                Some(Value::object(Quantity { value, unit: self.unit }))
            }
            _ => None,
        })
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        match other.downcast::<Quantity>() {
            Some(other) if other.unit.dimension != self.unit.dimension => Ok(None),
            _ => match number(other) {
                Value::Float(other) => Ok(self.value.partial_cmp(&other)),
                Value::Int(other) => Ok(self.value.partial_cmp(&(other as f64))),
                _ => Ok(None),
            },
        }
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(matches!(self.order(other), Ok(Some(Ordering::Equal))))
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::text(self.spell()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Option<String> {
        Quantity::read(text).map(|scalar| scalar.spell())
    }

    #[test]
    fn units_are_found_whatever_their_case() {
        assert_eq!(spelled("5mb").as_deref(), Some("5 MB"));
        assert_eq!(spelled("1.5 * gib").as_deref(), Some("1.5 GiB"));
        assert_eq!(spelled("5").or(spelled("junk")).or(spelled("5 zork")), None);
    }

    #[test]
    fn values_are_rounded() {
        let value = |text, unit, round| {
            python::repr(&value_in(text, unit, round).unwrap_or(Value::None))
        };
        assert_eq!(value("1500 kb", Some("mb"), Rounding::Sensible).as_deref(), Ok("2"));
        assert_eq!(
            value("1500 kb", Some("mb"), Rounding::Digits(1)).as_deref(),
            Ok("1.5")
        );
        assert_eq!(value("6 mb", Some("gb"), Rounding::Digits(2)).as_deref(), Ok("0.01"));
        assert_eq!(value("junk", None, Rounding::Up).as_deref(), Ok("None"));
    }
}
