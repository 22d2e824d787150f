//! `yaql`: evaluates a YAQL expression with data.

use crate::eval::python::{Class, Dict, Exception, Result, Value};
use crate::eval::yaql::{self, Yaql};
use crate::hot::exception::replacing;
use crate::hot::stack::{IntrinsicCall, IntrinsicFunction, Stack, function};
use crate::hot::version::Version;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[IntrinsicFunction] = &[
    function("yaql", evaluate).takes(&["expression"], &["data"]).since(Version::Newton)
        .in_conditions(Version::Pike).check(|c| parts(c).map(drop)).validate(validate),
];

/// Returns the unresolved expression and data.
fn parts(call: &IntrinsicCall) -> Result<[Value; 2]> {
    let name = call.name();
    call.map(&call.arguments, "Arguments to \"{}\" must be a map.")?;
    let syntax = format!(
        "\"{name}\" syntax should be {name}:\n              \
         expression: $.data.var1.sum()\n              \
         data:\n                var1: [3, 2, 1]"
    );
    let ([expression], [data]) = call.bind(&syntax)?;
    if !call.unknown_names().is_empty() {
        return Err(call.with_name_hint(Exception::new(Class::Key, syntax)));
    }
    Ok([expression, data.unwrap_or_else(|| Value::Dict(Dict::default()))])
}

/// Checks that the expression can be parsed. A call is checked when it is resolved.
fn validate(call: &IntrinsicCall, stack: &Stack) -> Result<()> {
    stack.validate_arguments(call)?;
    let [expression, _] = parts(call)?;
    match IntrinsicCall::of(&expression) {
        Some(_) => Ok(()),
        None => readable(yaql::read(call.text(&expression, NO_TEXT)?)).map(drop),
    }
}

const NO_TEXT: &str = "The \"expression\" argument to {} must contain a string.";

/// Turns an exception of the parser into the `ValueError` that Heat reports.
fn readable<T>(read: Result<T>) -> Result<T> {
    read.map_err(replacing(&[Class::Syntax], |wrong| {
        Exception::of_value(format!("Bad expression {}.", wrong.message))
    }))
}

fn evaluate(call: &IntrinsicCall, stack: &Stack) -> Result<Value> {
    let [expression, data] = parts(call)?;
    let expression = stack.resolve(&expression)?;
    let expression = call.text(&expression, NO_TEXT)?;
    let program = readable(yaql::read(expression))?;
    let secrets = stack.parameters.secrets.count();
    let data = stack.resolve(&data)?;
    let yaql = stack.context.language::<Yaql>().copied().unwrap_or_default();
    let found = program.evaluate(&data, &Dict::default(), yaql.quota, &stack.context);
    found.map_err(|raised| {
        // Messages of yaql quote data that `hide` could not recognize: parts and
        // conversions of secrets.
        if stack.parameters.secrets.count() > secrets {
            yaql::without_data(raised, expression)
        } else {
            raised
        }
    })
}
