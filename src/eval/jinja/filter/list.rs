//! Sequences → parts of them, their length, their sum, a text of them.

use super::attribute::Path;
use super::parameter::{count, given, index, members};
use crate::eval::jinja::{CallSite, Undefined, defined};
use crate::eval::python::{self, Bound, Class, Exception, Result, Value, room, width};

pub(super) fn first(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let members = python::iterate(&arguments.only())?;
    let nothing = || Undefined::because("No first item, sequence was empty.");
    Ok(members.into_iter().next().unwrap_or_else(nothing))
}

pub(super) fn last(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let members = backwards(&arguments.only())?;
    let nothing = || Undefined::because("No last item, sequence was empty.");
    Ok(members.into_iter().next().unwrap_or_else(nothing))
}

/// `reversed(value)`
fn backwards(value: &Value) -> Result<Vec<Value>> {
    if matches!(value, Value::Set(_)) || python::iterate(value).is_err() {
        let message = format!("'{}' object is not reversible", value.type_name());
        return Err(Exception::of_type(message));
    }
    let mut members = python::iterate(value)?;
    members.reverse();
    Ok(members)
}

/// `length`, `count`
pub(super) fn length(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let length = python::length(&arguments.only())?;
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}

pub(super) fn list(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(Value::list(python::iterate(&arguments.only())?))
}

pub(super) fn reverse(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    if let Value::Str(_) = &value {
        return python::slice(&value, &Value::None, &Value::None, &Value::Int(-1));
    }
    let mut members = python::iterate(&value).map_err(|error| {
        Exception::of_type(format!("argument must be iterable: {error}"))
    })?;
    members.reverse();
    Ok(Value::list(members))
}

pub(super) fn items(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Dict(dict) => {
            let pair = |(key, value): (python::Key, Value)| {
                Value::tuple([key.value().clone(), value])
            };
            Ok(Value::list(dict.entries()?.into_iter().map(pair)))
        }
        _ => Err(Exception::of_type("Can only get item pairs from a mapping.")),
    }
}

pub(super) fn batch(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, size], [fill]) = arguments.split();
    let (mut batches, mut batch) = (Vec::new(), Vec::new());
    let members = members(&value)?;
    // A batch that no count is equal to never ends.
    let full = |batch: &[Value]| python::equal(&Value::Int(batch.len() as i64), &size);
    for member in members {
        if full(&batch)? {
            batches.push(Value::list(std::mem::take(&mut batch)));
        }
        batch.push(member);
    }
    if batch.is_empty() {
        return Ok(Value::list(batches));
    }
    if let Some(fill) = given(fill) {
        let size = usize::try_from(index(&size)?).unwrap_or(0);
        room(size)?;
        batch.resize(size.max(batch.len()), fill);
    }
    batches.push(Value::list(batch));
    Ok(Value::list(batches))
}

pub(super) fn slice(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, slices], [fill]) = arguments.split();
    let members = members(&value)?;
    if index(&slices)? == 0 {
        let message = "integer division or modulo by zero";
        return Err(Exception::new(Class::ZeroDivision, message));
    }
    let slices = count(Some(slices), 0)?;
    room(slices)?;
    let (each, longer) = (members.len() / slices.max(1), members.len() % slices.max(1));
    let (mut all, mut rest) = (Vec::with_capacity(slices), members.into_iter());
    for at in 0..slices {
        let size = each + usize::from(at < longer);
        let mut part: Vec<Value> = rest.by_ref().take(size).collect();
        if let Some(fill) = given(fill.clone())
            && at >= longer
        {
            part.push(fill);
        }
        all.push(Value::list(part));
    }
    Ok(Value::list(all))
}

pub(super) fn join(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [between, attribute]) = arguments.split();
    let between = between.map_or(Ok(String::new()), |between| python::str(&between))?;
    let path = Path::new(attribute.as_ref());
    let mut out = String::new();
    for (at, member) in python::iterate(&value)?.iter().enumerate() {
        if at > 0 {
            out.push_str(&between);
        }
        out.push_str(&python::str(&path.get(member)?)?);
        width(out.len())?;
    }
    Ok(Value::from(out))
}

pub(super) fn sum(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [attribute, start]) = arguments.split();
    let start = start.unwrap_or(Value::Int(0));
    if start.as_str().is_some() {
        let message = "sum() can't sum strings [use ''.join(seq) instead]";
        return Err(Exception::of_type(message));
    }
    let path = Path::new(attribute.as_ref());
    python::iterate(&value)?.iter().try_fold(start, |sum, member| {
        let member = defined(path.find(member)?)?;
        python::add(&sum, &member)
    })
}
