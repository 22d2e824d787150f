//! `to_time_unit` and its shorthands: converts `1h 30m` to a number of units.

use crate::eval::jinja::filter::parameter::{string, text};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined};
use crate::eval::python::regex::{self, Flags};
use crate::eval::python::{
    self, Arguments, Bound, Exception, Operator, Result, Signature, Value,
};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    shorthand("community.general.to_days", "to_days"),
    shorthand("community.general.to_hours", "to_hours"),
    shorthand("community.general.to_milliseconds", "to_milliseconds"),
    shorthand("community.general.to_minutes", "to_minutes"),
    shorthand("community.general.to_months", "to_months"),
    shorthand("community.general.to_seconds", "to_seconds"),
    Plugin::signed("community.general.to_time_unit",
        Signature::new("to_time_unit", &["human_time"], &["unit"])
            .keyword_only(&["year", "month"]), to_time_unit),
    shorthand("community.general.to_weeks", "to_weeks"),
    shorthand("community.general.to_years", "to_years"),
];

/// Returns the row of a filter that converts to the unit in its name.
const fn shorthand(full_name: &'static str, name: &'static str) -> Plugin {
    let signature = Signature::new(name, &["human_time"], &[]);
    Plugin::signed(full_name, signature.keyword_only(&["year", "month"]), to_unit)
}

/// The units: short name, other names, length in milliseconds.
const UNITS: &[(&str, &[&str], i64)] = &[
    ("ms", &["millisecond", "msec", "msecond"], 1),
    ("s", &["sec", "second"], 1_000),
    ("m", &["min", "minute"], 60_000),
    ("h", &["hour"], 3_600_000),
    ("d", &["day"], DAY),
    ("w", &["week"], 7 * DAY),
    ("mo", &["month"], 30 * DAY),
    ("y", &["year"], 365 * DAY),
];

const DAY: i64 = 86_400_000;

fn to_time_unit(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([time], [unit, year, month]) = arguments.split();
    convert(call, &time, &text(unit, "ms")?, &[("y", year), ("mo", month)])
}

fn to_unit(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([time], [year, month]) = arguments.split();
    let unit = call.name.rsplit("to_").next().unwrap_or(call.name);
    convert(call, &time, unit, &[("y", year), ("mo", month)])
}

fn convert(call: &CallSite<'_>, time: &Value, unit: &str, days: &Days) -> Result<Value> {
    let time = string(time, "to_time_unit() takes a string,")?;
    // Zero needs no unit.
    if time == "0" {
        return Ok(Value::Int(0));
    }
    let length = length(unit, days)?.ok_or_else(|| {
        let units: Vec<&str> = UNITS.iter().map(|unit| unit.0).collect();
        Exception::of_value(format!(
            "to_time_unit() can not convert to the following unit: {unit}. Available short \
             units: {}",
            units.join(", ")
        ))
    })?;
    let count = python::binary(Operator::Div, &milliseconds(time, days)?, &length)?;
    // Rounded to 12 decimals, as by the filter: sums of floats would show their error.
    defined(call.filter("round", Arguments::of([count, Value::Int(12)]))?)
}

/// The lengths of a year and a month in days, if they are given.
type Days = [(&'static str, Option<Value>); 2];

fn length(unit: &str, days: &Days) -> Result<Option<Value>> {
    let singular = unit.trim_end_matches('s');
    let named = UNITS.iter().find(|(_, names, _)| names.contains(&singular));
    let Some((short, _, length)) =
        named.or_else(|| UNITS.iter().find(|(short, ..)| *short == unit))
    else {
        return Ok(None);
    };
    match days.iter().find(|(unit, _)| unit == short).and_then(|day| day.1.as_ref()) {
        Some(days) => python::mul(days, &Value::Int(DAY)).map(Some),
        None => Ok(Some(Value::Int(*length))),
    }
}

fn milliseconds(time: &str, days: &Days) -> Result<Value> {
    let wrong = || {
        let what = format!("to_time_unit() can not interpret following string: {time}");
        Exception::of_value(what)
    };
    let pattern = regex::compile(r"(-?\d+)(\w+)", Flags::default())?;
    let mut sum = Value::Int(0);
    for part in time.split_whitespace() {
        let found = pattern.match_start(part)?.ok_or_else(wrong)?;
        let unit = found.group(2, part).unwrap_or("");
        let length = length(unit, days)?.ok_or_else(wrong)?;
        let count = python::parse_int(found.group(1, part).unwrap_or(""), 10)?;
        sum = python::add(&sum, &python::mul(&count, &length)?)?;
    }
    Ok(sum)
}
