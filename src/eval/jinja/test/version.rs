//! Versions: two texts and the way to read them come in, their order goes out.

use std::cmp::Ordering;

use super::pep440;
use crate::eval::jinja::Call;
use crate::eval::jinja::filter::parameter::{bind, given, text};
use crate::python::{self, Arguments, Comparison, Exception, Result, Value};

/// `version`, `version_compare`
pub(super) fn version(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let optional = ["operator", "strict", "version_type"];
    let ([value, other], [operator, strict, kind]) =
        bind(arguments, "version_compare", ["value", "version"], optional)?;
    let (strict, kind) = (given(strict), given(kind));
    if strict.is_some() && kind.is_some() {
        let message = "Cannot specify both 'strict' and 'version_type'";
        return Err(Exception::of_value(message));
    }
    for (value, name) in [
        (&value, "Input version value"),
        (&other, "Version parameter to compare against"),
    ] {
        if !python::truth(value)? {
            return Err(Exception::of_value(format!("{name} cannot be empty")));
        }
    }
    let strict = strict.map_or(Ok(false), |strict| python::truth(&strict))?;
    let kind = text(kind, if strict { "strict" } else { "loose" })?;
    let holds = holds(&text(operator, "eq")?)?;
    let compare = match &*kind {
        "loose" => loose,
        "strict" => self::strict,
        "semver" | "semantic" => semantic,
        "pep440" => pep440::compare,
        other => {
            return Err(Exception::of_value(format!(
                "Invalid version type ({other}). Must be one of 'loose', 'strict', 'semver', \
                 'semantic', 'pep440'"
            )));
        }
    };
    let order = compare(&python::str(&value)?, &python::str(&other)?);
    let order = order.map_err(|error| {
        Exception::of_value(format!("Version comparison failed: {}", error.message))
    })?;
    Ok(Value::Bool(holds(order)))
}

/// For which order an operator holds.
fn holds(operator: &str) -> Result<fn(Ordering) -> bool> {
    Ok(match operator {
        "==" | "=" | "eq" => Ordering::is_eq,
        "<" | "lt" => Ordering::is_lt,
        "<=" | "le" => Ordering::is_le,
        ">" | "gt" => Ordering::is_gt,
        ">=" | "ge" => Ordering::is_ge,
        "!=" | "<>" | "ne" => Ordering::is_ne,
        other => {
            return Err(Exception::of_value(format!(
                "Invalid operator type ({other}). Must be one of '==', '=', 'eq', '<', 'lt', \
                 '<=', 'le', '>', 'gt', '>=', 'ge', '!=', '<>', 'ne'"
            )));
        }
    })
}

/// The order of two lists, as their equality and `<` have it.
fn order(a: &Value, b: &Value) -> Result<Ordering> {
    if python::equal(a, b)? {
        return Ok(Ordering::Equal);
    }
    let less = python::order(Comparison::Less, a, b)?;
    Ok(if less { Ordering::Less } else { Ordering::Greater })
}

/// Numbers by their size, all else by its letters; the two have no order.
pub(crate) fn loose(a: &str, b: &str) -> Result<Ordering> {
    order(&loose_parts(a), &loose_parts(b))
}

fn loose_parts(version: &str) -> Value {
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => 1,
        'a'..='z' => 2,
        '.' => 3,
        _ => 4,
    };
    let (mut parts, mut rest) = (Vec::new(), version);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        match kind(first) {
            1 => parts.push(python::parse_int(part, 10).unwrap_or(Value::text(part))),
            3 => {}
            _ => parts.push(Value::text(part)),
        }
        rest = after;
    }
    Value::list(parts)
}

/// Digits, with no letter or sign among them.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// `1.2`, `1.2.3`, `1.2a1`: two or three numbers, and what comes before them.
fn strict(a: &str, b: &str) -> Result<Ordering> {
    let read = |version: &str| {
        strict_parts(version).ok_or_else(|| {
            Exception::of_value(format!("invalid version number '{version}'"))
        })
    };
    let ((a, before_a), (b, before_b)) = (read(a)?, read(b)?);
    Ok(a.cmp(&b).then_with(|| later(&before_a, &before_b)))
}

type Strict = ([u64; 3], Option<(char, u64)>);

fn strict_parts(version: &str) -> Option<Strict> {
    let (numbers, before) = match version.find(['a', 'b']) {
        None => (version, None),
        Some(at) => {
            let (numbers, before) = version.split_at(at);
            let letter = before.chars().next()?;
            (numbers, Some((letter, number(before.get(1..)?)?)))
        }
    };
    let numbers: Option<Vec<u64>> = numbers.split('.').map(number).collect();
    match &*numbers? {
        [major, minor] => Some(([*major, *minor, 0], before)),
        [major, minor, patch] => Some(([*major, *minor, *patch], before)),
        _ => None,
    }
}

/// The order of what comes before a release; the release comes after all of it.
fn later<T: Ord>(a: &Option<T>, b: &Option<T>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => a.cmp(b),
    }
}

/// A part of what comes before a release: numbers come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Text(String),
}

/// <https://semver.org>
pub(crate) fn semantic(a: &str, b: &str) -> Result<Ordering> {
    let read = |version: &str| {
        semantic_parts(version).ok_or_else(|| {
            Exception::of_value(format!("invalid semantic version '{version}'"))
        })
    };
    let ((a, before_a), (b, before_b)) = (read(a)?, read(b)?);
    Ok(a.cmp(&b).then_with(|| later(&before_a, &before_b)))
}

fn semantic_parts(version: &str) -> Option<([u64; 3], Option<Vec<Identifier>>)> {
    let (version, build) = match version.split_once('+') {
        Some((version, build)) => (version, Some(build)),
        None => (version, None),
    };
    let (core, before) = match version.split_once('-') {
        Some((core, before)) => (core, Some(before)),
        None => (version, None),
    };
    let word = |text: &&str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    if build.is_some_and(|build| !build.split('.').all(|part| word(&part))) {
        return None;
    }
    let plain =
        |text: &str| number(text).filter(|_| text == "0" || !text.starts_with('0'));
    let core: Option<Vec<u64>> = core.split('.').map(plain).collect();
    let core = <[u64; 3]>::try_from(core?).ok()?;
    let identifier = |part: &str| match number(part) {
        Some(_) => plain(part).map(Identifier::Number),
        None => Some(part).filter(word).map(|part| Identifier::Text(part.to_owned())),
    };
    let Some(before) = before else { return Some((core, None)) };
    let before: Option<Vec<Identifier>> = before.split('.').map(identifier).collect();
    Some((core, Some(before?)))
}
