//! Regular expressions.

use super::super::call::FunctionCall;
use super::super::env::Env;
use super::super::evaluate;
use super::super::overload::ParameterType::Regex as Pattern;
use super::super::overload::{Function, function, method};
use super::super::regex::RegexValue;
use crate::eval::python::regex::{Flags, Match, escape};
use crate::eval::python::{Dict, Exception, Key, Result, Str, Value, join};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_!~", "string:Text pattern:Text / string:Text regexp:Regex",
        |call| found(call, 1, 0).map(|found| Value::Bool(!found))),
    function("#operator_=~", "string:Text pattern:Text / string:Text regexp:Regex",
        |call| found(call, 1, 0).map(Value::Bool)),
    function("escapeRegex", "string:Text", |call| Ok(Value::from(escape(&call.text(0)?)))),
    function("isRegex", "value:Any", |call| Ok(Value::Bool(Pattern.accepts(&call.value(0))))),
    method("matches", "regexp:Regex string:Text", |call| found(call, 0, 1).map(Value::Bool)),
    method("matches", "string:Text regexp:Text", |call| found(call, 1, 0).map(Value::Bool)),
    function("regex", "pattern:Text ignoreCase:Bool|Null? multiLine:Bool|Null? dotAll:Bool|Null?", regex),
    method("replace", "regexp:Regex string:Text repl:Text count:Int?", |call| replace(call, 0, 1)),
    method("replace", "string:Text regexp:Regex repl:Text count:Int?", |call| replace(call, 1, 0)),
    method("replaceBy", "regexp:Regex string:Text repl:Lambda count:Int?", |call| replace_by(call, 0, 1)),
    method("replaceBy", "string:Text regexp:Regex repl:Lambda count:Int?", |call| replace_by(call, 1, 0)),
    method("search", "regexp:Regex string:Text selector:Lambda?", search),
    method("searchAll", "regexp:Regex string:Text selector:Lambda?", search_all),
    method("split", "regexp:Regex string:Text maxSplit:Int?", |call| split(call, 0, 1)),
    method("split", "string:Text regexp:Regex maxSplit:Int?", |call| split(call, 1, 0)),
];

fn regex(call: &FunctionCall) -> Result<Value> {
    let flags = Flags {
        ignorecase: call.flag(1)?,
        multiline: call.flag(2)?,
        dotall: call.flag(3)?,
        ..Flags::default()
    };
    RegexValue::new(&call.text(0)?, flags).map(Value::object)
}

/// Returns a pattern argument; a string is compiled.
fn pattern(call: &FunctionCall, at: usize) -> Result<RegexValue> {
    match call.value(at).downcast::<RegexValue>() {
        Some(regex) => Ok(regex.clone()),
        None => RegexValue::new(&call.text(at)?, Flags::default()),
    }
}

fn found(call: &FunctionCall, regex: usize, text: usize) -> Result<bool> {
    Ok(pattern(call, regex)?.pattern.search(&call.text(text)?)?.is_some())
}

/// Returns a count. 0 means no limit, a negative count (`None`) no match at all.
fn limit(call: &FunctionCall, at: usize) -> Result<Option<usize>> {
    Ok(usize::try_from(call.int(at, 0)?).ok())
}

fn split(call: &FunctionCall, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    match limit(call, 2)? {
        Some(limit) => regex.pattern.split(&text, limit).map(Value::list),
        None => Ok(Value::list([Value::Str(text)])),
    }
}

fn replace(call: &FunctionCall, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    let Some(limit) = limit(call, 3)? else { return Ok(Value::Str(text)) };
    let (replaced, _) = regex.pattern.replace(&call.text(2)?, &text, limit)?;
    Ok(Value::from(replaced))
}

fn replace_by(call: &FunctionCall, regex: usize, text: usize) -> Result<Value> {
    let (regex, text) = (pattern(call, regex)?, call.text(text)?);
    let Some(limit) = limit(call, 3)? else { return Ok(Value::Str(text)) };
    let (selector, mut pieces, mut from) = (call.lambda(2)?, Vec::new(), 0);
    let limit = if limit == 0 { usize::MAX } else { limit };
    for found in regex.pattern.matches(&text, limit)? {
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

fn search(call: &FunctionCall) -> Result<Value> {
    let (regex, text) = (pattern(call, 0)?, call.text(1)?);
    match (regex.pattern.search(&text)?, call.maybe_lambda(2)) {
        (None, _) => Ok(Value::None),
        (Some(found), None) => Ok(Value::from(found.group(0, &text).unwrap_or_default())),
        (Some(found), Some(selector)) => selected(&regex, &found, &text, &selector),
    }
}

fn search_all(call: &FunctionCall) -> Result<Value> {
    let (regex, text) = (pattern(call, 0)?, call.text(1)?);
    let selector = call.maybe_lambda(2);
    let mut matches = regex.pattern.matches(&text, usize::MAX)?.into_iter();
    call.generator(move || {
        let Some(found) = matches.next() else { return Ok(None) };
        Ok(Some(match &selector {
            None => Value::from(found.group(0, &text).unwrap_or_default()),
            Some(selector) => selected(&regex, &found, &text, selector)?,
        }))
    })
}

/// Evaluates a selector for a match: `$` is the whole match, `$2` the first group.
fn selected(
    regex: &RegexValue,
    found: &Match,
    text: &Str,
    selector: &evaluate::Lambda,
) -> Result<Value> {
    // yaql raises a `ValueError` here, too: its loop over the named groups has a bug.
    if let Some((name, _)) = regex.pattern.names().first() {
        let message = format!("a selector cannot be used with a named group: '{name}'");
        return Err(Exception::of_value(message));
    }
    // Positions are characters in Python, bytes here.
    let place =
        |at: usize| Value::Int(text.get(..at).unwrap_or_default().chars().count() as i64);
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
