//! `datetime.timezone`.

use super::delta::Delta;
use super::{bind, call};
use crate::eval::python::method::{MethodTable, method};
use crate::eval::python::{Arguments, Exception, Object, Result, Signature, Value};

/// A fixed offset from UTC, with an optional name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Seconds east of UTC.
    pub offset: i64,
    name: Option<String>,
}

const METHODS: MethodTable<Zone> = &[
    method(Signature::new("dst", &["dt"], &[]), |_, _| Ok(Value::None)),
    method(Signature::new("tzname", &["dt"], &[]), |zone, _| Ok(zone.name().into())),
    method(Signature::new("utcoffset", &["dt"], &[]), |zone, _| {
        Delta::of_seconds(zone.offset).map(Value::object)
    }),
];

impl Zone {
    pub fn utc() -> Zone {
        Zone { offset: 0, name: None }
    }

    /// Implements `timezone(timedelta(seconds=offset))`, for offsets below a day.
    pub fn offset(offset: i64) -> Result<Zone> {
        if offset.unsigned_abs() < 86_400 {
            return Ok(Zone { offset, name: None });
        }
        let message = "offset must be a timedelta strictly between -timedelta(hours=24) and \
                       timedelta(hours=24).";
        Err(Exception::of_value(message))
    }

    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Zone {
        Zone { name: Some(name.into()), ..self }
    }

    /// Implements `tzname()`: `CET`, `UTC` or `UTC+02:00`.
    pub fn name(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None if self.offset == 0 => "UTC".to_owned(),
            None => format!("UTC{}", self.suffix(":")),
        }
    }

    /// Returns `+02:00`, with `between` in place of the colon.
    pub fn suffix(&self, between: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        let seconds = self.offset.abs() % 60;
        let text = format!("{sign}{:02}{between}{:02}", minutes / 60, minutes % 60);
        if seconds == 0 { text } else { format!("{text}{between}{seconds:02}") }
    }
}

impl Object for Zone {
    fn type_name(&self) -> &str {
        "timezone"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        Ok(bind(Value::object(self.clone()), METHODS, name))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        call(METHODS, self, "datetime.timezone", name, arguments)
    }

    fn display(&self) -> Result<String> {
        Ok(self.name())
    }

    fn repr(&self) -> Result<String> {
        if *self == Zone::utc() {
            return Ok("datetime.timezone.utc".to_owned());
        }
        let delta = Delta::of_seconds(self.offset)?.repr()?;
        Ok(match &self.name {
            None => format!("datetime.timezone({delta})"),
            Some(name) => format!("datetime.timezone({delta}, '{name}')"),
        })
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        // The name does not count, as in CPython.
        Some(other.downcast::<Zone>().is_some_and(|other| self.offset == other.offset))
    }
}
