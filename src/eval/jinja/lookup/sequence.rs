//! `sequence`: a start, an end and a format come in, texts with the numbers go out.

use super::Options;
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Class, Exception, Result, Str, Value, room};

const NAMES: &[&str] = &["start", "end", "count", "stride", "format"];

/// `start=1 end=5 stride=2 format=%02d`, `1-5/2:%02d` or options.
pub(super) fn sequence(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let options = Options(arguments.keywords);
    if arguments.positional.is_empty() {
        if options.0.iter().all(|(name, _)| !NAMES.contains(&&**name)) {
            return Ok(Value::list([]));
        }
        return numbers(options).map(Value::list);
    }
    let mut all = Vec::new();
    for term in &arguments.positional {
        let Some(text) = term.as_str() else {
            let message = format!(
                "unknown error parsing with_sequence arguments: {}",
                python::str(term)?
            );
            return Err(Exception::of_value(message));
        };
        all.extend(numbers(given(text, options.clone())?)?);
        room(all.len())?;
    }
    Ok(Value::list(all))
}

/// The options that a term is short for.
fn given(text: &str, mut options: Options) -> Result<Options> {
    let Some(short) = shortcut(text) else {
        let wrong = |error: Box<Exception>| match error.class {
            Class::Value => {
                let message = format!("unrecognized arguments to with_sequence: {text}");
                Exception::of_value(message)
            }
            _ => error,
        };
        let rest = options.inline(text, NAMES).map_err(wrong)?;
        if !rest.is_empty() {
            options.0.insert(0, (Str::from("end"), Value::text(rest)));
        }
        return Ok(options);
    };
    let short = short.into_iter().filter_map(|(name, value)| {
        value.map(|value| (Str::from(name), Value::text(value)))
    });
    let mut all: Vec<(Str, Value)> = short.collect();
    all.append(&mut options.0);
    Ok(Options(all))
}

/// `start-end/stride:format`, where only the end is needed.
fn shortcut(text: &str) -> Option<[(&'static str, Option<&str>); 4]> {
    let (numbers, format) = match text.split_once(':') {
        Some((numbers, format)) => (numbers, Some(format)),
        None => (text, None),
    };
    let (range, stride) = match numbers.split_once('/') {
        Some((range, stride)) => (range, Some(stride)),
        None => (numbers, None),
    };
    let (start, end) = match range.split_once('-') {
        Some((start, end)) if !start.is_empty() => (Some(start), end),
        _ => (None, range),
    };
    let is_number = |text: &str| {
        let digits = text.trim_start_matches('-');
        !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_hexdigit() || b == b'x')
            && digits.starts_with(|c: char| c.is_ascii_digit())
    };
    let all = [Some(end), start, stride];
    all.into_iter().flatten().all(is_number).then_some([
        ("start", start),
        ("end", Some(end)),
        ("stride", stride),
        ("format", format),
    ])
}

fn numbers(mut options: Options) -> Result<Vec<Value>> {
    let has = |options: &Options, name: &str| {
        options.0.iter().any(|(known, _)| **known == *name)
    };
    let (ends, counts) = (has(&options, "end"), has(&options, "count"));
    let (start, stride) = (options.number("start", 1)?, options.number("stride", 1)?);
    let (end, count) = (options.number("end", 0)?, options.number("count", 0)?);
    let format = options.text("format", "%d")?;
    let end = match (ends, counts) {
        (true, true) => {
            let message = "can't specify both count and end in with_sequence";
            return Err(Exception::of_value(message));
        }
        (false, false) => {
            let message = "must specify count or end in with_sequence";
            return Err(Exception::of_value(message));
        }
        (false, true) if count == 0 => return Ok(Vec::new()),
        (false, true) => count
            .checked_mul(stride)
            .and_then(|way| start.checked_add(way)?.checked_sub(stride.signum()))
            .ok_or_else(|| Exception::of_value("the sequence is too long"))?,
        (true, false) => end,
    };
    if stride == 0 {
        return Ok(Vec::new());
    }
    if stride > 0 && end < start {
        let message = "to count backwards make stride negative";
        return Err(Exception::of_value(message));
    }
    if stride < 0 && end > start {
        let message = "to count forward don't make stride negative";
        return Err(Exception::of_value(message));
    }
    if format.matches('%').count() != 1 {
        return Err(Exception::of_value(format!("bad formatting string: {format}")));
    }
    let range =
        python::Range { start, stop: end.saturating_add(stride.signum()), step: stride };
    room(range.len())?;
    let spelled = |at: usize| -> Result<Value> {
        let number = Value::Int(range.get(at).unwrap_or_default());
        let wrong =
            |_| Exception::of_value(format!("problem formatting with '{format}'"));
        python::printf(&Str::from(&*format), &number).map(Value::Str).map_err(wrong)
    };
    (0..range.len()).map(spelled).collect()
}
