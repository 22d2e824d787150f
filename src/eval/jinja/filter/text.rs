//! Texts → texts: case, padding, cutting, wrapping, comments.

use super::parameter::{count, flag, given, index, method, soft};
use crate::eval::jinja::CallSite;
use crate::eval::python::{
    self, Arguments, Bound, Exception, Operator, Result, Signature, Str, Value, width,
};

/// `capitalize`, `lower`, `upper`: the method of that name.
pub(super) fn case(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    method(&soft(value)?, call.name, [])
}

pub(super) fn title(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    let (mut out, mut word) = (String::new(), String::new());
    for c in value.chars() {
        if c.is_whitespace() || matches!(c, '-' | '(' | '{' | '[' | '<') {
            capitalize(&mut out, &word);
            word.clear();
            out.push(c);
        } else {
            word.push(c);
        }
    }
    capitalize(&mut out, &word);
    Ok(Value::from(out))
}

fn capitalize(out: &mut String, word: &str) {
    let mut rest = word.chars();
    if let Some(first) = rest.next() {
        out.extend(first.to_uppercase());
        out.push_str(&rest.as_str().to_lowercase());
    }
}

pub(super) fn center(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [wide]) = arguments.split();
    count(wide.clone(), 80)?;
    method(&soft(value)?, "center", [wide.unwrap_or(Value::Int(80))])
}

pub(super) fn replace(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, old, new], [times]) = arguments.split();
    let value = Value::from(python::str(&value)?);
    let (old, new) = (python::str(&old)?, python::str(&new)?);
    let times = given(times).unwrap_or(Value::Int(-1));
    method(&value, "replace", [old.into(), new.into(), times])
}

pub(super) fn trim(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [characters]) = arguments.split();
    method(&soft(value)?, "strip", [characters.unwrap_or(Value::None)])
}

pub(super) fn wordcount(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = python::str(&arguments.only())?;
    let words = value.split(|c: char| !c.is_alphanumeric() && c != '_');
    Ok(Value::Int(words.filter(|word| !word.is_empty()).count() as i64))
}

pub(super) fn string(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    soft(arguments.only())
}

/// `'%s' | format(1)`
pub(super) fn format(_: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    if arguments.positional.is_empty() {
        Signature::of_value("do_format").bind(arguments)?;
        return Ok(Value::None);
    }
    let value = soft(arguments.positional.remove(0))?;
    if !arguments.keywords.is_empty() && !arguments.positional.is_empty() {
        let message = "can't handle positional and keyword arguments at the same time";
        return Err(Exception::of_value(message));
    }
    let filling = if arguments.keywords.is_empty() {
        Value::tuple(arguments.positional)
    } else {
        let entry = |(name, value): (Str, Value)| (python::Key::text(&name), value);
        Value::Dict(arguments.keywords.into_iter().map(entry).collect())
    };
    python::binary(Operator::Mod, &value, &filling)
}

pub(super) fn indent(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [by, first, blank]) = arguments.split();
    let (first, blank) = (flag(first, false)?, flag(blank, false)?);
    let indentation = match &by {
        Some(Value::Str(text)) => text.to_string(),
        _ => " ".repeat(count(by, 4)?),
    };
    let Value::Str(text) = &value else {
        return python::add(&value, &Value::text("\n"));
    };
    let whole = python::add(&value, &Value::text("\n"))?;
    let lines = python::iterate(&method(&whole, "splitlines", [])?)?;
    width(text.len().saturating_add(lines.len().saturating_mul(indentation.len())))?;
    let mut out = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let line = line.as_str().unwrap_or_default();
        out.push_str(if at == 0 { "" } else { "\n" });
        let indented = if at == 0 { first } else { blank || !line.is_empty() };
        out.push_str(if indented { &indentation } else { "" });
        out.push_str(line);
    }
    Ok(Value::Str(Str::stamped(out, text.stamp())))
}

pub(super) fn truncate(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [most, cut, end, leeway]) = arguments.split();
    let most = most.map_or(Ok(255), |most| index(&most))?;
    let leeway = given(leeway).map_or(Ok(5), |leeway| index(&leeway))?;
    let end = end.unwrap_or_else(|| Value::text("..."));
    let tail = python::length(&end)? as i64;
    let refuse = |what: &str, least: i64, got: i64| {
        Exception::of_value(format!("expected {what} >= {least}, got {got}"))
    };
    if most < tail {
        return Err(refuse("length", tail, most));
    }
    if leeway < 0 {
        return Err(refuse("leeway", 0, leeway));
    }
    if python::length(&value)? as i64 <= most.saturating_add(leeway) {
        return Ok(value);
    }
    let whole = super::parameter::string(&value, "expected str,")?;
    let kept: String = whole.chars().take((most - tail) as usize).collect();
    let kept = if flag(cut, false)? {
        &*kept
    } else {
        kept.rsplit_once(' ').map_or(&*kept, |(words, _)| words)
    };
    python::add(&Value::text(kept), &end)
}

/// `str.split(value, ...)`
pub(super) fn split(_: &CallSite<'_>, mut arguments: Arguments) -> Result<Value> {
    let missing = "unbound method str.split() needs an argument";
    if arguments.positional.is_empty() {
        return Err(Exception::of_type(missing));
    }
    let value = arguments.positional.remove(0);
    if value.as_str().is_none() {
        return Err(Exception::of_type(format!(
            "descriptor 'split' for 'str' objects doesn't apply to a '{}' object",
            value.type_name()
        )));
    }
    python::call_method(&value, "split", arguments)
}
