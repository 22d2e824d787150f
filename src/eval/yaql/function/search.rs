//! Regular expressions.

use super::super::argument::Call;
use super::super::env::Env;
use super::super::lambda::Lambda as Expression;
use super::super::overload::Kind::{Any, Bool, Int, Lambda, Regex as Pattern, Text};
use super::super::overload::{Overload, Parameter, function, may, method, need};
use super::super::regex::Regex;
use crate::eval::python::regex::{Flags, Match, escape};
use crate::eval::python::{Dict, Exception, Key, Result, Str, Value, join};

const SEARCH: &[Parameter] =
    &[need("regexp", Pattern), need("string", Text), may("selector", Lambda)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_!~", &[need("string", Text), need("pattern", Text)], |call| {
        found(call, 1, 0).map(|found| Value::Bool(!found))
    }),
    function("#operator_!~", &[need("string", Text), need("regexp", Pattern)], |call| {
        found(call, 1, 0).map(|found| Value::Bool(!found))
    }),
    function("#operator_=~", &[need("string", Text), need("pattern", Text)], |call| {
        found(call, 1, 0).map(Value::Bool)
    }),
    function("#operator_=~", &[need("string", Text), need("regexp", Pattern)], |call| {
        found(call, 1, 0).map(Value::Bool)
    }),
    function("escapeRegex", &[need("string", Text)], |call| {
        Ok(Value::from(escape(&call.text(0)?)))
    }),
    function("isRegex", &[need("value", Any)], |call| {
        Ok(Value::Bool(Pattern.accepts(&call.value(0))))
    }),
    method("matches", &[need("regexp", Pattern), need("string", Text)], |call| {
        found(call, 0, 1).map(Value::Bool)
    }),
    method("matches", &[need("string", Text), need("regexp", Text)], |call| {
        found(call, 1, 0).map(Value::Bool)
    }),
    function(
        "regex",
        &[
            need("pattern", Text),
            may("ignoreCase", Bool).or_null(),
            may("multiLine", Bool).or_null(),
            may("dotAll", Bool).or_null(),
        ],
        regex,
    ),
    method(
        "replace",
        &[
            need("regexp", Pattern),
            need("string", Text),
            need("repl", Text),
            may("count", Int),
        ],
        |call| replace(call, 0, 1),
    ),
    method(
        "replace",
        &[
            need("string", Text),
            need("regexp", Pattern),
            need("repl", Text),
            may("count", Int),
        ],
        |call| replace(call, 1, 0),
    ),
    method(
        "replaceBy",
        &[
            need("regexp", Pattern),
            need("string", Text),
            need("repl", Lambda),
            may("count", Int),
        ],
        |call| replace_by(call, 0, 1),
    ),
    method(
        "replaceBy",
        &[
            need("string", Text),
            need("regexp", Pattern),
            need("repl", Lambda),
            may("count", Int),
        ],
        |call| replace_by(call, 1, 0),
    ),
    method("search", SEARCH, search),
    method("searchAll", SEARCH, search_all),
    method(
        "split",
        &[need("regexp", Pattern), need("string", Text), may("maxSplit", Int)],
        |call| split(call, 0, 1),
    ),
    method(
        "split",
        &[need("string", Text), need("regexp", Pattern), may("maxSplit", Int)],
        |call| split(call, 1, 0),
    ),
];

fn regex(call: &Call) -> Result<Value> {
    let flags = Flags {
        ignorecase: call.flag(1)?,
        multiline: call.flag(2)?,
        dotall: call.flag(3)?,
        ..Flags::default()
    };
    Regex::new(&call.text(0)?, flags).map(Value::object)
}

/// A pattern, or a string as one.
fn pattern(call: &Call, at: usize) -> Result<Regex> {
    match call.value(at).downcast::<Regex>() {
        Some(regex) => Ok(regex.clone()),
        None => Regex::new(&call.text(at)?, Flags::default()),
    }
}

fn found(call: &Call, regex: usize, text: usize) -> Result<bool> {
    Ok(pattern(call, regex)?.pattern.search(&call.text(text)?)?.is_some())
}

/// How many of something there may be; Python takes 0 for any number, and nothing less.
fn most(call: &Call, at: usize) -> Result<Option<usize>> {
    Ok(usize::try_from(call.int(at, 0)?).ok())
}

fn split(call: &Call, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    match most(call, 2)? {
        Some(most) => regex.pattern.split(&text, most).map(Value::list),
        None => Ok(Value::list([Value::Str(text)])),
    }
}

fn replace(call: &Call, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    let Some(most) = most(call, 3)? else { return Ok(Value::Str(text)) };
    let (replaced, _) = regex.pattern.replace(&call.text(2)?, &text, most)?;
    Ok(Value::from(replaced))
}

fn replace_by(call: &Call, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    let Some(most) = most(call, 3)? else { return Ok(Value::Str(text)) };
    let (selector, mut pieces, mut from) = (call.lambda(2)?, Vec::new(), 0);
    let most = if most == 0 { usize::MAX } else { most };
    for found in regex.pattern.matches(&text, most)? {
        let whole = found.whole();
        let before = text.get(from..whole.start).filter(|before| !before.is_empty());
        pieces.extend(before.map(Value::from));
        let selected = selected(&regex, &found, &text, &selector)?;
        pieces.extend(Some(selected).filter(|piece| !matches!(piece, Value::None)));
        from = whole.end;
    }
    pieces.push(Value::from(text.get(from..).unwrap_or_default()));
    join(&Str::from(""), &Value::tuple(pieces)).map(Value::Str)
}

fn search(call: &Call) -> Result<Value> {
    let (regex, text) = (pattern(call, 0)?, call.text(1)?);
    match (regex.pattern.search(&text)?, call.maybe_lambda(2)) {
        (None, _) => Ok(Value::None),
        (Some(found), None) => Ok(Value::from(found.group(0, &text).unwrap_or_default())),
        (Some(found), Some(selector)) => selected(&regex, &found, &text, &selector),
    }
}

fn search_all(call: &Call) -> Result<Value> {
    let (regex, text) = (pattern(call, 0)?, call.text(1)?);
    let selector = call.maybe_lambda(2);
    let mut matches = regex.pattern.matches(&text, usize::MAX)?.into_iter();
    call.iter(move || {
        let Some(found) = matches.next() else { return Ok(None) };
        Ok(Some(match &selector {
            None => Value::from(found.group(0, &text).unwrap_or_default()),
            Some(selector) => selected(&regex, &found, &text, selector)?,
        }))
    })
}

/// What an expression makes of a match: `$` is all of it, `$2` its first group.
fn selected(
    regex: &Regex,
    found: &Match,
    text: &Str,
    selector: &Expression,
) -> Result<Value> {
    // yaql fails here, too: it takes the names of groups for something else.
    if let Some((name, _)) = regex.pattern.names().first() {
        let message = format!("a selector cannot be used with a named group: '{name}'");
        return Err(Exception::of_value(message));
    }
    let place = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        Value::Int(before.chars().count() as i64)
    };
    let group = |at| {
        let span = found.span(at);
        let (start, end) = match &span {
            Some(span) => (place(span.start), place(span.end)),
            None => (Value::Int(-1), Value::Int(-1)),
        };
        let value = found.group(at, text).map_or(Value::None, Value::from);
        Value::Dict(Dict::from_iter([
            (Key::text("value"), value),
            (Key::text("start"), start),
            (Key::text("end"), end),
        ]))
    };
    let groups = (0..=regex.pattern.groups()).map(group).collect();
    selector.call_in(&Env::numbered(selector.env(), groups))
}
