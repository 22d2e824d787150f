//! `split`, `strip`, `partition` and `splitlines`: a text comes in, its parts go out.

use super::super::{Exception, ROOM, Result, Str, Value, character, room};
use super::Given;

pub(super) fn strip(text: &Str, given: &Given, start: bool, end: bool) -> Result<Value> {
    let set = match given.get(0) {
        None | Some(Value::None) => None,
        Some(Value::Str(set)) => Some(set),
        Some(_) => {
            let message = format!("{} arg must be None or str", given.name);
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

pub(super) fn partition(text: &Str, given: &Given, last: bool) -> Result<Value> {
    let separator = given.text(0, |of| format!("must be str, not {of}"))?;
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

pub(super) fn split(text: &Str, given: &Given) -> Result<Value> {
    let (separator, most) = how(given)?;
    let parts = match &separator {
        Some(separator) => gather(text.splitn(most.saturating_add(1), &**separator))?,
        None => words(text, most)?,
    };
    Ok(Value::list(parts.into_iter().map(Value::from)))
}

pub(super) fn split_last(text: &Str, given: &Given) -> Result<Value> {
    let (separator, most) = how(given)?;
    let parts = match &separator {
        Some(separator) => gather(text.rsplitn(most.saturating_add(1), &**separator))?,
        None => last_words(text, most)?,
    };
    Ok(Value::list(parts.into_iter().rev().map(Value::from)))
}

/// The parts, of which there are not too many.
fn gather<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>> {
    let parts: Vec<&str> = parts.take(ROOM + 1).collect();
    room(parts.len())?;
    Ok(parts)
}

/// The separator, if one was given, and how many splits are made at most.
fn how(given: &Given) -> Result<(Option<Str>, usize)> {
    let most = usize::try_from(given.integer(1, -1)?).unwrap_or(usize::MAX);
    match given.get(0) {
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
        room(parts.len())?;
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
        room(parts.len())?;
        rest = before.trim_end_matches(character::is_space);
    }
    Ok(parts)
}

pub(super) fn lines(text: &Str, given: &Given) -> Result<Value> {
    let keep = given.flag(0)?;
    let (mut parts, mut rest) = (Vec::new(), &**text);
    while !rest.is_empty() {
        let end = rest.find(character::is_line_end).unwrap_or(rest.len());
        let mark = if rest[end..].starts_with("\r\n") {
            2
        } else {
            rest[end..].chars().next().map_or(0, char::len_utf8)
        };
        parts.push(&rest[..if keep { end + mark } else { end }]);
        room(parts.len())?;
        rest = &rest[end + mark..];
    }
    Ok(Value::list(parts.into_iter().map(Value::from)))
}
