//! yaql as Heat runs it: the text of an expression and data come in, the value it stands
//! for goes out.
//!
//! An expression is read into a flat program (`parse`); its calls are resolved at run time
//! by what their arguments are (`choose`), among the overloads of tables (`function`).
//! Collections flow (`flow`): most of what the library makes of them is worked out member
//! by member, once.

mod argument;
mod ast;
mod choose;
mod convert;
mod dialect;
mod engine;
mod env;
mod evaluate;
mod flow;
mod function;
mod input;
mod key;
mod lambda;
mod lexer;
mod measure;
mod ordering;
mod overload;
mod parse;
mod redact;
mod regex;
mod show;
mod token;

use std::sync::Arc;

pub use dialect::Yaql;

pub(crate) use redact::without_data;

use engine::Engine;
use env::Env;

use super::{Context, Quota};
use crate::eval::python::{Dict, Key, Result, Str, Value};

/// An expression that was read.
#[derive(Debug)]
pub struct Program(ast::Expression);

/// Reads the text of an expression.
///
/// # Errors
/// It cannot be read.
pub fn read(expression: &str) -> Result<Program> {
    parse::parse(expression).map(Program)
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
                names.push((Str::from(format!("${name}")), convert::take(&value)?));
            }
        }
        let data = Dict::from_iter([(Key::text("data"), convert::take(data)?)]);
        names.push((Str::from("$1"), Value::Dict(data)));
        let engine = Arc::new(Engine::new(context.clone(), quota));
        let value = engine.evaluate(&self.0, &Arc::new(Env::new(names)))?;
        convert::give(&engine, &value)
    }
}
