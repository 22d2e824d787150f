//! Points in time, timespans and their properties.

use std::time::UNIX_EPOCH;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::super::call::BoundCall;
use super::super::overload::YaqlType::{DateTime as Time, Timespan};
use super::super::overload::{Function, function, method};
use super::scalar::calculate;
use crate::eval::python::time::{Date, DateTime, Delta, Zone, parse, strftime, strptime};
use crate::eval::python::{
    self, Exception, Operator, Result, Value, attribute, binary, call_method,
};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_*", "n:Number ts:Timespan",
        |call| scale(Operator::Mul, &call.value(1), &call.value(0))),
    function("#operator_*", "ts:Timespan n:Number",
        |call| scale(Operator::Mul, &call.value(0), &call.value(1))),
    function("#operator_+", "dt:DateTime ts:Timespan / ts1:Timespan ts2:Timespan / ts:Timespan dt:DateTime",
        |call| calculate(call, Operator::Add)),
    function("#operator_-", "dt1:DateTime dt2:DateTime / dt:DateTime ts:Timespan / ts1:Timespan ts2:Timespan",
        |call| calculate(call, Operator::Sub)),
    function("#operator_/", "ts1:Timespan ts2:Timespan", |call| {
        // yaql divides as floats, so the quotient of two equal timespans is 1.0.
        let ours = python::float(&micros_of(&call.value(0)))?;
        binary(Operator::Div, &Value::Float(ours), &micros_of(&call.value(1)))
    }),
    function("#operator_/", "ts:Timespan n:Number",
        |call| scale(Operator::Div, &call.value(0), &call.value(1))),
    function("#property#date", "obj:DateTime", |call| start_of_day(call).map(Value::object)),
    function("#property#day", "obj:DateTime", |call| time_part(call, "day")),
    function("#property#days", "obj:Timespan", |call| count_units(call, 86_400_000_000.0)),
    function("#property#hour", "obj:DateTime", |call| time_part(call, "hour")),
    function("#property#hours", "obj:Timespan", |call| count_units(call, 3_600_000_000.0)),
    function("#property#microsecond", "obj:DateTime", |call| time_part(call, "microsecond")),
    function("#property#microseconds", "obj:Timespan",
        |call| Ok(Value::integer(timespan_argument(call)?.micros().into()))),
    function("#property#milliseconds", "obj:Timespan", |call| count_units(call, 1000.0)),
    function("#property#minute", "obj:DateTime", |call| time_part(call, "minute")),
    function("#property#minutes", "obj:Timespan", |call| count_units(call, 60_000_000.0)),
    function("#property#month", "obj:DateTime", |call| time_part(call, "month")),
    function("#property#offset", "obj:DateTime",
        |call| Delta::of_seconds(offset(&time(call)?)).map(Value::object)),
    function("#property#second", "obj:DateTime", |call| time_part(call, "second")),
    function("#property#seconds", "obj:Timespan", |call| count_units(call, 1_000_000.0)),
    function("#property#time", "obj:DateTime", |call| {
        binary(Operator::Sub, &call.value(0), &Value::object(start_of_day(call)?))
    }),
    function("#property#timestamp", "obj:DateTime", timestamp),
    function("#property#utc", "obj:DateTime", |call| utc(&time(call)?).map(Value::object)),
    function("#property#weekday", "obj:DateTime",
        |call| call_method(&call.value(0), "weekday", Default::default())),
    function("#property#year", "obj:DateTime", |call| time_part(call, "year")),
    function("#unary_operator_+", "ts:Timespan", |call| Ok(call.value(0))),
    function("#unary_operator_-", "ts:Timespan", |call| python::negative(&call.value(0))),
    function("datetime", "string:Text format:Text|Null?", read),
    function("datetime", "timestamp:Number offset:Timespan?",
        |call| DateTime::of_micros(micros(&call.value(0))?, zone(call, 1)?).map(Value::object)),
    function("datetime", "year:Int month:Int day:Int hour:Int? minute:Int? second:Int? microsecond:Int? offset:Timespan?",
        build),
    method("format", "dt:DateTime format:Text",
        |call| strftime(&call.text(1)?, &time(call)?.fields()).map(Value::from)),
    function("isDatetime", "value:Any", |call| Ok(Value::Bool(Time.accepts(&call.value(0))))),
    function("isTimespan", "value:Any", |call| Ok(Value::Bool(Timespan.accepts(&call.value(0))))),
    function("localtz", "", |_| Delta::of_micros(0).map(Value::object)),
    function("now", "offset:Timespan|Null?", |call| of_now(call, zone(call, 0)?).map(Value::object)),
    method("replace", "dt:DateTime year:Int|Null? month:Int|Null? day:Int|Null? hour:Int|Null? minute:Int|Null? second:Int|Null? microsecond:Int|Null? offset:Timespan|Null?",
        replace),
    function("timespan", "days:Int? hours:Int? minutes:Int? seconds:Integer? milliseconds:Integer? microseconds:Integer?",
        timespan),
    function("utctz", "", |_| Delta::of_micros(0).map(Value::object)),
];

fn micros_of(span: &Value) -> Value {
    let span = span.downcast::<Delta>();
    span.map_or(Value::None, |span| Value::integer(span.micros().into()))
}

/// Multiplies or divides a timespan by a number, to the nearest microsecond.
fn scale(operator: Operator, span: &Value, number: &Value) -> Result<Value> {
    let scaled = match binary(operator, &micros_of(span), number)? {
        // Larger floats have no `i128`; the conversion below reports them.
        Value::Float(x) if x.abs() < 1e30 => {
            Value::integer(BigInt::from_f64(x.round_ties_even()).unwrap_or_default())
        }
        other => other,
    };
    let micros = python::Number::of(&scaled).and_then(|n| n.whole().ok()?.to_i128());
    micros.ok_or_else(too_large).and_then(Delta::of_micros).map(Value::object)
}

fn too_large() -> Box<Exception> {
    Exception::of_overflow("Python int too large to convert to C int")
}

/// Returns the zone of an offset: UTC if omitted, none if null.
fn zone(call: &BoundCall, at: usize) -> Result<Option<Zone>> {
    let Some(ahead) = call.get(at) else { return Ok(Some(Zone::utc())) };
    let Some(delta) = ahead.downcast::<Delta>() else { return Ok(None) };
    // Clamped to a day, which `Zone::offset` refuses with Python's message.
    let seconds = (delta.micros() / 1_000_000).clamp(-86_400, 86_400);
    Zone::offset(seconds as i64).map(Some)
}

fn read(call: &BoundCall) -> Result<Value> {
    let text = call.text(0)?;
    let mut time = match call.get(1) {
        Some(Value::Str(format)) if !format.is_empty() => strptime(&text, format)?,
        _ => parse(&text, || Ok(of_now(call, None)?.date))?,
    };
    time.zone = time.zone.or_else(|| Some(Zone::utc()));
    Ok(Value::object(time))
}

/// Converts seconds to microseconds, ties to even.
fn micros(seconds: &Value) -> Result<i128> {
    match seconds {
        Value::Int(x) => Ok(i128::from(*x) * 1_000_000),
        Value::Float(x) if x.abs() < 1e12 => {
            let rest = x - x.floor();
            Ok(x.floor() as i128 * 1_000_000 + (rest * 1e6).round_ties_even() as i128)
        }
        _ => Err(Exception::of_value("timestamp out of range")),
    }
}

fn build(call: &BoundCall) -> Result<Value> {
    let date = Date::new(call.int(0, 0)?, call.int(1, 0)?, call.int(2, 0)?)?;
    let clock = [call.int(3, 0)?, call.int(4, 0)?, call.int(5, 0)?, call.int(6, 0)?];
    DateTime::new(date, clock, zone(call, 7)?).map(Value::object)
}

fn of_now(call: &BoundCall, zone: Option<Zone>) -> Result<DateTime> {
    let since = call.engine().context.moment()?.now.duration_since(UNIX_EPOCH);
    let micros = since.map_or(0, |since| since.as_micros());
    DateTime::of_micros(i128::try_from(micros).unwrap_or(0), zone)
}

fn replace(call: &BoundCall) -> Result<Value> {
    let time = time(call)?;
    let Date { year, month, day } = time.date;
    let date = Date::new(call.int(1, year)?, call.int(2, month)?, call.int(3, day)?)?;
    let mut clock = time.clock;
    for (part, at) in clock.iter_mut().zip(4..) {
        *part = call.int(at, *part)?;
    }
    let zone = match call.get(8) {
        None | Some(Value::None) => time.zone,
        Some(_) => zone(call, 8)?,
    };
    DateTime::new(date, clock, zone).map(Value::object)
}

fn timespan(call: &BoundCall) -> Result<Value> {
    let units = [86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1_i128];
    let mut micros = 0;
    for (at, unit) in units.into_iter().enumerate() {
        micros += i128::from(call.int(at, 0)?) * unit;
    }
    Delta::of_micros(micros).map(Value::object)
}

/// Returns the first argument, a point in time.
fn time(call: &BoundCall) -> Result<DateTime> {
    let time = call.value(0).downcast::<DateTime>().cloned();
    time.ok_or_else(|| Exception::of_type("not a point in time"))
}

fn timespan_argument(call: &BoundCall) -> Result<Delta> {
    let timespan = call.value(0).downcast::<Delta>().copied();
    timespan.ok_or_else(|| Exception::of_type("not a span of time"))
}

fn time_part(call: &BoundCall, name: &str) -> Result<Value> {
    Ok(attribute(&call.value(0), name)?.unwrap_or(Value::None))
}

/// Returns a timespan in units of a number of microseconds.
fn count_units(call: &BoundCall, unit: f64) -> Result<Value> {
    Ok(Value::Float(timespan_argument(call)?.micros() as f64 / unit))
}

fn offset(time: &DateTime) -> i64 {
    time.zone.as_ref().map_or(0, |zone| zone.offset)
}

fn start_of_day(call: &BoundCall) -> Result<DateTime> {
    Ok(DateTime { clock: [0; 4], ..time(call)? })
}

/// Returns the time in UTC, with the zone unchanged, as yaql does.
fn utc(time: &DateTime) -> Result<DateTime> {
    // yaql subtracts the offset and keeps the zone, so the result is earlier by the
    // offset.
    let micros = time.micros() - i128::from(offset(time)) * 1_000_000;
    DateTime::of_micros(micros, time.zone.clone())
}

fn timestamp(call: &BoundCall) -> Result<Value> {
    let time = DateTime { zone: Some(Zone::utc()), ..utc(&time(call)?)? };
    let micros = time.micros() - i128::from(offset(&self::time(call)?)) * 1_000_000;
    Ok(Value::Float(Delta::of_micros(micros)?.total()))
}
