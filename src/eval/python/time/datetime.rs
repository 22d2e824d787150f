//! `datetime.datetime` and `datetime.time`.

use std::cmp::Ordering;

use super::date::Date;
use super::delta::{Delta, seconds};
use super::method::{self, IntegerArguments};
use super::strftime::{Fields, strftime};
use super::zone::Zone;
use crate::eval::python::{Arguments, Exception, Object, Operator, Result, Value};

/// A date with a time of day and an optional time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateTime {
    pub date: Date,
    /// Hour, minute, second and microsecond.
    pub clock: [i64; 4],
    /// Time zone; `None` for a naive time.
    pub zone: Option<Zone>,
}

/// Ordinal of 1970-01-01.
const EPOCH: i64 = 719_163;

const METHODS: &[&str] = &[
    "astimezone",
    "ctime",
    "date",
    "dst",
    "isocalendar",
    "isoformat",
    "isoweekday",
    "replace",
    "strftime",
    "time",
    "timestamp",
    "timetuple",
    "toordinal",
    "tzname",
    "utcoffset",
    "weekday",
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
        let [hour, minute, second, micro] = self.clock;
        let mut fields = Fields::new(
            [self.date.year, self.date.month, self.date.day],
            [hour, minute, second],
            self.zone.as_ref(),
        );
        fields.micro = Some(micro);
        fields.epoch = self.micros().div_euclid(1_000_000) as i64;
        fields
    }

    fn replace(&self, arguments: Arguments) -> Result<Value> {
        let names =
            ["year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"];
        let values = arguments.bind("replace", names, 0)?;
        let integers = IntegerArguments(&values);
        let Date { year, month, day } = self.date;
        let date = Date::new(
            integers.or(0, year)?,
            integers.or(1, month)?,
            integers.or(2, day)?,
        )?;
        let mut clock = self.clock;
        for (at, part) in clock.iter_mut().enumerate() {
            *part = integers.or(at + 3, *part)?;
        }
        let zone = match &values[7] {
            None => self.zone.clone(),
            Some(Value::None) => None,
            Some(zone) => Some(self.zone_argument(zone)?),
        };
        Ok(Value::object(DateTime::new(date, clock, zone)?))
    }

    fn zone_argument(&self, zone: &Value) -> Result<Zone> {
        zone.downcast::<Zone>().cloned().ok_or_else(|| {
            Exception::of_type(format!(
                "tzinfo argument must be None or of a tzinfo subclass, not type '{}'",
                zone.type_name()
            ))
        })
    }

    fn isoformat_as(&self, arguments: Arguments) -> Result<Value> {
        let [between, precision] = arguments.bind("isoformat", ["sep", "timespec"], 0)?;
        let between =
            between.map_or(Ok("T".to_owned()), |b| method::text("isoformat", Some(b)))?;
        let precision = precision
            .map_or(Ok("auto".to_owned()), |p| method::text("isoformat", Some(p)))?;
        let mut chars = between.chars();
        let (Some(between), None) = (chars.next(), chars.next()) else {
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
            _ => return Ok(method::bind(Value::object(self.clone()), METHODS, name)),
        }))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        match name {
            "isoformat" => return self.isoformat_as(arguments),
            "replace" => return self.replace(arguments),
            "strftime" => {
                let [format] = arguments.bind(name, ["format"], 1)?;
                let text = strftime(&method::text(name, format)?, &self.fields())?;
                return Ok(Value::from(text));
            }
            "astimezone" => {
                let [zone] = arguments.bind(name, ["tz"], 0)?;
                let zone = match zone {
                    None | Some(Value::None) => Zone::utc(),
                    Some(zone) => self.zone_argument(&zone)?,
                };
                return Ok(Value::object(DateTime::of_micros(
                    self.micros(),
                    Some(zone),
                )?));
            }
            _ => {}
        }
        let zone = self.zone.as_ref();
        let value = match name {
            "date" => Value::object(self.date),
            "time" => {
                let date = Date::new(1900, 1, 1)?;
                Value::object(TimeOfDay(DateTime { date, zone: None, ..self.clone() }))
            }
            // CPython computes an aware timestamp as a `timedelta` and a naive one with
            // floats; the last bit may differ.
            "timestamp" if zone.is_some() => Value::Float(seconds(self.micros())),
            "timestamp" => {
                let whole = self.micros().div_euclid(1_000_000) as f64;
                Value::Float(whole + self.clock[3] as f64 / 1e6)
            }
            "tzname" => zone.map_or(Value::None, |zone| Value::from(zone.name())),
            "dst" => Value::None,
            "utcoffset" => match zone {
                Some(zone) => Value::object(Delta::of_seconds(zone.offset)?),
                None => Value::None,
            },
            _ => match self.date.common(name, &self.fields())? {
                Some(value) => value,
                None => return Err(method::unknown("datetime.datetime", name)),
            },
        };
        arguments.bind(name, [], 0)?;
        Ok(value)
    }

    fn display(&self) -> Result<String> {
        Ok(self.isoformat(' '))
    }

    fn repr(&self) -> Result<String> {
        let Date { year, month, day } = self.date;
        let mut text = format!("datetime.datetime({year}, {month}, {day}");
        let last = self.clock.iter().rposition(|part| *part != 0).unwrap_or(0).max(1);
        for part in &self.clock[..=last] {
            text.push_str(&format!(", {part}"));
        }
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
        let Some(other) = other.downcast::<DateTime>() else { return Ok(None) };
        if self.zone.is_some() != other.zone.is_some() {
            let message = "can't compare offset-naive and offset-aware datetimes";
            return Err(Exception::of_type(message));
        }
        Ok(Some(self.micros().cmp(&other.micros())))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<DateTime>().is_some_and(|other| {
            self.zone.is_some() == other.zone.is_some() && self.micros() == other.micros()
        }))
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::from(self.isoformat('T')))
    }
}

/// A time of day with an optional zone. The date of the inner value has no meaning.
#[derive(Clone, Debug)]
pub struct TimeOfDay(DateTime);

const TIME_METHODS: &[&str] = &["dst", "isoformat", "strftime", "tzname", "utcoffset"];

impl Object for TimeOfDay {
    fn type_name(&self) -> &str {
        "time"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        match name {
            "hour" | "minute" | "second" | "microsecond" | "fold" | "tzinfo" => {
                self.0.attribute(name)
            }
            _ => Ok(method::bind(Value::object(self.clone()), TIME_METHODS, name)),
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
            _ => Err(method::unknown("datetime.time", name)),
        }
    }

    fn display(&self) -> Result<String> {
        let text = self.0.isoformat('T');
        Ok(text.split_once('T').map_or(String::new(), |(_, clock)| clock.to_owned()))
    }

    fn repr(&self) -> Result<String> {
        let clock = &self.0.clock;
        let last = clock.iter().rposition(|part| *part != 0).unwrap_or(0).max(1);
        let parts: Vec<String> = clock[..=last].iter().map(i64::to_string).collect();
        Ok(format!("datetime.time({})", parts.join(", ")))
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        let Some(TimeOfDay(other)) = other.downcast::<TimeOfDay>() else {
            return Ok(None);
        };
        if self.0.zone.is_some() == other.zone.is_some() {
            Ok(Some(self.0.micros().cmp(&other.micros())))
        } else {
            Err(Exception::of_type("can't compare offset-naive and offset-aware times"))
        }
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<TimeOfDay>().is_some_and(|TimeOfDay(other)| {
            self.0.zone.is_some() == other.zone.is_some()
                && self.0.micros() == other.micros()
        }))
    }

    fn plain(&self) -> Option<Value> {
        self.display().ok().map(Value::from)
    }
}
