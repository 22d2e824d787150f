//! `equals`, `not`, `and` and `or`: conditions and values come in, a boolean goes out.

use crate::eval::python::{self, Exception, Result, Value};
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack};
use crate::hot::version::Version;

/// The functions of this file, by name and then by version.
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    IntrinsicFunction::condition("and", and).check(check_all),
    IntrinsicFunction::condition("equals", equals).check(check_equals),
    IntrinsicFunction::choice(false).between(Version::Newton, Version::Rocky),
    IntrinsicFunction::choice(true).since(Version::Wallaby),
    IntrinsicFunction::condition("not", not).check(check_not),
    IntrinsicFunction::condition("or", or).check(check_all),
];

/// `equals: [a, b]`
fn check_equals(call: &FunctionCall) -> Result<()> {
    match &call.arguments {
        Value::List(values) if values.len() == 2 => Ok(()),
        _ => Err(Exception::of_value(format!(
            "Arguments to \"{}\" must be of the form: [value_1, value_2]",
            call.name()
        ))),
    }
}

fn equals(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let [one, other] = python::unpack(&call.arguments)?;
    python::equal(&stack.resolve(&one)?, &stack.resolve(&other)?).map(Value::Bool)
}

/// `not: condition`
fn check_not(call: &FunctionCall) -> Result<()> {
    match &call.arguments {
        Value::None => Err(Exception::of_value(format!(
            "Argument to \"{}\" must be a condition",
            call.name()
        ))),
        _ => Ok(()),
    }
}

fn not(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    let condition = stack.resolve(&call.arguments)?;
    Ok(Value::Bool(!stack.condition(&condition)?))
}

/// `and: [condition, condition…]`, and `or`
fn check_all(call: &FunctionCall) -> Result<()> {
    match &call.arguments {
        Value::List(conditions) if conditions.len() >= 2 => Ok(()),
        Value::List(_) => Err(Exception::of_value(format!(
            "The minimum number of condition arguments to \"{}\" is 2.",
            call.name()
        ))),
        _ => Err(Exception::of_value(format!(
            "Arguments to \"{}\" must be a list of conditions",
            call.name()
        ))),
    }
}

fn and(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    decide(call, stack, false).map(Value::Bool)
}

fn or(call: &FunctionCall, stack: &Stack) -> Result<Value> {
    decide(call, stack, true).map(Value::Bool)
}

/// Looks at conditions until one decides. All of them are resolved before, but what stands
/// behind a name is not asked for any more.
fn decide(call: &FunctionCall, stack: &Stack, decisive: bool) -> Result<bool> {
    for condition in python::iterate(&stack.resolve(&call.arguments)?)? {
        if stack.condition(&condition)? == decisive {
            return Ok(decisive);
        }
    }
    Ok(!decisive)
}
