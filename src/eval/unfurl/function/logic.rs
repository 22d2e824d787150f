//! `if`, `and`, `or`, `not`, `foreach`: expressions come in, one of them decides.

use super::Call;
use crate::eval::python::{Exception, Result, Value, str, truth};
use crate::eval::unfurl::expression::{results, value};
use crate::eval::unfurl::{each, one_of};

/// `if`, with `then` and `else`; without them the condition itself.
pub(super) fn choose(call: &Call<'_>) -> Result<Value> {
    let holds = holds(call)?;
    match call.written(if holds { "then" } else { "else" })? {
        Some(branch) => call.value(&branch),
        None => Ok(Value::Bool(holds)),
    }
}

/// Whether the expression has a result, and it is true.
fn holds(call: &Call<'_>) -> Result<bool> {
    if call.keywords.has_text("map_value") {
        return truth(&call.value(&call.argument)?);
    }
    match results(&call.argument, call.scope)?.first() {
        Some(first) => truth(first),
        None => Ok(false),
    }
}

/// `not`
pub(super) fn not(call: &Call<'_>) -> Result<Value> {
    Ok(Value::Bool(!holds(call)?))
}

/// `and`: the first that is not true, or the last.
pub(super) fn and(call: &Call<'_>) -> Result<Value> {
    let mut last = Value::Bool(true);
    for operand in operands(call)? {
        last = call.value(&operand)?;
        if !truth(&last)? {
            break;
        }
    }
    Ok(last)
}

/// `or`: the first that is true, or false.
pub(super) fn or(call: &Call<'_>) -> Result<Value> {
    for operand in operands(call)? {
        let value = call.value(&operand)?;
        if truth(&value)? {
            return Ok(value);
        }
    }
    Ok(Value::Bool(false))
}

/// The expressions to choose from. What is written in a list is worked out first as data,
/// then read as an expression.
fn operands(call: &Call<'_>) -> Result<Vec<Value>> {
    let argument = call.argument.force()?;
    let operands = match &argument {
        Value::List(_) => call.scope.evaluate(&argument)?,
        _ => value(&argument, call.scope)?,
    };
    match operands {
        Value::List(items) => items.items(),
        other => Err(Exception::of_type(format!(
            "'{}' takes a list, not {}",
            call.name,
            str(&other)?
        ))),
    }
}

/// `foreach`: over what the expression starts from.
pub(super) fn foreach(call: &Call<'_>) -> Result<Value> {
    Ok(one_of(each::of_here(&call.argument, call.scope)?))
}
