//! Points in time and what is between them.

use std::time::UNIX_EPOCH;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::super::argument::Call;
use super::super::overload::Kind::{
    Any, DateTime as Time, Int, Integer, Number, Text, Timespan,
};
use super::super::overload::{Overload, Parameter, function, may, method, need};
use super::property::time;
use crate::eval::python::time::{Date, DateTime, Delta, Zone, parse, strftime, strptime};
use crate::eval::python::{self, Class, Exception, Operator, Result, Value, binary};

const SPANS: &[Parameter] = &[need("ts1", Timespan), need("ts2", Timespan)];
const SPAN: &[Parameter] = &[need("ts", Timespan)];
const TIME_SPAN: &[Parameter] = &[need("dt", Time), need("ts", Timespan)];
const SPAN_NUMBER: &[Parameter] = &[need("ts", Timespan), need("n", Number)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_*", &[need("n", Number), need("ts", Timespan)], |call| {
        scale(Operator::Mul, &call.value(1), &call.value(0))
    }),
    function("#operator_*", SPAN_NUMBER, |call| {
        scale(Operator::Mul, &call.value(0), &call.value(1))
    }),
    function("#operator_+", TIME_SPAN, |call| calculate(call, Operator::Add)),
    function("#operator_+", SPANS, |call| calculate(call, Operator::Add)),
    function("#operator_+", &[need("ts", Timespan), need("dt", Time)], |call| {
        calculate(call, Operator::Add)
    }),
    function("#operator_-", &[need("dt1", Time), need("dt2", Time)], |call| {
        calculate(call, Operator::Sub)
    }),
    function("#operator_-", TIME_SPAN, |call| calculate(call, Operator::Sub)),
    function("#operator_-", SPANS, |call| calculate(call, Operator::Sub)),
    function("#operator_/", SPANS, |call| {
        let ours = python::float(&micros_of(&call.value(0)))?;
        binary(Operator::Div, &Value::Float(ours), &micros_of(&call.value(1)))
    }),
    function("#operator_/", SPAN_NUMBER, |call| {
        scale(Operator::Div, &call.value(0), &call.value(1))
    }),
    function("#unary_operator_+", SPAN, |call| Ok(call.value(0))),
    function("#unary_operator_-", SPAN, |call| python::negative(&call.value(0))),
    function("datetime", &[need("string", Text), may("format", Text).or_null()], read),
    function("datetime", &[need("timestamp", Number), may("offset", Timespan)], |call| {
        let micros = micros(&call.value(0))?;
        DateTime::of_micros(micros, zone(call, 1)?).map(Value::object)
    }),
    function(
        "datetime",
        &[
            need("year", Int),
            need("month", Int),
            need("day", Int),
            may("hour", Int),
            may("minute", Int),
            may("second", Int),
            may("microsecond", Int),
            may("offset", Timespan),
        ],
        build,
    ),
    method("format", &[need("dt", Time), need("format", Text)], |call| {
        strftime(&call.text(1)?, &time(call)?.fields()).map(Value::from)
    }),
    function("isDatetime", &[need("value", Any)], |call| {
        Ok(Value::Bool(Time.accepts(&call.value(0))))
    }),
    function("isTimespan", &[need("value", Any)], |call| {
        Ok(Value::Bool(Timespan.accepts(&call.value(0))))
    }),
    function("localtz", &[], |_| Delta::of_micros(0).map(Value::object)),
    function("now", &[may("offset", Timespan).or_null()], now),
    method(
        "replace",
        &[
            need("dt", Time),
            may("year", Int).or_null(),
            may("month", Int).or_null(),
            may("day", Int).or_null(),
            may("hour", Int).or_null(),
            may("minute", Int).or_null(),
            may("second", Int).or_null(),
            may("microsecond", Int).or_null(),
            may("offset", Timespan).or_null(),
        ],
        replace,
    ),
    function(
        "timespan",
        &[
            may("days", Int),
            may("hours", Int),
            may("minutes", Int),
            may("seconds", Integer),
            may("milliseconds", Integer),
            may("microseconds", Integer),
        ],
        timespan,
    ),
    function("utctz", &[], |_| Delta::of_micros(0).map(Value::object)),
];

fn calculate(call: &Call, operator: Operator) -> Result<Value> {
    binary(operator, &call.value(0), &call.value(1))
}

fn micros_of(span: &Value) -> Value {
    let span = span.downcast::<Delta>();
    span.map_or(Value::None, |span| Value::integer(span.micros().into()))
}

/// A span times a number or divided by one, to the nearest microsecond.
fn scale(operator: Operator, span: &Value, number: &Value) -> Result<Value> {
    let scaled = match binary(operator, &micros_of(span), number)? {
        Value::Float(x) if x.abs() < 1e30 => {
            Value::integer(BigInt::from_f64(x.round_ties_even()).unwrap_or_default())
        }
        other => other,
    };
    let micros = python::Number::of(&scaled).and_then(|n| n.whole().ok()?.to_i128());
    micros.ok_or_else(too_large).and_then(Delta::of_micros).map(Value::object)
}

fn too_large() -> Box<Exception> {
    Exception::new(Class::Overflow, "Python int too large to convert to C int")
}

/// The zone that is ahead of UTC by a timespan; UTC if none was given, none if that is null.
fn zone(call: &Call, at: usize) -> Result<Option<Zone>> {
    match call.given(at) {
        None => Ok(Some(Zone::utc())),
        Some(ahead) => match ahead.downcast::<Delta>() {
            Some(delta) => {
                let seconds = (delta.micros() / 1_000_000).clamp(-86_400, 86_400);
                Zone::offset(seconds as i64).map(Some)
            }
            None => Ok(None),
        },
    }
}

fn read(call: &Call) -> Result<Value> {
    let text = call.text(0)?;
    let mut time = match call.given(1) {
        Some(Value::Str(format)) if !format.is_empty() => strptime(&text, format)?,
        _ => parse(&text, || Ok(of_now(call, None)?.date))?,
    };
    time.zone = time.zone.or_else(|| Some(Zone::utc()));
    Ok(Value::object(time))
}

/// Seconds as microseconds, half of one to the even side.
fn micros(seconds: &Value) -> Result<i128> {
    let out_of_range = || Exception::of_value("timestamp out of range");
    match seconds {
        Value::Int(x) => Ok(i128::from(*x) * 1_000_000),
        Value::Float(x) if x.abs() < 1e12 => {
            let (whole, rest) = (x.floor(), x - x.floor());
            Ok(whole as i128 * 1_000_000 + (rest * 1e6).round_ties_even() as i128)
        }
        _ => Err(out_of_range()),
    }
}

fn build(call: &Call) -> Result<Value> {
    let date = Date::new(call.int(0, 0)?, call.int(1, 0)?, call.int(2, 0)?)?;
    let clock = [call.int(3, 0)?, call.int(4, 0)?, call.int(5, 0)?, call.int(6, 0)?];
    DateTime::new(date, clock, zone(call, 7)?).map(Value::object)
}

fn of_now(call: &Call, zone: Option<Zone>) -> Result<DateTime> {
    let since = call.engine.context.moment()?.now.duration_since(UNIX_EPOCH);
    let micros = since.map_or(0, |since| since.as_micros());
    DateTime::of_micros(i128::try_from(micros).unwrap_or(0), zone)
}

fn now(call: &Call) -> Result<Value> {
    of_now(call, zone(call, 0)?).map(Value::object)
}

fn replace(call: &Call) -> Result<Value> {
    let time = time(call)?;
    let Date { year, month, day } = time.date;
    let date = Date::new(call.int(1, year)?, call.int(2, month)?, call.int(3, day)?)?;
    let mut clock = time.clock;
    for (part, at) in clock.iter_mut().zip(4..) {
        *part = call.int(at, *part)?;
    }
    let zone = match call.given(8) {
        None | Some(Value::None) => time.zone,
        Some(_) => zone(call, 8)?,
    };
    DateTime::new(date, clock, zone).map(Value::object)
}

fn timespan(call: &Call) -> Result<Value> {
    let units = [86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1_i128];
    let mut micros = 0;
    for (at, unit) in units.into_iter().enumerate() {
        micros += i128::from(call.int(at, 0)?) * unit;
    }
    Delta::of_micros(micros).map(Value::object)
}
