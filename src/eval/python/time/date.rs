//! `datetime.date`.

use std::cmp::Ordering;

use jiff::{SignedDuration, civil};

use super::calendar;
use super::datetime::DateTime;
use super::delta::Delta;
use super::strftime::{Fields, strftime};
use super::{bare, bind, call, integer, text};
use crate::eval::python::method::{MethodTable, method};
use crate::eval::python::{
    Arguments, Bound, Exception, Object, Operator, Result, Signature, Value,
};

/// A date of the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    pub year: i64,
    /// Month, from 1 to 12.
    pub month: i64,
    /// Day of the month, from 1.
    pub day: i64,
}

/// Ordinal of 1970-01-01, as `date.toordinal()` counts: 0001-01-01 is day 1.
pub const EPOCH: i64 = 719_163;

/// The methods of `date`. Those that `datetime` lacks work on its date.
pub const METHODS: MethodTable<Date> = &[
    bare("ctime", |date, _| date.ctime(&date.fields())),
    bare("isocalendar", |date, _| Ok(Value::tuple(date.week().map(Value::Int)))),
    bare("isoformat", |date, _| Ok(date.isoformat().into())),
    bare("isoweekday", |date, _| Ok(Value::Int(date.weekday() + 1))),
    method(
        Signature::new("replace", &[], &["year", "month", "day"]),
        |date, arguments| date.replaced(arguments).map(Value::object),
    ),
    method(Signature::new("strftime", &["format"], &[]), |date, arguments| {
        strftime(&text(arguments, 0)?, &date.fields()).map(Value::from)
    }),
    bare("timetuple", |date, _| Ok(date.fields().tuple())),
    bare("toordinal", |date, _| Ok(Value::Int(date.ordinal()))),
    bare("weekday", |date, _| Ok(Value::Int(date.weekday()))),
];

impl Date {
    /// Makes a date. Raises a `ValueError` if there is no such day.
    pub fn new(year: i64, month: i64, day: i64) -> Result<Date> {
        if !(1..=9999).contains(&year) {
            return Err(Exception::of_value(format!("year {year} is out of range")));
        }
        if !(1..=12).contains(&month) {
            return Err(Exception::of_value("month must be in 1..12"));
        }
        if !(1..=calendar::days_in(year, month)).contains(&day) {
            return Err(Exception::of_value("day is out of range for month"));
        }
        Ok(Date { year, month, day })
    }

    fn civil(self) -> civil::Date {
        let date = civil::Date::new(self.year as i16, self.month as i8, self.day as i8);
        date.unwrap_or_default()
    }

    pub fn ordinal(self) -> i64 {
        calendar::first_day(self.year) + self.yearday() - 1
    }

    /// Returns the day of the year, from 1.
    pub fn yearday(self) -> i64 {
        self.civil().day_of_year().into()
    }

    /// Returns the day of the week; Monday is 0.
    pub fn weekday(self) -> i64 {
        calendar::weekday(self.ordinal())
    }

    /// Returns the ISO year, the week and the day, from 1.
    pub fn week(self) -> [i64; 3] {
        let date = self.civil().iso_week_date();
        [date.year().into(), date.week().into(), self.weekday() + 1]
    }

    /// Implements `date.fromordinal(number)`. Raises an `OverflowError` for other years.
    pub fn of_ordinal(number: i64) -> Result<Date> {
        // 3,652,059 is the ordinal of 9999-12-31.
        if !(1..=3_652_059).contains(&number) {
            return Err(Exception::of_overflow("date value out of range"));
        }
        // From 1970 on: `jiff` refuses more days than there are from there to 9999.
        let days = SignedDuration::from_hours(24 * (number - EPOCH));
        let date = civil::date(1970, 1, 1).saturating_add(days);
        let day = date.day().into();
        Ok(Date { year: date.year().into(), month: date.month().into(), day })
    }

    pub fn isoformat(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    pub fn fields(self) -> Fields {
        let time = DateTime { date: self, clock: [0; 4], zone: None };
        Fields { time, micro: None, epoch: 0 }
    }

    /// Implements `ctime()` of a time at this date.
    pub fn ctime(self, fields: &Fields) -> Result<Value> {
        let clock = strftime("%a %b %e %H:%M:%S", fields)?;
        Ok(Value::from(format!("{clock} {:04}", self.year)))
    }

    /// Returns the date with the parts that the first three arguments give.
    pub fn replaced(self, arguments: &Bound) -> Result<Date> {
        let year = integer(arguments, 0, self.year)?;
        let month = integer(arguments, 1, self.month)?;
        Date::new(year, month, integer(arguments, 2, self.day)?)
    }
}

impl Object for Date {
    fn type_name(&self) -> &str {
        "date"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        Ok(Some(match name {
            "year" => Value::Int(self.year),
            "month" => Value::Int(self.month),
            "day" => Value::Int(self.day),
            _ => return Ok(bind(Value::object(*self), METHODS, name)),
        }))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        call(METHODS, self, "datetime.date", name, arguments)
    }

    fn display(&self) -> Result<String> {
        Ok(self.isoformat())
    }

    fn repr(&self) -> Result<String> {
        Ok(format!("datetime.date({}, {}, {})", self.year, self.month, self.day))
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
            let sign = match (operator, reflected) {
                (Operator::Add, _) => 1,
                (Operator::Sub, false) => -1,
                _ => return Ok(None),
            };
            let number = self.ordinal() + sign * delta.days();
            return Ok(Some(Value::object(Date::of_ordinal(number)?)));
        }
        match (operator, other.downcast::<Date>()) {
            (Operator::Sub, Some(other)) => {
                let days = self.ordinal() - other.ordinal();
                let days = if reflected { -days } else { days };
                Ok(Some(Value::object(Delta::of_days(days)?)))
            }
            _ => Ok(None),
        }
    }

    fn order(&self, other: &Value) -> Result<Option<Ordering>> {
        if other.downcast::<DateTime>().is_some() {
            let message = "can't compare datetime.datetime to datetime.date";
            return Err(Exception::of_type(message));
        }
        Ok(other.downcast::<Date>().map(|other| self.cmp(other)))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<Date>() == Some(self))
    }

    fn plain(&self) -> Option<Value> {
        Some(Value::from(self.isoformat()))
    }
}
