//! Unfurl's expressions: a path such as `people::[name=ann]::age`, or a mapping with
//! `eval`, come in; what they lead to goes out.
//!
//! A path starts from a resource: a document is one, with its top-level keys as attributes.
//! Attributes may be expressions and templates themselves; each is evaluated once, when a
//! path or a template comes by.

mod compare;
mod each;
mod expression;
mod external;
mod function;
mod lent;
mod path;
mod quote;
mod resource;
mod scalar;
mod step;
mod trace;

use expression::{one, query};
use resource::Instances;

use super::{Context, Dialect, Loan, Scope, Stage, Start};
use crate::eval::python::{Arguments, Dict, Exception, Key, Result, Value};

/// The language.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfurl;

impl Dialect for Unfurl {
    fn name(&self) -> &'static str {
        "unfurl"
    }

    /// Which texts are templates is told as Unfurl tells it only with its older rules.
    fn speaks(&self, source: &Value, context: &Context) -> bool {
        match source {
            Value::Str(text) => {
                context.literals && !text.is_quoted() && Unfurl::is_template(text)
            }
            Value::Dict(entries) => is_embedded(entries),
            _ => false,
        }
    }

    fn marks(&self) -> Option<&'static [&'static str]> {
        Some(&[
            "eval",
            "ref",
            "q",
            "concat",
            "token",
            "get_",
            "has_env",
            "_generate",
            "}}",
            "%}",
        ])
    }

    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value> {
        match source {
            Value::Str(text) => expression::render(text, scope, &super::Style::default()),
            _ => one(source, scope).map_err(|exception| taken(exception, source)),
        }
    }

    fn ask(&self, source: &Value, scope: &Scope, all: bool) -> Result<Value> {
        if all { query(source, scope).map(Value::list) } else { one(source, scope) }
    }

    fn stage(
        &self,
        document: &Value,
        start: &Start,
        scope: &Scope,
    ) -> Option<Result<Stage>> {
        Some(Instances::open(document, start, scope))
    }

    fn lend(
        &self,
        loan: Loan,
        name: &str,
        scope: &Scope,
        arguments: &Arguments,
    ) -> Option<Result<Value>> {
        lent::lend(loan, name, scope, arguments)
    }

    fn loans(&self, loan: Loan) -> &'static [&'static str] {
        lent::names(loan)
    }
}

impl Unfurl {
    /// Whether Unfurl takes a text for a template.
    pub fn is_template(text: &str) -> bool {
        ["{{", "}}", "{%", "%}"].iter().any(|sign| text.contains(sign))
    }
}

/// What may stand beside `eval` in an expression that is embedded in data.
const BESIDE: [&str; 6] = ["vars", "trace", "foreach", "select", "strict", "base_dir"];

/// Whether a mapping among data is an expression.
fn is_embedded(entries: &Dict) -> bool {
    let entries = entries.read();
    let is_quoted = |value: &Value| matches!(value, Value::Str(name) if name.is_quoted());
    let mut names = entries.keys().map(|key| key.as_str().unwrap_or_default());
    let has = |name: &str| entries.contains_key(&Key::text(name));
    if entries.keys().any(|key| is_quoted(key.value())) {
        return false;
    }
    if has("eval") || has("ref") {
        let beside = BESIDE.iter().filter(|name| has(name)).count();
        beside + 1 == entries.len()
    } else {
        entries.len() == 1 && names.next().is_some_and(function::is_top)
    }
}

/// A failure of a function that is called without `eval`: perhaps that was no call.
fn taken(exception: Box<Exception>, source: &Value) -> Box<Exception> {
    let Value::Dict(entries) = source else { return exception };
    let is_told = exception.is_placed() || exception.hint.is_some();
    match entries.read().keys().next().and_then(Key::as_str) {
        Some(name)
            if entries.len() == 1 && !is_told && name != "eval" && name != "ref" =>
        {
            let hint = format!("if this is data, put it in `q`: {{q: {{{name}: …}}}}");
            exception.hint(hint)
        }
        _ => exception,
    }
}

/// The name of what a loop or an expression starts from; no expression can ask for it by
/// this name, as for all that begin with a dot.
const START: &str = ".start";

/// What `$name` stands for.
fn variable(scope: &Scope, name: &str) -> Result<Option<Value>> {
    if name.starts_with('.') {
        return Ok(None);
    }
    if name == "start" {
        let start = scope.names.get(START)?;
        return Ok(Some(start.unwrap_or_else(|| scope.here.clone())));
    }
    if let Some(value) = scope.names.get(name)? {
        return Ok(Some(value));
    }
    Ok(match name {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" => Some(Value::None),
        _ => None,
    })
}

/// The one value that results are: null if there is none, a list if there are many.
fn one_of(mut results: Vec<Value>) -> Value {
    match results.len() {
        0 => Value::None,
        1 => results.remove(0),
        _ => Value::list(results),
    }
}
