//! `list_join`: a delimiter and lists come in, one text goes out.

use crate::eval::python::{self, Class, Exception, Result, Value, width};
use crate::hot::Stack;

use super::Call;
use super::argument::{cut, json};

/// `list_join: [delimiter, list]`
pub(super) fn check_join(call: &Call) -> Result<()> {
    let wrong = || usage(call, "");
    match &call.arguments {
        Value::List(items) if items.len() == 2 => Ok(()),
        Value::List(_) => Err(Exception::of_value(wrong())),
        _ => Err(Exception::of_type(wrong())),
    }
}

/// `list_join: [delimiter, list, …]`
pub(super) fn check_join_many(call: &Call) -> Result<()> {
    let wrong = || usage(call, " ...");
    match &call.arguments {
        Value::List(items) if items.len() >= 2 => Ok(()),
        Value::List(_) => Err(Exception::of_value(wrong())),
        _ => Err(Exception::of_type(wrong())),
    }
}

fn usage(call: &Call, more: &str) -> String {
    let name = call.name();
    format!(
        "Incorrect arguments to \"{name}\" should be: \"{name}\" : [ \" \", \
         [ \"str1\", \"str2\"]{more}]"
    )
}

/// Null is an empty list; items are strings or null.
pub(super) fn join(call: &Call, stack: &Stack) -> Result<Value> {
    let (delimiter, lists) = arguments(call);
    let list = match lists.first() {
        Some(list) => stack.resolve(list)?,
        None => Value::None,
    };
    let items = match &list {
        Value::None => Vec::new(),
        list => items(call, list)?,
    };
    let delimiter = text(call, &stack.resolve(&delimiter)?)?;
    let texts = items.iter().map(|item| match item {
        Value::None => Ok(String::new()),
        Value::Str(text) => Ok(text.to_string()),
        other => Err(Exception::of_type(format!(
            "Items to join must be strings not {}",
            cut(other)?
        ))),
    });
    joined(&delimiter, texts)
}

/// Lists that are empty in any way are left out; items may be lists and maps, too, which
/// are written as JSON.
pub(super) fn join_many(call: &Call, stack: &Stack) -> Result<Value> {
    let (delimiter, lists) = arguments(call);
    let Value::List(lists) = stack.resolve(&Value::list(lists))? else {
        return Ok(Value::text(""));
    };
    let mut all = Vec::new();
    for list in &lists.items()? {
        if python::truth(list)? {
            all.extend(items(call, list)?);
        }
    }
    let delimiter = text(call, &stack.resolve(&delimiter)?)?;
    joined(&delimiter, all.iter().map(item))
}

fn item(item: &Value) -> Result<String> {
    match item {
        Value::None => Ok(String::new()),
        Value::Str(text) => Ok(text.to_string()),
        Value::List(_) | Value::Dict(_) => {
            json(item).or_else(|wrong| match wrong.class {
                Class::Type => Err(Exception::of_type(format!(
                    "Items to join must be string, map or list. {} failed json \
                     serialization",
                    cut(item)?
                ))),
                _ => Err(wrong),
            })
        }
        other => Err(Exception::of_type(format!(
            "Items to join must be string, map or list not {}",
            cut(other)?
        ))),
    }
}

/// The delimiter and what follows, not resolved: what a macro leaves out of a list must not
/// change which item is the first.
fn arguments(call: &Call) -> (Value, Vec<Value>) {
    let all = match &call.arguments {
        Value::List(items) => items.read().clone(),
        _ => Vec::new(),
    };
    let mut all = all.into_iter();
    (all.next().unwrap_or(Value::None), all.collect())
}

fn items(call: &Call, list: &Value) -> Result<Vec<Value>> {
    match list {
        Value::List(items) => items.items(),
        _ => {
            let message = format!("\"{}\" must operate on a list", call.name());
            Err(Exception::of_type(message))
        }
    }
}

fn text(call: &Call, delimiter: &Value) -> Result<String> {
    delimiter.as_str().map(str::to_owned).ok_or_else(|| {
        let message = format!("\"{}\" delimiter must be a string", call.name());
        Exception::of_type(message)
    })
}

fn joined(delimiter: &str, texts: impl Iterator<Item = Result<String>>) -> Result<Value> {
    let mut out = String::new();
    for (at, text) in texts.enumerate() {
        if at > 0 {
            out.push_str(delimiter);
        }
        out.push_str(&text?);
        width(out.len())?;
    }
    Ok(Value::text(out))
}
