//! Python's own functions that templates know.

use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Bound, Exception, Range, Result, Value};

/// `dict(a=1)`
pub(super) fn dict(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    python::dict(arguments).map(Value::Dict)
}

/// `range(stop)`, `range(start, stop, step)`
pub(super) fn range(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([first], [second, step]) = arguments.split();
    let number = |value: Option<Value>, default: i64| match value {
        None => Ok(default),
        Some(Value::Int(number)) => Ok(number),
        Some(Value::Bool(on)) => Ok(i64::from(on)),
        Some(Value::Big(_)) => Err(Exception::of_value("a range is too long")),
        Some(other) => Err(Exception::of_type(format!(
            "'{}' object cannot be interpreted as an integer",
            other.type_name()
        ))),
    };
    let (start, stop) = match second {
        None => (0, number(Some(first), 0)?),
        Some(stop) => (number(Some(first), 0)?, number(Some(stop), 0)?),
    };
    match number(step, 1)? {
        0 => Err(Exception::of_value("range() arg 3 must not be zero")),
        step => Ok(Value::Range(Range { start, stop, step })),
    }
}
