//! yaql as a language: its settings, a parsed expression, its evaluation, and the conversion
//! of data to values of yaql and back.
//!
//! Lists of yaql are immutable, so they are tuples here. Results hold no iterators.

use std::sync::Arc;

use crate::eval::python::{
    Dict, Key, Result, Secrecy, Str, Value, limit_members, max_depth, too_deep,
};
use crate::eval::{Context, Dialect, Quota, Scope};

use super::engine::Engine;
use super::evaluate::{Env, evaluate as evaluate_expression};
use super::function;
use super::iterable::{is_iterable, limit, stream};
use super::key::{is_set, key, set, thaw, unhashable};
use super::parse::{TermRef, parse};
use super::redact::without_data;

/// yaql as Heat runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yaql {
    /// The limits of each value.
    pub quota: Quota,
}

/// A parsed expression.
#[derive(Debug)]
pub struct Program(TermRef);

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
        let data = Dict::named([("data", from_data(data)?)]);
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
        let expression = source.as_str().unwrap_or_default();
        evaluate(expression, &scope.here, self.quota, &scope.context)
    }

    /// Evaluates a query; `$.data` is the document and `$name` a variable.
    fn ask_about(
        &self,
        source: &Value,
        document: &Value,
        variables: &Dict,
        context: &Arc<Context>,
    ) -> Option<Result<Value>> {
        let expression = source.as_str().unwrap_or_default();
        let program = read(expression).map_err(|raised| match source.secrecy() {
            Secrecy::Open => raised.naming_source(),
            _ => raised,
        });
        Some(program.and_then(|program| {
            program.evaluate(document, variables, self.quota, context).map_err(|raised| {
                if context.has_secrets() {
                    without_data(raised, expression)
                } else {
                    raised
                }
            })
        }))
    }
}

/// Converts data to values of yaql. Raises a `RecursionError` if it nests too deeply.
fn from_data(value: &Value) -> Result<Value> {
    Converter { engine: None, depth: 0, count: 0 }.value(value)
}

/// Converts a result to data. Raises a `TypeError` for a set with mutable members.
fn to_data(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    engine.check_size(value)?;
    let data = Converter { engine: Some(engine), depth: 0, count: 0 }.value(value)?;
    engine.check_size(&data)?;
    Ok(data)
}

/// A recursive conversion: to data with an engine, from data without.
struct Converter<'e> {
    engine: Option<&'e Arc<Engine>>,
    depth: usize,
    /// Number of converted values. A shared value counts each time.
    count: usize,
}

impl Converter<'_> {
    fn value(&mut self, value: &Value) -> Result<Value> {
        (self.depth, self.count) = (self.depth + 1, self.count + 1);
        // A small value may be huge when it is copied: shared lists of shared lists.
        limit_members(self.count)?;
        if self.depth > max_depth() {
            let message = "maximum recursion depth exceeded: a value nests too deeply";
            return Err(too_deep(message));
        }
        let value = value.force()?;
        let converted = match self.engine {
            None => self.import(&value)?,
            Some(engine) => self.export(engine, &value)?,
        };
        self.depth -= 1;
        Ok(converted)
    }

    fn all(&mut self, values: &[Value]) -> Result<Vec<Value>> {
        values.iter().map(|value| self.value(value)).collect()
    }

    fn import(&mut self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::List(items) => Value::tuple(self.all(&items.items()?)?),
            Value::Tuple(members) => Value::tuple(self.all(members)?),
            // yaql takes every sequence but a string as a list.
            Value::Bytes(bytes) => {
                Value::tuple(bytes.iter().map(|byte| Value::Int(i64::from(*byte))))
            }
            Value::Dict(entries) => {
                let entries = entries.entries()?.into_iter();
                let entries = entries.map(|(key, value)| Ok((key, self.value(&value)?)));
                Value::Dict(entries.collect::<Result<_>>()?)
            }
            other => other.clone(),
        })
    }

    fn export(&mut self, engine: &Arc<Engine>, value: &Value) -> Result<Value> {
        if let Value::Dict(entries) = value {
            engine.check_length(entries.len())?;
            let mut exported = Vec::new();
            for (name, value) in entries.entries()? {
                exported.push((self.export_key(name.value())?, self.value(&value)?));
            }
            return Ok(Value::Dict(exported.into_iter().collect()));
        }
        if !is_iterable(value) {
            return Ok(value.clone());
        }
        // Members are converted one by one: what a nested iterator takes from this one
        // must be gone for the next member.
        let members = stream(&limit(engine, value)?)?;
        let is_set = is_set(value);
        let mut all = Vec::new();
        let mut parts = Vec::new();
        for member in members {
            let member = member?;
            if is_set {
                parts.push(self.export_key(&member)?.into_value());
            } else {
                all.push(self.value(&member)?);
            }
            limit_members(all.len() + parts.len())?;
        }
        if is_set { set(parts).map(Value::Set) } else { Ok(Value::list(all)) }
    }

    /// Converts a key or a member of a set. It must be immutable data.
    fn export_key(&mut self, part: &Value) -> Result<Key> {
        match thaw(part) {
            Value::Tuple(_) | Value::List(_) => Err(unhashable("list")),
            Value::Dict(_) => Err(unhashable("dict")),
            Value::Set(_) => Err(unhashable("set")),
            other => key(&self.value(&other)?),
        }
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
        let types = Some("the arguments are of the types string, integer");
        assert_eq!(refused("isEmpty('', trim => 1)").hint.as_deref(), types);
        assert_eq!(refused("isEmpty('', colour => 1)").hint.as_deref(), types);
    }
}
