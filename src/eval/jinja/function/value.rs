//! `undef` and `now`: what is not there, and the time.

use crate::eval::jinja::Undefined;
use crate::eval::jinja::filter::date;
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{self, Arguments, Bound, Exception, Result, Value};

/// `undef(hint=None)`
pub(super) fn undef(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [hint]) = arguments.split();
    match hint {
        None | Some(Value::None) => {
            Ok(Undefined::because("A required variable is missing: `undef()`"))
        }
        Some(Value::Str(hint)) => Ok(Undefined::because(&*hint)),
        Some(other) => Err(Exception::of_type(format!(
            "hint must be of type <class 'str'>, not {}",
            other.type_name()
        ))),
    }
}

/// `now(utc=False, fmt=None)`
pub(super) fn now(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [utc, fmt]) = arguments.split();
    let utc = utc.map_or(Ok(false), |utc| python::truth(&utc))?;
    let second = date::now(&call.scope.context)?;
    let zone = if utc { Zone::utc() } else { date::local(&call.scope.context, second)? };
    let micros = (second * 1e6) as i128 + i128::from(zone.offset) * 1_000_000;
    let now = DateTime::of_micros(micros, None)?;
    match fmt {
        None | Some(Value::None) => Ok(Value::object(now)),
        Some(fmt) => {
            let fmt = python::str(&fmt)?;
            python::call_method(
                &Value::object(now),
                "strftime",
                Arguments::of([Value::text(fmt)]),
            )
        }
    }
}
