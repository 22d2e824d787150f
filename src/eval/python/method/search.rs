//! `find`, `count`, `startswith`, `replace` and their like: a text and a part of it come in,
//! where it is goes out, counted in characters.

use super::super::{Exception, Result, Str, Value, width};
use super::Given;

/// A part of a text, between the places that are given after the first argument.
struct Window<'a> {
    text: &'a str,
    /// How many characters come before it.
    start: usize,
}

fn window<'a>(text: &'a str, given: &Given) -> Result<Option<Window<'a>>> {
    if given.get(1).is_none() && given.get(2).is_none() {
        return Ok(Some(Window { text, start: 0 }));
    }
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let Some((start, stop)) = given.window(1, length)? else { return Ok(None) };
    let byte = |at: usize| {
        if text.is_ascii() {
            at
        } else {
            text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte)
        }
    };
    let text = text.get(byte(start)..byte(stop)).unwrap_or_default();
    Ok(Some(Window { text, start }))
}

fn wanted(given: &Given) -> Result<Str> {
    given.text(0, |of| format!("must be str, not {of}"))
}

/// The text that is the only argument.
pub(super) fn argument(given: &Given) -> Result<Str> {
    given.text(0, |of| format!("{}() argument must be str, not {of}", given.name))
}

pub(super) fn count(text: &Str, given: &Given) -> Result<Value> {
    let wanted = wanted(given)?;
    let count = |window: Window| window.text.matches(&*wanted).count() as i64;
    Ok(Value::Int(window(text, given)?.map_or(0, count)))
}

fn place(text: &Str, given: &Given, last: bool) -> Result<i64> {
    let wanted = wanted(given)?;
    let found = window(text, given)?.and_then(|window| {
        let byte = if last {
            window.text.rfind(&*wanted)?
        } else {
            window.text.find(&*wanted)?
        };
        Some(window.start + window.text[..byte].chars().count())
    });
    Ok(found.map_or(-1, |at| at as i64))
}

pub(super) fn find(text: &Str, given: &Given) -> Result<Value> {
    place(text, given, false).map(Value::Int)
}

pub(super) fn find_last(text: &Str, given: &Given) -> Result<Value> {
    place(text, given, true).map(Value::Int)
}

pub(super) fn index(text: &Str, given: &Given) -> Result<Value> {
    found(place(text, given, false)?)
}

pub(super) fn index_last(text: &Str, given: &Given) -> Result<Value> {
    found(place(text, given, true)?)
}

fn found(at: i64) -> Result<Value> {
    match at {
        -1 => Err(Exception::of_value("substring not found")),
        at => Ok(Value::Int(at)),
    }
}

pub(super) fn starts_with(text: &Str, given: &Given) -> Result<Value> {
    any_end(text, given, |text, end| text.starts_with(end))
}

pub(super) fn ends_with(text: &Str, given: &Given) -> Result<Value> {
    any_end(text, given, |text, end| text.ends_with(end))
}

/// Whether a text has one of some ends.
fn any_end(text: &Str, given: &Given, has: fn(&str, &str) -> bool) -> Result<Value> {
    let (ends, name) = (given.value(0), given.name);
    let ends = match &ends {
        Value::Tuple(ends) => ends.to_vec(),
        Value::Str(_) => vec![ends],
        other => {
            return Err(Exception::of_type(format!(
                "{name} first arg must be str or a tuple of str, not {}",
                other.type_name()
            )));
        }
    };
    let window = window(text, given)?;
    for end in ends {
        let end = end.force()?;
        let Value::Str(end) = &end else {
            let of = end.type_name();
            let message = format!("tuple for {name} must only contain str, not {of}");
            return Err(Exception::of_type(message));
        };
        if window.as_ref().is_some_and(|window| has(window.text, end)) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn replace(text: &Str, given: &Given) -> Result<Value> {
    let argument = |at: usize| {
        given
            .text(at, |of| format!("replace() argument {} must be str, not {of}", at + 1))
    };
    let (old, new) = (argument(0)?, argument(1)?);
    let most = usize::try_from(given.integer(2, -1)?).unwrap_or(usize::MAX);
    let count = text.matches(&*old).count().min(most);
    width(text.len().saturating_add(count.saturating_mul(new.len())))?;
    Ok(text.replacen(&*old, &new, count).into())
}
