//! Strings and regular expressions.

use std::sync::Arc;

use crate::eval::python::regex::{Flags, Match, Pattern, compile, escape};
use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, Object, Result, Str, Value, call_method,
    limit_bytes, repr, slice,
};

use super::super::call::BoundCall;
use super::super::evaluate::{self, Env, number};
use super::super::key::{show, thaw};
use super::super::overload::YaqlType::{Regex, Text};
use super::super::overload::{Function, both, function, method};
use super::super::resolve::call_function;
use super::collection::repeat;

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#operator_!~", "string:Text pattern:Text / string:Text regexp:Regex",
        |call| found(call).map(|found| Value::Bool(!found))),
    // 49 bytes are the header of an ASCII string.
    function("#operator_*", "left:Text right:Int", |call| repeat(call, 0, 1, 49)),
    function("#operator_*", "left:Int right:Text", |call| repeat(call, 1, 0, 49)),
    function("#operator_+", "*:Text", concat),
    function("#operator_=~", "string:Text pattern:Text / string:Text regexp:Regex",
        |call| found(call).map(Value::Bool)),
    function("#operator_in", "left:Text right:Text",
        |call| Ok(Value::Bool(call.text(1)?.contains(&*call.text(0)?)))),
    function("characters", CHARACTERS, characters),
    function("concat", "*:Text", concat),
    method("endsWith", "string:Text *:Text", |call| on_text(call, "endswith", [Value::tuple(call.variadic())])),
    function("escapeRegex", "string:Text", |call| Ok(Value::from(escape(&call.text(0)?)))),
    method("indexOf", "string:Text sub:Text start:Int length:Int", |call| find_within(call, "find")),
    method("indexOf", "string:Text sub:Text start:Int?", |call| on_text(call, "find", [call.value(1), call.value_or(2, 0)])),
    both("isEmpty", "string:Text|Null trim:Bool? chars:Text|Null?", is_empty),
    function("isRegex", "value:Any", |call| Ok(Value::Bool(Regex.accepts(&call.value(0))))),
    function("isString", "arg:Any", |call| Ok(Value::Bool(Text.accepts(&call.value(0))))),
    method("join", "sequence:Iterable separator:Text", |call| join(call, 0, 1)),
    method("join", "separator:Text sequence:Iterable", |call| join(call, 1, 0)),
    method("lastIndexOf", "string:Text sub:Text start:Int length:Int", |call| find_within(call, "rfind")),
    method("lastIndexOf", "string:Text sub:Text start:Int?",
        |call| on_text(call, "rfind", [call.value(1), call.value_or(2, 0)])),
    both("len", "string:Text", |call| Ok(Value::Int(length(&call.text(0)?)))),
    method("matches", "regexp:Regex string:Text / string:Text regexp:Text", |call| found(call).map(Value::Bool)),
    both("norm", "string:Text|Null chars:Text|Null?", norm),
    function("regex", "pattern:Text ignoreCase:Bool|Null? multiLine:Bool|Null? dotAll:Bool|Null?", regex),
    method("replace", "string:Text old:Text new:Text count:Int?",
        |call| on_text(call, "replace", [call.value(1), call.value(2), call.value_or(3, -1)])),
    method("replace", "string:Text replacements:Dict count:Int?", replace_all),
    method("replace", "regexp:Regex string:Text repl:Text count:Int? / string:Text regexp:Regex repl:Text count:Int?",
        replace_matches),
    method("replaceBy", "regexp:Regex string:Text repl:Lambda count:Int? / string:Text regexp:Regex repl:Lambda count:Int?",
        replace_by),
    method("rightSplit", "string:Text separator:Text|Null? maxSplits:Int?",
        |call| on_text(call, "rsplit", [call.value(1), call.value_or(2, -1)])),
    method("search", "regexp:Regex string:Text selector:Lambda?", search),
    method("searchAll", "regexp:Regex string:Text selector:Lambda?", search_all),
    method("split", "string:Text separator:Text|Null? maxSplits:Int?",
        |call| on_text(call, "split", [call.value(1), call.value_or(2, -1)])),
    method("split", "regexp:Regex string:Text maxSplit:Int? / string:Text regexp:Regex maxSplit:Int?",
        split_at_matches),
    method("startsWith", "string:Text *:Text", |call| on_text(call, "startswith", [Value::tuple(call.variadic())])),
    function("str", "value:Any", |call| text_of(&call.value(0))),
    method("substring", "string:Text start:Int length:Int?", substring),
    method("toCharArray", "string:Text", |call| Ok(Value::tuple(python::iterate(&call.value(0))?))),
    method("toLower", "string:Text", |call| on_text(call, "lower", [])),
    method("toUpper", "string:Text", |call| on_text(call, "upper", [])),
    method("trim", "string:Text chars:Text|Null?", |call| on_text(call, "strip", [call.value(1)])),
    method("trimLeft", "string:Text chars:Text|Null?", |call| on_text(call, "lstrip", [call.value(1)])),
    method("trimRight", "string:Text chars:Text|Null?", |call| on_text(call, "rstrip", [call.value(1)])),
];

const CHARACTERS: &str = "digits:Bool|Null? hexdigits:Bool|Null? asciiLowercase:Bool|Null? \
    asciiUppercase:Bool|Null? asciiLetters:Bool|Null? letters:Bool|Null? octdigits:Bool|Null? \
    punctuation:Bool|Null? printable:Bool|Null? lowercase:Bool|Null? uppercase:Bool|Null? \
    whitespace:Bool|Null?";

fn concat(call: &BoundCall) -> Result<Value> {
    let mut whole = String::new();
    for part in call.variadic() {
        whole.push_str(part.as_str().unwrap_or_default());
        limit_bytes(whole.len())?;
    }
    Ok(Value::from(whole))
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

/// Returns the characters of all requested kinds, without duplicates.
fn characters(call: &BoundCall) -> Result<Value> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const SPACE: &str = " \t\n\r\x0b\x0c";
    #[rustfmt::skip]
    let kinds: [&[&str]; 12] = [
        &["0123456789"], &["0123456789abcdefABCDEF"], &[LOWER], &[UPPER], &[LOWER, UPPER], &[],
        &["01234567"], &[PUNCTUATION], &["0123456789", LOWER, UPPER, PUNCTUATION, SPACE], &[], &[],
        &[SPACE],
    ];
    let names = CHARACTERS.split_whitespace().filter_map(|word| word.split(':').next());
    let mut found = indexmap::IndexSet::new();
    for ((at, kind), name) in kinds.iter().enumerate().zip(names) {
        if call.flag(at)? {
            // These constants of the module `string` exist in Python 2 only.
            if kind.is_empty() {
                let message = format!("module 'string' has no attribute '{name}'");
                return Err(Exception::new(Class::Unsupported, message));
            }
            found.extend(kind.iter().flat_map(|text| text.chars()));
        }
    }
    Ok(Value::tuple(found.into_iter().map(|c| Value::from(c.to_string()))))
}

/// Calls a method of Python's strings on the first argument.
fn on_text<const N: usize>(
    call: &BoundCall,
    method: &str,
    arguments: [Value; N],
) -> Result<Value> {
    call_method(&call.value(0), method, Arguments::of(arguments))
}

fn find_within(call: &BoundCall, method: &str) -> Result<Value> {
    let length = length(&call.text(0)?);
    let start = match call.int(2, 0)? {
        start if start < 0 => start.saturating_add(length),
        start => start,
    };
    let count = match call.int(3, 0)? {
        count if count < 0 => length.saturating_sub(start),
        count => count,
    };
    let end = Value::Int(start.saturating_add(count));
    on_text(call, method, [call.value(1), Value::Int(start), end])
}

fn is_empty(call: &BoundCall) -> Result<Value> {
    let Value::Str(text) = call.value(0) else { return Ok(Value::Bool(true)) };
    // The default is true, unlike that of other flags.
    let trims = call.get(1).is_none() || call.flag(1)?;
    let rest =
        if trims { on_text(call, "strip", [call.value(2)])? } else { Value::Str(text) };
    Ok(Value::Bool(rest.as_str() == Some("")))
}

fn text_of(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::None => Value::from("null"),
        Value::Bool(x) => Value::from(x.to_string()),
        Value::Str(text) => Value::Str(text.clone()),
        other => Value::from(show(other)?),
    })
}

fn norm(call: &BoundCall) -> Result<Value> {
    if matches!(call.value(0), Value::None) {
        return Ok(Value::None);
    }
    let value = on_text(call, "strip", [call.value(1)])?;
    Ok(if value.as_str() == Some("") { Value::None } else { value })
}

fn join(call: &BoundCall, members: usize, separator: usize) -> Result<Value> {
    let texts = call.stream(members)?.map(|member| text(&call.env, &member?));
    let texts = texts.collect::<Result<Vec<_>>>()?;
    python::join(&call.text(separator)?, &Value::tuple(texts)).map(Value::Str)
}

fn text(env: &Arc<Env>, value: &Value) -> Result<Value> {
    call_function(env, "str", std::slice::from_ref(value))
}

/// Replaces each key of a dict by its value, in the order of the dict.
fn replace_all(call: &BoundCall) -> Result<Value> {
    let mut whole = call.value(0);
    let env = &call.env;
    let count = call.value_or(2, -1);
    for (old, new) in call.dict(1)?.entries()? {
        let old = text(env, &thaw(old.value()))?;
        let arguments = Arguments::of([old, text(env, &new)?, count.clone()]);
        whole = call_method(&whole, "replace", arguments)?;
    }
    Ok(whole)
}

fn substring(call: &BoundCall) -> Result<Value> {
    let length = call.text(0)?.chars().count() as i64;
    let count = match call.position(2, -1)? {
        count if count < 0 => length,
        count => count,
    };
    let start = match call.position(1, 0)? {
        start if start < 0 => start.saturating_add(length),
        start => start,
    };
    let end = Value::Int(start.saturating_add(count));
    slice(&call.value(0), &Value::Int(start), &end, &Value::None)
}

fn regex(call: &BoundCall) -> Result<Value> {
    let flags = Flags {
        ignorecase: call.flag(1)?,
        multiline: call.flag(2)?,
        dotall: call.flag(3)?,
        ..Flags::default()
    };
    RegexValue::new(&call.text(0)?, flags).map(Value::object)
}

/// Returns the pattern and the text among the first two arguments. Of two texts the second
/// one is the pattern, and compiled.
fn pattern_and_text(call: &BoundCall) -> Result<(RegexValue, Str)> {
    if let Some(regex) = call.value(0).downcast::<RegexValue>() {
        return Ok((regex.clone(), call.text(1)?));
    }
    let regex = match call.value(1).downcast::<RegexValue>() {
        Some(regex) => regex.clone(),
        None => RegexValue::new(&call.text(1)?, Flags::default())?,
    };
    Ok((regex, call.text(0)?))
}

fn found(call: &BoundCall) -> Result<bool> {
    let (regex, text) = pattern_and_text(call)?;
    Ok(regex.pattern.search(&text)?.is_some())
}

/// Returns a count. 0 means no limit, a negative count (`None`) no match at all.
fn limit(call: &BoundCall, at: usize) -> Result<Option<usize>> {
    Ok(usize::try_from(call.int(at, 0)?).ok())
}

fn split_at_matches(call: &BoundCall) -> Result<Value> {
    let (regex, text) = pattern_and_text(call)?;
    match limit(call, 2)? {
        Some(limit) => regex.pattern.split(&text, limit).map(Value::list),
        None => Ok(Value::list([Value::Str(text)])),
    }
}

fn replace_matches(call: &BoundCall) -> Result<Value> {
    let (regex, text) = pattern_and_text(call)?;
    let Some(limit) = limit(call, 3)? else { return Ok(Value::Str(text)) };
    let (replaced, _) = regex.pattern.replace(&call.text(2)?, &text, limit)?;
    Ok(Value::from(replaced))
}

fn replace_by(call: &BoundCall) -> Result<Value> {
    let (regex, text) = pattern_and_text(call)?;
    let Some(limit) = limit(call, 3)? else { return Ok(Value::Str(text)) };
    let selector = call.lambda(2)?;
    let mut pieces = Vec::new();
    let mut from = 0;
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
    python::join(&Str::from(""), &Value::tuple(pieces)).map(Value::Str)
}

fn search(call: &BoundCall) -> Result<Value> {
    let (regex, text) = pattern_and_text(call)?;
    match (regex.pattern.search(&text)?, call.maybe_lambda(2)) {
        (None, _) => Ok(Value::None),
        (Some(found), None) => Ok(Value::from(found.group(0, &text).unwrap_or_default())),
        (Some(found), Some(selector)) => selected(&regex, &found, &text, &selector),
    }
}

fn search_all(call: &BoundCall) -> Result<Value> {
    let (regex, text) = pattern_and_text(call)?;
    let selector = call.maybe_lambda(2);
    let matches = regex.pattern.matches(&text, usize::MAX)?.into_iter();
    call.lazy(matches.map(move |found| match &selector {
        None => Ok(Value::from(found.group(0, &text).unwrap_or_default())),
        Some(selector) => selected(&regex, &found, &text, selector),
    }))
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
        Value::Dict(Dict::named([("value", value), ("start", start), ("end", end)]))
    };
    let groups = (0..=regex.pattern.groups()).map(group).collect();
    selector.call_in(&Env::within(&selector.env, number(groups)))
}

/// A compiled pattern with its source.
#[derive(Clone, Debug)]
pub struct RegexValue {
    pub pattern: Arc<Pattern>,
    text: Str,
    flags: Flags,
}

impl RegexValue {
    /// Compiles a pattern. Fails with a `ValueError` if the pattern is invalid.
    pub fn new(text: &Str, flags: Flags) -> Result<RegexValue> {
        Ok(RegexValue { pattern: compile(text, flags)?, text: text.clone(), flags })
    }
}

impl Object for RegexValue {
    fn type_name(&self) -> &str {
        "re.Pattern"
    }

    fn display(&self) -> Result<String> {
        let flags = [
            (self.flags.ignorecase, "re.IGNORECASE"),
            (self.flags.multiline, "re.MULTILINE"),
            (self.flags.dotall, "re.DOTALL"),
        ];
        let flags: Vec<&str> =
            flags.into_iter().filter_map(|(set, name)| set.then_some(name)).collect();
        let separator = if flags.is_empty() { "" } else { ", " };
        let text = repr(&Value::Str(self.text.clone()))?;
        Ok(format!("re.compile({text}{separator}{})", flags.join("|")))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let Some(other) = other.downcast::<RegexValue>() else { return Some(false) };
        Some((&self.text, self.flags) == (&other.text, other.flags))
    }
}
