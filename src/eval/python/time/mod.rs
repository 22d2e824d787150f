//! Python's `datetime` and `dateutil`: dates, times, durations, and their texts.

mod calendar;
mod date;
mod datetime;
mod dateutil;
mod delta;
mod strftime;
mod strptime;
mod zone;

pub use date::Date;
pub use datetime::DateTime;
pub use dateutil::parse;
pub use delta::Delta;
pub use strftime::strftime;
pub use strptime::strptime;
pub use zone::Zone;

use datetime::TimeOfDay;

use super::access::no_attribute_of;
use super::method::{MethodRow, MethodTable, method, row};
use super::{Arguments, Bound, Method, Result, Signature, Str, Value, index};

/// Returns true for a date, a time, a point in time or a duration.
pub fn is_time(value: &Value) -> bool {
    let is_point = value.downcast::<DateTime>().is_some();
    let is_part =
        value.downcast::<Date>().is_some() || value.downcast::<TimeOfDay>().is_some();
    is_point || is_part || value.downcast::<Delta>().is_some()
}

/// A method without parameters.
const fn bare<T>(
    name: &'static str,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    method(Signature::new(name, &[], &[]), run)
}

/// Returns the bound method of a name, if it is one of `methods`.
fn bind<T>(receiver: Value, methods: MethodTable<T>, name: &str) -> Option<Value> {
    let row = row(methods, name)?;
    Some(Value::object(Method::new(receiver, row.signature.name())))
}

/// Calls one of `methods`. Raises an `AttributeError` that names the type `of` if it is
/// none of them.
fn call<T>(
    methods: MethodTable<T>,
    receiver: &T,
    of: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Value> {
    let row = row(methods, name).ok_or_else(|| no_attribute_of(of, name))?;
    (row.run)(receiver, &row.signature.bind(arguments)?)
}

/// Returns an argument that must be a string.
fn text(arguments: &Bound, at: usize) -> Result<Str> {
    arguments
        .text(at, |of| format!("{}() argument 1 must be str, not {of}", arguments.name()))
}

/// Returns an argument that must be an integer, or the default if it was left out.
fn integer(arguments: &Bound, at: usize, default: i64) -> Result<i64> {
    arguments.get(at).map_or(Ok(default), |value| index(value, "int"))
}

#[cfg(test)]
mod tests {
    use super::{Date, DateTime, Delta, strftime, strptime};
    use crate::eval::python::{Operator, Result, Value, binary, repr, str};

    #[test]
    fn reads_and_writes() -> Result<()> {
        let time = strptime(
            "Tue 14 Nov 2023, 10:13:20.5 PM +0130",
            "%a %d %b %Y, %I:%M:%S.%f %p %z",
        )?;
        assert_eq!(time.isoformat(' '), "2023-11-14 22:13:20.500000+01:30");
        let shown = strftime("%j %U %V %-d|%e|%5m|%^a|%f|%z|%Q", &time.fields())?;
        assert_eq!(shown, "318 46 46 14|14|00011|TUE|500000|+0130|%Q");
        assert_eq!(
            strptime("2020-W53-5", "%G-W%V-%u")?.isoformat(' '),
            "2021-01-01 00:00:00"
        );
        let wrong = strptime("x", "%Y").map_err(|e| e.message);
        assert_eq!(wrong, Err("time data 'x' does not match format '%Y'".to_owned()));
        Ok(())
    }

    #[test]
    fn calculates() -> Result<()> {
        let time = |micros| DateTime::of_micros(micros, None).map(Value::object);
        let (a, b) = (time(1_709_294_400_000_000)?, time(1_709_121_600_000_000)?);
        let between = binary(Operator::Sub, &b, &a)?;
        assert_eq!(str(&between)?, "-2 days, 0:00:00");
        let third = binary(Operator::Div, &between, &Value::Int(7))?;
        assert_eq!(
            repr(&third)?,
            "datetime.timedelta(days=-1, seconds=61714, microseconds=285714)"
        );
        assert_eq!(
            str(&binary(Operator::Add, &a, &third)?)?,
            "2024-03-01 05:08:34.285714"
        );
        let days =
            [(1, "0001-01-01"), (3_000_000, "8214-09-21"), (3_652_059, "9999-12-31")];
        for (number, shown) in days {
            let date = Date::of_ordinal(number)?;
            assert_eq!((date.isoformat().as_str(), date.ordinal()), (shown, number));
        }
        assert!(Delta::of_days(1_000_000_000).is_err() && time(i128::MAX / 2).is_err());
        Ok(())
    }
}
