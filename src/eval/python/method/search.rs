//! The methods of `str` that search a string for another one, and those that take it apart.

use super::super::{
    Bound, Exception, MAX_MEMBERS, Result, Str, Value, character, limit_bytes,
    limit_members,
};

/// A part of a text, between the places that are arguments after the first argument.
struct Window<'a> {
    text: &'a str,
    /// How many characters come before it.
    start: usize,
}

fn window<'a>(text: &'a str, arguments: &Bound) -> Result<Option<Window<'a>>> {
    if arguments.get(1).is_none() && arguments.get(2).is_none() {
        return Ok(Some(Window { text, start: 0 }));
    }
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let Some((start, stop)) = arguments.window(1, length)? else { return Ok(None) };
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

fn wanted(arguments: &Bound) -> Result<Str> {
    arguments.text(0, |of| format!("must be str, not {of}"))
}

/// The text that is the only argument.
pub(super) fn argument(arguments: &Bound) -> Result<Str> {
    arguments
        .text(0, |of| format!("{}() argument must be str, not {of}", arguments.name()))
}

pub(super) fn count(text: &Str, arguments: &Bound) -> Result<Value> {
    let wanted = wanted(arguments)?;
    let count = |window: Window| window.text.matches(&*wanted).count() as i64;
    Ok(Value::Int(window(text, arguments)?.map_or(0, count)))
}

fn place(text: &Str, arguments: &Bound, last: bool) -> Result<i64> {
    let wanted = wanted(arguments)?;
    let found = window(text, arguments)?.and_then(|window| {
        let byte = if last {
            window.text.rfind(&*wanted)?
        } else {
            window.text.find(&*wanted)?
        };
        Some(window.start + window.text[..byte].chars().count())
    });
    Ok(found.map_or(-1, |at| at as i64))
}

pub(super) fn find(text: &Str, arguments: &Bound) -> Result<Value> {
    place(text, arguments, false).map(Value::Int)
}

pub(super) fn find_last(text: &Str, arguments: &Bound) -> Result<Value> {
    place(text, arguments, true).map(Value::Int)
}

pub(super) fn index(text: &Str, arguments: &Bound) -> Result<Value> {
    found(place(text, arguments, false)?)
}

pub(super) fn index_last(text: &Str, arguments: &Bound) -> Result<Value> {
    found(place(text, arguments, true)?)
}

fn found(at: i64) -> Result<Value> {
    match at {
        -1 => Err(Exception::of_value("substring not found")),
        at => Ok(Value::Int(at)),
    }
}

pub(super) fn starts_with(text: &Str, arguments: &Bound) -> Result<Value> {
    any_end(text, arguments, |text, end| text.starts_with(end))
}

pub(super) fn ends_with(text: &Str, arguments: &Bound) -> Result<Value> {
    any_end(text, arguments, |text, end| text.ends_with(end))
}

/// Whether a text has one of some ends.
fn any_end(text: &Str, arguments: &Bound, has: fn(&str, &str) -> bool) -> Result<Value> {
    let (ends, name) = (arguments.value(0), arguments.name());
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
    let window = window(text, arguments)?;
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

pub(super) fn replace(text: &Str, arguments: &Bound) -> Result<Value> {
    let argument = |at: usize| {
        arguments
            .text(at, |of| format!("replace() argument {} must be str, not {of}", at + 1))
    };
    let (old, new) = (argument(0)?, argument(1)?);
    let most = usize::try_from(arguments.integer(2, -1)?).unwrap_or(usize::MAX);
    let count = text.matches(&*old).count().min(most);
    limit_bytes(text.len().saturating_add(count.saturating_mul(new.len())))?;
    Ok(text.replacen(&*old, &new, count).into())
}

pub(super) fn strip(
    text: &Str,
    arguments: &Bound,
    start: bool,
    end: bool,
) -> Result<Value> {
    let set = match arguments.get(0) {
        None | Some(Value::None) => None,
        Some(Value::Str(set)) => Some(set),
        Some(_) => {
            let message = format!("{} arg must be None or str", arguments.name());
            return Err(Exception::of_type(message));
        }
    };
    let strips = |c: char| match set {
        Some(set) => set.contains(c),
        None => character::is_space(c),
    };
    let text = if start { text.trim_start_matches(strips) } else { text };
    Ok((if end { text.trim_end_matches(strips) } else { text }).into())
}

pub(super) fn partition(text: &Str, arguments: &Bound, last: bool) -> Result<Value> {
    let separator = arguments.text(0, |of| format!("must be str, not {of}"))?;
    if separator.is_empty() {
        return Err(Exception::of_value("empty separator"));
    }
    let halves =
        if last { text.rsplit_once(&*separator) } else { text.split_once(&*separator) };
    let parts: [&str; 3] = match (halves, last) {
        (Some((before, after)), _) => [before, &separator, after],
        (None, true) => ["", "", text],
        (None, false) => [text, "", ""],
    };
    Ok(Value::tuple(parts.map(Value::from)))
}

pub(super) fn split(text: &Str, arguments: &Bound) -> Result<Value> {
    let (separator, most) = how(arguments)?;
    let parts = match &separator {
        Some(separator) => gather(text.splitn(most.saturating_add(1), &**separator))?,
        None => words(text, most)?,
    };
    Ok(Value::list(parts.into_iter().map(Value::from)))
}

pub(super) fn split_last(text: &Str, arguments: &Bound) -> Result<Value> {
    let (separator, most) = how(arguments)?;
    let parts = match &separator {
        Some(separator) => gather(text.rsplitn(most.saturating_add(1), &**separator))?,
        None => last_words(text, most)?,
    };
    Ok(Value::list(parts.into_iter().rev().map(Value::from)))
}

/// The parts, of which there are not too many.
fn gather<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>> {
    let parts: Vec<&str> = parts.take(MAX_MEMBERS + 1).collect();
    limit_members(parts.len())?;
    Ok(parts)
}

/// The separator, if one was arguments, and how many splits are made at most.
fn how(arguments: &Bound) -> Result<(Option<Str>, usize)> {
    let most = usize::try_from(arguments.integer(1, -1)?).unwrap_or(usize::MAX);
    match arguments.get(0) {
        None | Some(Value::None) => Ok((None, most)),
        Some(Value::Str(separator)) if separator.is_empty() => {
            Err(Exception::of_value("empty separator"))
        }
        Some(Value::Str(separator)) => Ok((Some(separator.clone()), most)),
        Some(other) => {
            let of = other.type_name();
            Err(Exception::of_type(format!("must be str or None, not {of}")))
        }
    }
}

fn words(text: &str, most: usize) -> Result<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(character::is_space);
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let end = rest.find(character::is_space).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        parts.push(word);
        limit_members(parts.len())?;
        rest = after.trim_start_matches(character::is_space);
    }
    Ok(parts)
}

/// The words, the last one first.
fn last_words(text: &str, most: usize) -> Result<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_end_matches(character::is_space);
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(rest);
            break;
        }
        let space = rest.char_indices().rfind(|(_, c)| character::is_space(*c));
        let start = space.map_or(0, |(at, c)| at + c.len_utf8());
        let (before, word) = rest.split_at(start);
        parts.push(word);
        limit_members(parts.len())?;
        rest = before.trim_end_matches(character::is_space);
    }
    Ok(parts)
}

pub(super) fn lines(text: &Str, arguments: &Bound) -> Result<Value> {
    let keep = arguments.flag(0, false)?;
    let (mut parts, mut rest) = (Vec::new(), &**text);
    while !rest.is_empty() {
        let end = rest.find(character::is_line_end).unwrap_or(rest.len());
        let mark = if rest[end..].starts_with("\r\n") {
            2
        } else {
            rest[end..].chars().next().map_or(0, char::len_utf8)
        };
        parts.push(&rest[..if keep { end + mark } else { end }]);
        limit_members(parts.len())?;
        rest = &rest[end + mark..];
    }
    Ok(Value::list(parts.into_iter().map(Value::from)))
}
