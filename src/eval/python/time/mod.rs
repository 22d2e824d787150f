//! Python's `datetime` and `dateutil`: dates, times, durations, and their texts.

mod calendar;
mod date;
mod datetime;
mod dateutil;
mod delta;
mod method;
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

use super::Value;

/// Returns true for a date, a time, a point in time or a duration.
pub fn is_time(value: &Value) -> bool {
    let is_point = value.downcast::<DateTime>().is_some();
    let is_part =
        value.downcast::<Date>().is_some() || value.downcast::<TimeOfDay>().is_some();
    is_point || is_part || value.downcast::<Delta>().is_some()
}

#[cfg(test)]
mod tests {
    use super::{DateTime, Delta, strftime, strptime};
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
        assert!(Delta::of_days(1_000_000_000).is_err() && time(i128::MAX / 2).is_err());
        Ok(())
    }
}
