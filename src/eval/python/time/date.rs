//! `datetime.date`.

use std::cmp::Ordering;

use super::calendar;
use super::delta::Delta;
use super::method::{bare, bind, call, integer, text};
use super::strftime::{Fields, strftime};
use crate::eval::python::method::{MethodTable, method};
use crate::eval::python::{
    Arguments, Bound, Class, Exception, Object, Operator, Result, Signature, Value,
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

/// The methods of `date`. Those that `datetime` lacks work on its date.
pub const METHODS: MethodTable<Date> = &[
    bare("ctime", |date, _| date.ctime(&date.fields())),
    bare("isocalendar", |date, _| {
        let (year, week, day) = calendar::week(date.ordinal());
        Ok(Value::tuple([year, week, day].map(Value::Int)))
    }),
    bare("isoformat", |date, _| Ok(date.isoformat().into())),
    bare("isoweekday", |date, _| Ok(Value::Int(calendar::weekday(date.ordinal()) + 1))),
    method(
        Signature::new("replace", &[], &["year", "month", "day"]),
        |date, arguments| date.replaced(arguments).map(Value::object),
    ),
    method(Signature::new("strftime", &["format"], &[]), |date, arguments| {
        strftime(&text(arguments, 0)?, &date.fields()).map(Value::from)
    }),
    bare("timetuple", |date, _| Ok(date.fields().tuple())),
    bare("toordinal", |date, _| Ok(Value::Int(date.ordinal()))),
    bare("weekday", |date, _| Ok(Value::Int(calendar::weekday(date.ordinal())))),
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

    pub fn ordinal(self) -> i64 {
        calendar::ordinal(self.year, self.month, self.day)
    }

    /// Implements `date.fromordinal(number)`. Raises an `OverflowError` for other years.
    pub fn of_ordinal(number: i64) -> Result<Date> {
        // 3,652,059 is the ordinal of 9999-12-31.
        if !(1..=3_652_059).contains(&number) {
            return Err(Exception::new(Class::Overflow, "date value out of range"));
        }
        let (year, month, day) = calendar::civil(number);
        Ok(Date { year, month, day })
    }

    pub fn isoformat(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    pub fn fields(self) -> Fields {
        Fields::new([self.year, self.month, self.day], [0; 3], None)
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
        // Compared by name: `DateTime` holds a `Date`, so an import would be a cycle.
        if other.type_name() == "datetime" {
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
