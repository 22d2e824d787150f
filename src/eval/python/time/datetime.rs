//! `datetime.datetime` and `datetime.time`.

use std::cmp::Ordering;

use super::date::{self, Date, EPOCH};
use super::delta::{Delta, seconds};
use super::strftime::{Fields, strftime};
use super::zone::Zone;
use super::{bare, bind, call, integer, text};
use crate::eval::python::character::only;
use crate::eval::python::method::{MethodTable, method, row};
use crate::eval::python::{
    Arguments, Bound, Exception, Object, Operator, Result, Signature, Value,
};

/// A date with a time of day and an optional time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateTime {
    pub date: Date,
    /// Hour, minute, second and microsecond.
    pub clock: [i64; 4],
    /// Time zone; `None` for a naive time.
    pub zone: Option<Zone>,
}

/// The parts of a `datetime`.
const PARTS: &[&str] =
    &["year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"];

/// The methods of `datetime`, aside from those that it has in common with `date`.
const METHODS: MethodTable<DateTime> = &[
    method(Signature::new("astimezone", &[], &["tz"]), |time, arguments| {
        let zone = match arguments.get(0) {
            None | Some(Value::None) => Zone::utc(),
            Some(zone) => zone_argument(zone)?,
        };
        DateTime::of_micros(time.micros(), Some(zone)).map(Value::object)
    }),
    bare("ctime", |time, _| time.date.ctime(&time.fields())),
    bare("date", |time, _| Ok(Value::object(time.date))),
    bare("dst", |_, _| Ok(Value::None)),
    method(
        Signature::new("isoformat", &[], &["sep", "timespec"]),
        DateTime::isoformat_as,
    ),
    method(Signature::new("replace", &[], PARTS), DateTime::replace),
    method(Signature::new("strftime", &["format"], &[]), |time, arguments| {
        strftime(&text(arguments, 0)?, &time.fields()).map(Value::from)
    }),
    bare("time", |time, _| {
        let date = Date::new(1900, 1, 1)?;
        Ok(Value::object(TimeOfDay(DateTime { date, zone: None, ..time.clone() })))
    }),
    bare("timestamp", |time, _| {
        // CPython computes an aware timestamp as a `timedelta` and a naive one with
        // floats; the last bit may differ.
        Ok(Value::Float(if time.zone.is_some() {
            seconds(time.micros())
        } else {
            time.micros().div_euclid(1_000_000) as f64 + time.clock[3] as f64 / 1e6
        }))
    }),
    bare("timetuple", |time, _| Ok(time.fields().tuple())),
    bare("tzname", |time, _| {
        Ok(time.zone.as_ref().map_or(Value::None, |zone| Value::from(zone.name())))
    }),
    bare("utcoffset", |time, _| match &time.zone {
        Some(zone) => Delta::of_seconds(zone.offset).map(Value::object),
        None => Ok(Value::None),
    }),
];

impl DateTime {
    /// Combines date and time. Raises a `ValueError` if there is no such time of day.
    pub fn new(date: Date, clock: [i64; 4], zone: Option<Zone>) -> Result<DateTime> {
        let limits =
            [("hour", 23), ("minute", 59), ("second", 59), ("microsecond", 999_999)];
        for ((name, last), value) in limits.iter().zip(clock) {
            if !(0..=*last).contains(&value) {
                return Err(Exception::of_value(format!("{name} must be in 0..{last}")));
            }
        }
        Ok(DateTime { date, clock, zone })
    }

    /// Returns the local time in a zone, `micros` microseconds after 1970-01-01 UTC.
    /// Fails with an `OverflowError` if the year is outside of 1 to 9999.
    pub fn of_micros(micros: i128, zone: Option<Zone>) -> Result<DateTime> {
        let local =
            micros + i128::from(zone.as_ref().map_or(0, |z| z.offset)) * 1_000_000;
        let days = local.div_euclid(86_400_000_000);
        // Saturates: `of_ordinal` then reports the range error.
        let days = i64::try_from(days).unwrap_or(i64::MAX).saturating_add(EPOCH);
        let rest = local.rem_euclid(86_400_000_000) as i64;
        let seconds = rest / 1_000_000;
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60, rest % 1_000_000];
        DateTime::new(Date::of_ordinal(days)?, clock, zone)
    }

    /// Returns the microseconds since 1970-01-01 UTC. A naive time is taken as UTC.
    pub fn micros(&self) -> i128 {
        let [hour, minute, second, micro] = self.clock;
        let days = self.date.ordinal() - EPOCH;
        let offset = self.zone.as_ref().map_or(0, |zone| zone.offset);
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset;
        i128::from(seconds) * 1_000_000 + i128::from(micro)
    }

    pub fn isoformat(&self, between: char) -> String {
        self.iso(between, if self.clock[3] == 0 { "seconds" } else { "microseconds" })
            .unwrap_or_default()
    }

    fn iso(&self, between: char, precision: &str) -> Option<String> {
        let [hour, minute, second, micro] = self.clock;
        let clock = match precision {
            "hours" => format!("{hour:02}"),
            "minutes" => format!("{hour:02}:{minute:02}"),
            "seconds" => format!("{hour:02}:{minute:02}:{second:02}"),
            "milliseconds" => {
                format!("{hour:02}:{minute:02}:{second:02}.{:03}", micro / 1000)
            }
            "microseconds" => format!("{hour:02}:{minute:02}:{second:02}.{micro:06}"),
            _ => return None,
        };
        let zone = self.zone.as_ref().map_or(String::new(), |zone| zone.suffix(":"));
        Some(format!("{}{between}{clock}{zone}", self.date.isoformat()))
    }

    pub fn fields(&self) -> Fields {
        let epoch = self.micros().div_euclid(1_000_000) as i64;
        Fields { time: self.clone(), micro: Some(self.clock[3]), epoch }
    }

    /// Orders two times. Raises a `TypeError` about times of a `kind` if one has a zone and
    /// the other has none.
    fn compare(&self, other: &DateTime, kind: &str) -> Result<Ordering> {
        if self.zone.is_some() == other.zone.is_some() {
            return Ok(self.micros().cmp(&other.micros()));
        }
        let message = format!("can't compare offset-naive and offset-aware {kind}");
        Err(Exception::of_type(message))
    }

    /// Returns the hour, the minute, and what follows up to the last part that is not 0.
    fn shown_clock(&self) -> String {
        let last = self.clock.iter().rposition(|part| *part != 0).unwrap_or(0).max(1);
        self.clock[..=last].iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
    }

    fn replace(&self, arguments: &Bound) -> Result<Value> {
        let date = self.date.replaced(arguments)?;
        let mut clock = self.clock;
        for (at, part) in clock.iter_mut().enumerate() {
            *part = integer(arguments, at + 3, *part)?;
        }
        let zone = match arguments.get(7) {
            None => self.zone.clone(),
            Some(Value::None) => None,
            Some(zone) => Some(zone_argument(zone)?),
        };
        DateTime::new(date, clock, zone).map(Value::object)
    }

    fn isoformat_as(&self, arguments: &Bound) -> Result<Value> {
        let given = |at: usize, default: &str| match arguments.get(at) {
            None => Ok(default.into()),
            Some(_) => text(arguments, at),
        };
        let between = given(0, "T")?;
        let precision = given(1, "auto")?;
        let Some(between) = only(&between) else {
            let message = "isoformat() argument 1 must be a unicode character, not str";
            return Err(Exception::of_type(message));
        };
        match &*precision {
            "auto" => Ok(Value::from(self.isoformat(between))),
            precision => self.iso(between, precision).map(Value::from).ok_or_else(|| {
                Exception::of_value(format!("Unknown timespec value {precision}"))
            }),
        }
    }
}

fn zone_argument(zone: &Value) -> Result<Zone> {
    let message = "tzinfo argument must be None or of a tzinfo subclass, not type '{}'";
    zone.downcast().cloned().ok_or_else(|| Exception::of_type_of(zone, message))
}

impl Object for DateTime {
    fn type_name(&self) -> &str {
        "datetime"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let [hour, minute, second, micro] = self.clock;
        Ok(Some(match name {
            "year" | "month" | "day" => return self.date.attribute(name),
            "hour" => Value::Int(hour),
            "minute" => Value::Int(minute),
            "second" => Value::Int(second),
            "microsecond" => Value::Int(micro),
            "fold" => Value::Int(0),
            "tzinfo" => self.zone.clone().map_or(Value::None, Value::object),
            _ => {
                let receiver = Value::object(self.clone());
                return Ok(bind(receiver.clone(), METHODS, name)
                    .or_else(|| bind(receiver, date::METHODS, name)));
            }
        }))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        let of = "datetime.datetime";
        match row(METHODS, name) {
            Some(_) => call(METHODS, self, of, name, arguments),
            None => call(date::METHODS, &self.date, of, name, arguments),
        }
    }

    fn display(&self) -> Result<String> {
        Ok(self.isoformat(' '))
    }

    fn repr(&self) -> Result<String> {
        let Date { year, month, day } = self.date;
        let clock = self.shown_clock();
        let mut text = format!("datetime.datetime({year}, {month}, {day}, {clock}");
        if let Some(zone) = &self.zone {
            text.push_str(&format!(", tzinfo={}", zone.repr()?));
        }
        Ok(text + ")")
    }

    fn format(&self, specification: &str) -> Result<String> {
        strftime(specification, &self.fields())
    }

    fn binary(
        &self,
        operator: Operator,
        other: &Value,
        reflected: bool,
    ) -> Result<Option<Value>> {
        if let Some(delta) = other.downcast::<Delta>() {
            let micros = match (operator, reflected) {
                (Operator::Add, _) => self.micros() + delta.micros(),
                (Operator::Sub, false) => self.micros() - delta.micros(),
                _ => return Ok(None),
            };
            let moved = DateTime::of_micros(micros, self.zone.clone())?;
            return Ok(Some(Value::object(moved)));
        }
        let Some(other) = other.downcast::<DateTime>() else { return Ok(None) };
        if operator != Operator::Sub {
            return Ok(None);
        }
        if self.zone.is_some() != other.zone.is_some() {
            let message = "can't subtract offset-naive and offset-aware datetimes";
            return Err(Exception::of_type(message));
        }
        let micros = self.micros() - other.micros();
        let micros = if reflected { -micros } else { micros };
        Ok(Some(Value::object(Delta::of_micros(micros)?)))
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        if other.downcast::<Date>().is_some() {
            let message = "can't compare datetime.datetime to datetime.date";
            return Err(Exception::of_type(message));
        }
        let other = other.downcast::<DateTime>();
        other.map(|other| self.compare(other, "datetimes")).transpose()
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let other = other.downcast::<DateTime>();
        Some(other.map(|other| self.compare(other, "")) == Some(Ok(Ordering::Equal)))
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::from(self.isoformat('T')))
    }
}

/// A time of day with an optional zone. The date of the inner value has no meaning.
#[derive(Clone, Debug)]
pub struct TimeOfDay(DateTime);

impl Object for TimeOfDay {
    fn type_name(&self) -> &str {
        "time"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        match name {
            "hour" | "minute" | "second" | "microsecond" | "fold" | "tzinfo" => {
                self.0.attribute(name)
            }
            "dst" | "isoformat" | "strftime" | "tzname" | "utcoffset" => {
                Ok(bind(Value::object(self.clone()), METHODS, name))
            }
            _ => Ok(None),
        }
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        match name {
            "strftime" | "tzname" | "utcoffset" | "dst" => {
                self.0.call_method(name, arguments)
            }
            "isoformat" => {
                arguments.bind(name, [], 0)?;
                self.display().map(Value::from)
            }
            _ => call::<TimeOfDay>(&[], self, "datetime.time", name, arguments),
        }
    }

    fn display(&self) -> Result<String> {
        let text = self.0.isoformat('T');
        Ok(text.split_once('T').map_or(String::new(), |(_, clock)| clock.to_owned()))
    }

    fn repr(&self) -> Result<String> {
        Ok(format!("datetime.time({})", self.0.shown_clock()))
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        let other = other.downcast::<TimeOfDay>();
        other.map(|other| self.0.compare(&other.0, "times")).transpose()
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let other = other.downcast::<TimeOfDay>();
        Some(other.map(|other| self.0.compare(&other.0, "")) == Some(Ok(Ordering::Equal)))
    }

    fn plain(&self) -> Option<Value> {
        self.display().ok().map(Value::from)
    }
}
