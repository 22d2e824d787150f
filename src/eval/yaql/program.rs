//! A parsed expression, and its evaluation.

use std::sync::Arc;

use super::ast::Expression;
use super::convert::{from_data, to_data};
use super::engine::Engine;
use super::env::Env;
use super::evaluate::evaluate as evaluate_expression;
use super::function;
use super::parse::parse;
use super::quota::Quota;
use crate::eval::Context;
use crate::eval::python::{Dict, Key, Result, Str, Value};

/// A parsed expression.
#[derive(Debug)]
pub struct Program(Expression);

/// Parses an expression.
///
/// # Errors
/// A syntax error.
pub fn read(expression: &str) -> Result<Program> {
    parse(expression).map(Program)
}

/// Parses and evaluates an expression; `$.data` is `data`. `context` holds the fuel.
///
/// The evaluation is recursive: it needs a stack of some megabytes.
///
/// # Errors
/// A syntax error; the error of a function; a limit error.
pub fn evaluate(
    expression: &str,
    data: &Value,
    quota: Quota,
    context: &Arc<Context>,
) -> Result<Value> {
    read(expression)?.evaluate(data, &Dict::default(), quota, context)
}

impl Program {
    /// Evaluates the expression; `$name` is a variable.
    ///
    /// # Errors
    /// The error of a function; a limit error.
    pub fn evaluate(
        &self,
        data: &Value,
        variables: &Dict,
        quota: Quota,
        context: &Arc<Context>,
    ) -> Result<Value> {
        let mut names = Vec::new();
        for (key, value) in variables.entries()? {
            if let Some(name) = key.as_str() {
                names.push((Str::from(format!("${name}")), from_data(&value)?));
            }
        }
        let data = Dict::from_iter([(Key::text("data"), from_data(data)?)]);
        names.push((Str::from("$1"), Value::Dict(data)));
        let env = Env::new(function::library(), names);
        let engine = Arc::new(Engine::new(context.clone(), quota));
        to_data(&engine, &evaluate_expression(&engine, &self.0, &Arc::new(env))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Allow, Memory};

    #[test]
    fn a_misspelled_keyword_gets_a_hint() {
        let context =
            Context::new(Arc::new(Memory::default()), Allow::NOTHING, "/", Vec::new());
        let context = Arc::new(context);
        let refused = |expression| {
            evaluate(expression, &Value::None, Quota::default(), &context).unwrap_err()
        };
        let raised = refused("isEmpty('', trin => true)");
        assert_eq!(raised.message, "No function \"isEmpty\" matches supplied arguments");
        assert_eq!(raised.hint.as_deref(), Some("did you mean 'trim'?"));
        assert_eq!(refused("isEmpty('', trim => 1)").hint, None);
        assert_eq!(refused("isEmpty('', colour => 1)").hint, None);
    }
}
