//! yaql as a dialect: never found in a document, but available to queries by its name.

use std::sync::Arc;

use super::program::{evaluate, read};
use super::redact::without_data;
use crate::eval::python::{Dict, Result, Secrecy, Value};
use crate::eval::{Context, Dialect, Scope};

use super::quota::Yaql;

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
