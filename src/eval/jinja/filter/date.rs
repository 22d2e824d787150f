//! Filters that parse and format dates, and the clock and time zone they use.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::parameter::{flag, given, string, text};
use crate::eval::Context;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::time::{self, DateTime, Zone};
use crate::eval::python::{self, Bound, Exception, Result, Value};

pub(super) const FILTERS: PluginTable = &[
    Plugin::new("strftime", "strftime", &["string_format"], &["second", "utc"], strftime),
    Plugin::new("to_datetime", "to_datetime", &["string"], &["format"], to_datetime),
];

fn to_datetime(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [format]) = arguments.split();
    let value = string(&value, "strptime() argument 1 must be str,")?;
    time::strptime(value, &text(format, "%Y-%m-%d %H:%M:%S")?).map(Value::object)
}

fn strftime(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([format], [second, utc]) = arguments.split();
    let format = string(&format, "strftime() argument 1 must be str,")?;
    let context = &call.scope.context;
    let second = match given(second) {
        Some(second) => python::float(&second).map_err(|error| {
            let shown = python::str(&second).unwrap_or_default();
            let message = format!("Invalid value for epoch value ({shown}): {error}");
            Exception::of_value(message)
        })?,
        None => now(context)?,
    };
    // C calls the zone GMT, while Python's `timezone.utc` is called UTC.
    let zone = if flag(utc, false)? {
        Zone::utc().named("GMT")
    } else {
        local(context, second)?
    };
    // Python refuses years beyond 9999, far inside of this range. The bounds keep the
    // multiplication from overflowing.
    let micros = (second.floor() as i128).clamp(-(1 << 60), 1 << 60) * 1_000_000;
    let mut fields = DateTime::of_micros(micros, Some(zone))?.fields();
    fields.micro = None;
    time::strftime(format, &fields).map(Value::from)
}

/// Returns the seconds since 1970, which stay the same for a whole evaluation.
pub(crate) fn now(context: &Context) -> Result<f64> {
    let since = context.moment()?.now.duration_since(std::time::UNIX_EPOCH);
    Ok(since
        .map_or_else(|before| -before.duration().as_secs_f64(), |it| it.as_secs_f64()))
}

/// Returns the local time zone at a time in seconds since 1970: that of `TZ` or of the
/// system as far as they may be read, otherwise UTC.
pub(crate) fn local(context: &Context, second: f64) -> Result<Zone> {
    let (Some(zone), Ok(point)) = (zone(context), Timestamp::from_second(second as i64))
    else {
        return Ok(Zone::utc());
    };
    let info = zone.to_offset_info(point);
    Ok(Zone::offset(info.offset().seconds().into())?.named(info.abbreviation()))
}

fn zone(context: &Context) -> Option<TimeZone> {
    let name = context.allow.env.then(|| context.world.env("TZ")).flatten();
    // POSIX allows a colon before the name of a file.
    let name = name.as_deref().map(|name| name.trim_start_matches(':'));
    let path = match name {
        Some("" | "UTC") => return None,
        Some(name) => Path::new("/usr/share/zoneinfo").join(name),
        None => Path::new("/etc/localtime").to_owned(),
    };
    let data = context.allow.file.then(|| context.world.read(&path).ok()).flatten();
    match data {
        Some(data) => TimeZone::tzif("local", &data).ok(),
        None => TimeZone::posix(name?).ok(),
    }
}
