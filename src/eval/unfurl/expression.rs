//! Evaluates expressions: paths, templates, functions, and mappings with `eval` and its
//! settings.

use crate::eval::python::{Class, Dict, Exception, Key, Result, Str, Value, repr, truth};
use crate::eval::{Scope, Strict, TemplateOptions, Thunk, complete, secret, sensitive};

use super::external::file_to_path;
use super::foreach;
use super::function::{self, UnfurlCall};
use super::path::{follow, one_of, similar_key, spread};
use super::trace::{ExpressionTrace, FOLDER, START, TRACE, summary};

/// Settings beside `eval` in embedded expressions; with any other key a mapping is data.
const BESIDE: [&str; 6] = ["vars", "trace", "foreach", "select", "strict", "base_dir"];

/// Returns true if a mapping in data is an expression.
pub(super) fn is_embedded(entries: &Dict) -> bool {
    let entries = entries.read();
    let mut keys = entries.keys();
    if keys.any(|key| matches!(key.value(), Value::Str(name) if name.is_quoted())) {
        return false;
    }
    if ["eval", "ref"].iter().any(|name| entries.contains_key(&Key::text(name))) {
        let beside = BESIDE.iter().filter(|name| entries.contains_key(&Key::text(name)));
        beside.count() + 1 == entries.len()
    } else {
        let name = entries.keys().next().and_then(Key::as_str);
        entries.len() == 1 && name.is_some_and(function::is_top_level)
    }
}

/// Returns true if a text is a template for Unfurl.
pub(super) fn is_template(text: &str) -> bool {
    ["{{", "}}", "{%", "%}"].iter().any(|sign| text.contains(sign))
}

/// Returns all results of an expression.
pub(super) fn query(source: &Value, scope: &Scope) -> Result<Vec<Value>> {
    Ok(ExpressionQuery::read(source, scope)?
        .run()?
        .into_iter()
        .map(file_to_path)
        .collect())
}

/// Returns the result of an expression: null for none, a list for several.
pub(super) fn one(source: &Value, scope: &Scope) -> Result<Value> {
    ExpressionQuery::read(source, scope)?.one(|_| {})
}

/// Returns the result of an expression in data. Warns if it is a path that finds nothing.
pub(super) fn embedded(source: &Value, scope: &Scope) -> Result<Value> {
    ExpressionQuery::read(source, scope)?.one(|query| query.warn(source, scope))
}

/// An expression with its settings.
struct ExpressionQuery {
    source: Value,
    scope: Scope,
    foreach: Option<Value>,
    select: Option<Value>,
    /// The results that must exist.
    required: Strict,
}

impl ExpressionQuery {
    fn read(source: &Value, scope: &Scope) -> Result<ExpressionQuery> {
        let source = source.force()?;
        let strict = scope.strict.min(Strict::Cycles);
        let mut query = ExpressionQuery {
            source: source.clone(),
            // A required result is asked of the whole expression, not of its parts.
            scope: Scope { strict, ..scope.clone() },
            foreach: None,
            select: None,
            required: scope.strict,
        };
        let Value::Dict(entries) = &source else { return Ok(query) };
        let first = entries.keys().into_iter().next();
        if first.as_ref().and_then(Value::as_str).is_some_and(function::is_top_level) {
            return Ok(query);
        }
        let written = |name: &str| match entries.get_text(name)? {
            Some(value) if truth(&value)? => Result::Ok(Some(value)),
            _ => Ok(None),
        };
        query.foreach = written("foreach")?;
        query.select = written("select")?;
        query.set_strict(entries.get_text("strict")?);
        query.set_names(entries)?;
        let inner = match entries.get_text("eval")? {
            None => entries.get_text("ref")?,
            inner => inner,
        };
        query.source = inner.unwrap_or(query.source);
        Ok(query)
    }

    fn set_strict(&mut self, strict: Option<Value>) {
        match (&strict, strict.as_ref().and_then(Value::as_str)) {
            (Some(Value::Bool(true)), _) => self.scope.strict = Strict::Cycles,
            (Some(Value::Bool(false)), _) => self.scope.strict = Strict::Lenient,
            (_, Some("required")) => self.required = Strict::Required,
            (_, Some("notnull")) => self.required = Strict::NotNull,
            _ => {}
        }
    }

    /// Defines the variables, which may use each other and those outside.
    fn set_names(&mut self, entries: &Dict) -> Result<()> {
        let names = Dict::default();
        // Settings travel with the names, so they hold in all that is evaluated inside.
        for (hidden, name) in [(TRACE, "trace"), (FOLDER, "base_dir")] {
            if let Some(value) = entries.get_text(name)? {
                names.set(Key::text(hidden), value);
            }
        }
        let vars = match entries.get_text("vars")? {
            Some(Value::Dict(vars)) => vars,
            _ => Dict::default(),
        };
        if names.is_empty() && vars.is_empty() {
            return Ok(());
        }
        self.scope = self.scope.within(names.clone());
        for (key, value) in vars.entries()? {
            names.set(key, Thunk::of(&value, &self.scope));
        }
        if let Some(start) = names.get_text("start")? {
            names.set(Key::text(START), start.clone());
            self.scope.here = start;
        }
        Ok(())
    }

    fn one(&self, on_nothing: impl FnOnce(&ExpressionQuery)) -> Result<Value> {
        let results = self.run()?;
        self.check(&results)?;
        if self.foreach.is_some() {
            return Ok(Value::list(results));
        }
        if results.is_empty() {
            on_nothing(self);
        }
        Ok(one_of(results))
    }

    fn run(&self) -> Result<Vec<Value>> {
        // Nothing is formatted unless steps are shown.
        let trace = ExpressionTrace::of(&self.scope);
        trace.source("evaluating", &self.source);
        let results = results(&self.source, &self.scope)?;
        let results = match self.foreach.as_ref().or(self.select.as_ref()) {
            Some(select) if !results.is_empty() => {
                foreach::results(select, results, &self.scope)?
            }
            _ => results,
        };
        trace.show(|context| match results.as_slice() {
            [] => "no result".to_owned(),
            [only] => format!("the result is {}", summary(only, context)),
            many => format!("{} results", many.len()),
        });
        Ok(results)
    }

    /// Warns that the path finds nothing.
    fn warn(&self, written: &Value, scope: &Scope) {
        let Value::Str(path) = &self.source else { return };
        if is_template(path) || scope.strict == Strict::Lenient {
            return;
        }
        let message =
            format!("the expression '{}' finds nothing: its value is null", &**path);
        let warning = Exception::new(Class::Missing, message);
        let warning = self
            .with_similar_key(warning)
            .or_hint("if this is data, put it in `q`, or use --eval=jinja");
        let context = &scope.context;
        let warning = secret::conceal_source(warning, &self.source, context);
        context.warn(warning.located(written));
    }

    /// Adds a hint at the key that the path may mean.
    fn with_similar_key(&self, raised: Box<Exception>) -> Box<Exception> {
        let near = self.source.as_str().and_then(|path| similar_key(path, &self.scope));
        match near {
            Some(near) => raised.hint(format!("did you mean '{near}'?")),
            None => raised,
        }
    }

    fn check(&self, results: &[Value]) -> Result<()> {
        let source = || match &self.source {
            Value::Str(text) => text.to_string(),
            other => repr(other).unwrap_or_default(),
        };
        let wrong = |what| {
            let message = format!("Expression {} {what}", source());
            let exception = Exception::of_value(message);
            secret::conceal_source(exception, &self.source, &self.scope.context)
        };
        match results {
            [] if self.required >= Strict::Required => {
                Err(self.with_similar_key(wrong("must return results")))
            }
            [Value::None] if self.required == Strict::NotNull => {
                Err(wrong("must not be null"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns all results of a path, a template, a function or data.
pub(super) fn results(source: &Value, scope: &Scope) -> Result<Vec<Value>> {
    match source.force()? {
        Value::Str(text) if is_template(&text) => {
            Ok(vec![render(&text, scope, &TemplateOptions::default())?])
        }
        Value::Str(text) => follow(&text, scope),
        Value::Dict(entries) => call(&entries, scope),
        other => spread(scope.evaluate(&other)?),
    }
}

/// Evaluates an argument that is an expression: one value, or a list of several.
pub(super) fn value(source: &Value, scope: &Scope) -> Result<Value> {
    Ok(one_of(results(source, scope)?))
}

/// Evaluates an argument that is data, completely.
pub(super) fn data(source: &Value, scope: &Scope) -> Result<Value> {
    Ok(file_to_path(complete(&scope.evaluate(source)?, &scope.context)?))
}

/// Renders a template without the white space around it.
pub(super) fn render(
    text: &Str,
    scope: &Scope,
    options: &TemplateOptions,
) -> Result<Value> {
    let source = match text.trim() {
        trimmed if trimmed.len() == text.len() => text.clone(),
        trimmed => Str::stamped(trimmed, text.stamp()),
    };
    let rendered = scope.context.nested(|| scope.render(&source, options));
    rendered.map_err(|exception| exception.located(&Value::Str(source)))
}

/// Returns the results of a mapping: those of its function, or of its `eval`.
fn call(entries: &Dict, scope: &Scope) -> Result<Vec<Value>> {
    let keys = entries.keys();
    let names = keys.iter().filter_map(Value::as_str);
    let Some((name, function)) =
        names.clone().find_map(|name| Some((name, function::find(name)?)))
    else {
        let source = Value::Dict(entries.clone());
        if is_embedded(entries) {
            return scope.context.nested(|| ExpressionQuery::read(&source, scope)?.run());
        }
        if entries.has_text("eval") || entries.has_text("ref") {
            return Ok(vec![scope.evaluate(&source)?]);
        }
        return Err(function::unknown(&source, names, scope));
    };
    for wrong in ["var", "foreach"] {
        if name != wrong && entries.has_text(wrong) {
            return Err(Exception::new(
                Class::Value,
                format!("unexpected '{wrong}' found, did you intend it for the parent?"),
            ));
        }
    }
    let argument = entries.get_text(name)?.unwrap_or(Value::None);
    let call = UnfurlCall::new(scope, function, argument, entries.clone());
    let trace = ExpressionTrace::of(scope);
    trace.source(&format!("calling '{name}' with"), &call.argument);
    scope.context.spend(1)?;
    let value = call.run()?;
    trace.show(|context| format!("'{name}' is {}", summary(&value, context)));
    // A quoted or marked list is one value: as several results it would lose its mark.
    if name == "q" || sensitive::is_marked(&value) {
        return Ok(vec![value]);
    }
    spread(value)
}
