//! `datetime.time`

use std::cmp::Ordering;

use super::{DateTime, Delta, method, strftime};
use crate::eval::python::{Arguments, Exception, Object, Result, Value};

/// A time of day, and the zone of its clock if it is known: that of some day.
#[derive(Clone, Debug)]
pub(super) struct Clock(pub(super) DateTime);

const METHODS: &[&str] = &["dst", "isoformat", "strftime", "tzname", "utcoffset"];

impl Object for Clock {
    fn type_name(&self) -> &str {
        "time"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        match name {
            "hour" | "minute" | "second" | "microsecond" | "fold" | "tzinfo" => {
                self.0.attribute(name)
            }
            _ => Ok(method::bind(Value::object(self.clone()), METHODS, name)),
        }
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        let zone = self.0.zone.as_ref();
        let value = match name {
            "strftime" => {
                let [format] = arguments.bind(name, ["format"], 1)?;
                let format = method::text(name, format)?;
                return strftime(&format, &self.0.fields()).map(Value::from);
            }
            "isoformat" => Value::from(self.display()?),
            "tzname" => zone.map_or(Value::None, |zone| Value::from(zone.name())),
            "utcoffset" => match zone {
                Some(zone) => Value::object(Delta::of_seconds(zone.offset)?),
                None => Value::None,
            },
            "dst" => Value::None,
            _ => return Err(method::unknown("datetime.time", name)),
        };
        arguments.bind(name, [], 0)?;
        Ok(value)
    }

    fn truth(&self) -> Result<bool> {
        Ok(true)
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
        let Some(Clock(other)) = other.downcast::<Clock>() else { return Ok(None) };
        if self.0.zone.is_some() == other.zone.is_some() {
            Ok(Some(self.0.micros().cmp(&other.micros())))
        } else {
            Err(Exception::of_type("can't compare offset-naive and offset-aware times"))
        }
    }

    fn equals(&self, other: &Value) -> bool {
        other.downcast::<Clock>().is_some_and(|Clock(other)| {
            self.0.zone.is_some() == other.zone.is_some()
                && self.0.micros() == other.micros()
        })
    }

    fn plain(&self) -> Option<Value> {
        self.display().ok().map(Value::from)
    }
}
