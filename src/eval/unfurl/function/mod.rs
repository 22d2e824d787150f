//! The functions of expressions. A function is a row in the table `FUNCTIONS` of its file: its
//! name, its parameters, and whether it needs `eval`. `call` evaluates arguments.

mod call;
mod env;
mod file;
mod misc;
mod operator;
mod schema;
mod text;

pub(super) use call::UnfurlCall;
pub(super) use file::to_yaml;

use std::sync::LazyLock;

use crate::eval::python::{Class, Exception, Result, Value, repr};
use crate::eval::{Scope, secret};

use call::{ExpressionFunction, function, refused};

/// Functions that need the registry, a TOSCA topology or a running job.
#[rustfmt::skip]
const OTHERS: &[ExpressionFunction] = &[
    function("is_function_defined", is_function_defined).required(&["name"]).unary(),
    refused("get_artifact").top_level(), refused("get_nodes_of_type").top_level(),
    refused("_arguments"), refused("computed"), refused("discover"), refused("document"),
    refused("external"), refused("find_connection"), refused("kubectl"),
    refused("kubernetes_current_namespace"), refused("local"), refused("python"), refused("secret"),
    refused("update_os_environ"), refused("validate"),
];

/// All functions by name, from the tables of the files that implement them.
static FUNCTIONS: LazyLock<Vec<ExpressionFunction>> = LazyLock::new(|| {
    let mut functions = [
        env::FUNCTIONS,
        file::FUNCTIONS,
        misc::FUNCTIONS,
        operator::FUNCTIONS,
        schema::FUNCTIONS,
        text::FUNCTIONS,
        OTHERS,
    ]
    .concat();
    functions.sort_by_key(|function| function.name);
    functions
});

pub(super) fn find(name: &str) -> Option<&'static ExpressionFunction> {
    let at = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok()?;
    FUNCTIONS.get(at)
}

/// Returns the names of all functions that can be computed, for hints.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let functions = FUNCTIONS.iter().filter(|function| !function.needs_unfurl);
    functions.map(|function| function.name)
}

/// Returns true if a mapping with this only key is an expression.
pub(super) fn is_top_level(name: &str) -> bool {
    find(name).is_some_and(|function| function.is_top_level)
}

/// Returns the exception for a mapping without a function.
pub(super) fn unknown<'n>(
    source: &Value,
    keys: impl Iterator<Item = &'n str>,
    scope: &Scope,
) -> Box<Exception> {
    let written = repr(source).unwrap_or_default();
    let missing =
        Exception::new(Class::Undefined, format!("Function missing in {written}"));
    let missing = secret::conceal_source(missing, source, &scope.context);
    keys.fold(missing, |missing, key| missing.did_you_mean(names(), key))
        .or_hint("`q` around a mapping says that it is data")
}

fn is_function_defined(call: &UnfurlCall<'_>) -> Result<Value> {
    Ok(Value::Bool(call.data()?.as_str().is_some_and(|name| find(name).is_some())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.name < b.name));
        assert!(find("token").is_some_and(|token| token.is_top_level));
    }
}
