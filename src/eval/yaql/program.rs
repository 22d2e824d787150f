//! A program of yaql: read once, evaluated against data.

use std::sync::Arc;

use super::ast::Expression;
use super::convert::{from_data, to_data};
use super::engine::Engine;
use super::env::Env;
use super::evaluate::evaluate as evaluate_expression;
use super::function;
use super::parse::parse;
use crate::eval::python::{Dict, Key, Result, Str, Value};
use crate::eval::{Context, Quota};

/// An expression that was read.
#[derive(Debug)]
pub struct Program(Expression);

/// Reads the text of an expression.
///
/// # Errors
/// It cannot be read.
pub fn read(expression: &str) -> Result<Program> {
    parse(expression).map(Program)
}

/// What an expression stands for where `$.data` is the data. Its work is taken from the
/// fuel of `context`.
///
/// Expressions may nest: this needs a stack of some megabytes.
///
/// # Errors
/// The expression cannot be read; what evaluating it raises; a limit is passed.
pub fn evaluate(
    expression: &str,
    data: &Value,
    quota: Quota,
    context: &Arc<Context>,
) -> Result<Value> {
    read(expression)?.evaluate(data, &Dict::default(), quota, context)
}

impl Program {
    /// What it stands for, where `$name` is a variable, too.
    ///
    /// # Errors
    /// What evaluating it raises; a limit is passed.
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
        let value = evaluate_expression(&engine, &self.0, &Arc::new(env))?;
        to_data(&engine, &value)
    }
}
