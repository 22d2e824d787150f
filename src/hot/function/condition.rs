//! Functions of conditions: `equals`, `not`, `and` and `or`; and the macro `if`.

use crate::eval::python::{self, Exception, Result, Value};
use crate::hot::stack::{FunctionCall, IntrinsicFunction, Stack};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    IntrinsicFunction::condition("and", |c, s| decide(c, s, false)).check(check_all),
    IntrinsicFunction::condition("equals", equals).check(check_equals),
    IntrinsicFunction::choice(3).between(Version::Newton, Version::Rocky),
    IntrinsicFunction::choice(2).since(Version::Wallaby),
    IntrinsicFunction::condition("not", not).check(check_not),
    IntrinsicFunction::condition("or", |c, s| decide(c, s, true)).check(check_all),
];

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

/// Evaluates conditions until one is `decisive`, and returns the result.
fn decide(call: &FunctionCall, stack: &Stack, decisive: bool) -> Result<Value> {
    // Heat resolves all arguments at once, but looks up the names among them one by one:
    // an unknown name behind the decisive condition is no error.
    for condition in python::iterate(&stack.resolve(&call.arguments)?)? {
        if stack.condition(&condition)? == decisive {
            return Ok(Value::Bool(decisive));
        }
    }
    Ok(Value::Bool(!decisive))
}
