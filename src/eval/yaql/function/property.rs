//! What a point in time or a span of time is asked for.

use super::super::argument::Call;
use super::super::overload::Kind::{DateTime as Time, Timespan};
use super::super::overload::{Overload, Parameter, function, need};
use crate::eval::python::time::{DateTime, Delta, Zone};
use crate::eval::python::{
    Exception, Operator, Result, Value, attribute, binary, call_method,
};

const TIME: &[Parameter] = &[need("obj", Time)];
const SPAN: &[Parameter] = &[need("obj", Timespan)];

pub(super) const TABLE: &[Overload] = &[
    function("#property#date", TIME, |call| start_of_day(call).map(Value::object)),
    function("#property#day", TIME, |call| part(call, "day")),
    function("#property#days", SPAN, |call| count(call, 86_400_000_000.0)),
    function("#property#hour", TIME, |call| part(call, "hour")),
    function("#property#hours", SPAN, |call| count(call, 3_600_000_000.0)),
    function("#property#microsecond", TIME, |call| part(call, "microsecond")),
    function("#property#microseconds", SPAN, |call| {
        Ok(Value::integer(span(call)?.micros().into()))
    }),
    function("#property#milliseconds", SPAN, |call| count(call, 1000.0)),
    function("#property#minute", TIME, |call| part(call, "minute")),
    function("#property#minutes", SPAN, |call| count(call, 60_000_000.0)),
    function("#property#month", TIME, |call| part(call, "month")),
    function("#property#offset", TIME, |call| {
        Delta::of_seconds(offset(&time(call)?)).map(Value::object)
    }),
    function("#property#second", TIME, |call| part(call, "second")),
    function("#property#seconds", SPAN, |call| count(call, 1_000_000.0)),
    function("#property#time", TIME, |call| {
        let start = Value::object(start_of_day(call)?);
        binary(Operator::Sub, &call.value(0), &start)
    }),
    function("#property#timestamp", TIME, timestamp),
    function("#property#utc", TIME, |call| utc(&time(call)?).map(Value::object)),
    function("#property#weekday", TIME, |call| {
        call_method(&call.value(0), "weekday", Default::default())
    }),
    function("#property#year", TIME, |call| part(call, "year")),
];

pub(super) fn time(call: &Call) -> Result<DateTime> {
    let value = call.value(0);
    let time = value.downcast::<DateTime>().cloned();
    time.ok_or_else(|| Exception::of_type("not a point in time"))
}

fn span(call: &Call) -> Result<Delta> {
    let value = call.value(0);
    let span = value.downcast::<Delta>().copied();
    span.ok_or_else(|| Exception::of_type("not a span of time"))
}

fn part(call: &Call, name: &str) -> Result<Value> {
    Ok(attribute(&call.value(0), name)?.unwrap_or(Value::None))
}

/// How many units of so many microseconds.
fn count(call: &Call, unit: f64) -> Result<Value> {
    Ok(Value::Float(span(call)?.micros() as f64 / unit))
}

fn offset(time: &DateTime) -> i64 {
    time.zone.as_ref().map_or(0, |zone| zone.offset)
}

fn start_of_day(call: &Call) -> Result<DateTime> {
    Ok(DateTime { clock: [0; 4], ..time(call)? })
}

/// The clock of UTC, though still said to be of the same zone.
fn utc(time: &DateTime) -> Result<DateTime> {
    let micros = time.micros() - i128::from(offset(time)) * 1_000_000;
    DateTime::of_micros(micros, time.zone.clone())
}

fn timestamp(call: &Call) -> Result<Value> {
    let time = DateTime { zone: Some(Zone::utc()), ..utc(&time(call)?)? };
    let micros = time.micros() - i128::from(offset(&self::time(call)?)) * 1_000_000;
    Ok(Value::Float(Delta::of_micros(micros)?.total()))
}
