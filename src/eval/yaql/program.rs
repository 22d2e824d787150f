//! yaql as a language: its settings, a parsed expression, and its evaluation.

use std::sync::Arc;

use super::ast::Expression;
use super::convert::{from_data, to_data};
use super::engine::Engine;
use super::env::Env;
use super::evaluate::evaluate as evaluate_expression;
use super::function;
use super::parse::parse;
use super::redact::without_data;
use crate::eval::python::{Dict, Key, Result, Secrecy, Str, Value};
use crate::eval::{Context, Dialect, Scope};

/// yaql as Heat runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yaql {
    /// The limits of each value.
    pub quota: Quota,
}

/// The limits of a value of an expression. A negative limit is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Members of a collection that is iterated over or returned.
    pub iterators: i64,
    /// Bytes that Python would need for an argument or a result.
    pub memory: i64,
}

impl Default for Quota {
    /// Heat's limits.
    fn default() -> Quota {
        Quota { iterators: 200, memory: 10_000 }
    }
}

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
        let engine = Engine::new(context.clone(), function::library(), quota);
        let env = Arc::new(Env::new(engine, names));
        to_data(&env.engine, &evaluate_expression(&self.0, &env)?)
    }
}

/// yaql is never found in a document, but available to queries by its name.
impl Dialect for Yaql {
    fn name(&self) -> &'static str {
        "yaql"
    }

    fn speaks(&self, _source: &Value, _context: &Context) -> bool {
        false
    }

    fn marks(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value> {
        evaluate(
            source.as_str().unwrap_or_default(),
            &scope.here,
            self.quota,
            &scope.context,
        )
    }

    /// Evaluates a query; `$.data` is the document and `$name` a variable.
    fn ask_about(
        &self,
        source: &Value,
        document: &Value,
        variables: &Dict,
        context: &Arc<Context>,
    ) -> Option<Result<Value>> {
        let (expression, quota) = (source.as_str().unwrap_or_default(), self.quota);
        let program = read(expression).map_err(|raised| match source.secrecy() {
            Secrecy::Open => raised.naming_source(),
            _ => raised,
        });
        Some(program.and_then(|program| {
            program.evaluate(document, variables, quota, context).map_err(|raised| {
                if context.has_secrets() {
                    without_data(raised, expression)
                } else {
                    raised
                }
            })
        }))
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
