//! Functions of expressions, and calls of them. Arguments are evaluated and bound here.

use std::cell::RefCell;

use crate::eval::python::{Class, Dict, Exception, Result, Value, truth};
use crate::eval::unfurl::expression;
use crate::eval::unfurl::path::spread;
use crate::eval::{Scope, secret};

/// A function of expressions: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval::unfurl) struct ExpressionFunction {
    pub(super) name: &'static str,
    run: fn(&UnfurlCall<'_>) -> Result<Value>,
    /// Names of the items that its argument, a list, must have.
    required: &'static [&'static str],
    /// Names of the items that may follow.
    optional: &'static [&'static str],
    /// Names of the settings that may be written beside the function.
    keywords: &'static [&'static str],
    /// True if it needs no `eval` around it where it is the only key.
    pub(super) is_top_level: bool,
    /// True if a template passes its only argument as it is, not as a list of one.
    is_unary: bool,
    /// True if it marks the secrets in its results itself.
    marks_results: bool,
    /// True if only Unfurl itself can compute it. Calls are refused.
    pub(super) needs_unfurl: bool,
}

pub(super) const fn function(
    name: &'static str,
    run: fn(&UnfurlCall<'_>) -> Result<Value>,
) -> ExpressionFunction {
    ExpressionFunction {
        name,
        run,
        required: &[],
        optional: &[],
        keywords: &[],
        is_top_level: false,
        is_unary: false,
        marks_results: false,
        needs_unfurl: false,
    }
}

/// Returns a function whose calls are refused.
pub(super) const fn refused(name: &'static str) -> ExpressionFunction {
    ExpressionFunction { needs_unfurl: true, ..function(name, refuse) }
}

impl ExpressionFunction {
    pub(super) const fn required(self, required: &'static [&'static str]) -> Self {
        ExpressionFunction { required, ..self }
    }

    pub(super) const fn optional(self, optional: &'static [&'static str]) -> Self {
        ExpressionFunction { optional, ..self }
    }

    pub(super) const fn keywords(self, keywords: &'static [&'static str]) -> Self {
        ExpressionFunction { keywords, ..self }
    }

    pub(super) const fn top_level(self) -> Self {
        ExpressionFunction { is_top_level: true, ..self }
    }

    /// Declares that the function marks the secrets in its results itself.
    pub(super) const fn marking(self) -> Self {
        ExpressionFunction { marks_results: true, ..self }
    }

    pub(super) const fn unary(self) -> Self {
        ExpressionFunction { is_unary: true, ..self }
    }

    /// Returns the argument for a call by a template, which passes values by position.
    pub(in crate::eval::unfurl) fn argument(&self, mut values: Vec<Value>) -> Value {
        if self.is_unary && values.len() == 1 {
            return values.remove(0);
        }
        Value::list(values)
    }
}

fn refuse(call: &UnfurlCall<'_>) -> Result<Value> {
    let message = format!("the function '{}' needs Unfurl itself", call.name());
    Err(Exception::new(Class::Unsupported, message))
}

/// A call of a function. The argument is not evaluated.
#[derive(Clone, Debug)]
pub(in crate::eval::unfurl) struct UnfurlCall<'a> {
    pub(super) scope: &'a Scope,
    function: &'static ExpressionFunction,
    pub(in crate::eval::unfurl) argument: Value,
    /// The whole mapping that the name was found in.
    pub(super) keywords: Dict,
    /// Evaluated arguments, for secrets in them.
    evaluated: RefCell<Vec<Value>>,
}

impl<'a> UnfurlCall<'a> {
    pub(in crate::eval::unfurl) fn new(
        scope: &'a Scope,
        function: &'static ExpressionFunction,
        argument: Value,
        keywords: Dict,
    ) -> UnfurlCall<'a> {
        let evaluated = RefCell::default();
        UnfurlCall { scope, function, argument, keywords, evaluated }
    }

    pub(in crate::eval::unfurl) fn run(&self) -> Result<Value> {
        let context = &self.scope.context;
        let made = context.nested(|| (self.function.run)(self));
        let made = made.map_err(|exception| self.with_keyword_hint(exception));
        if self.function.marks_results && made.is_ok() {
            return made;
        }
        secret::keep(made, &self.evaluated.borrow().iter().collect::<Vec<_>>(), context)
    }

    /// Adds a hint at the setting that an unknown one beside the function may mean.
    fn with_keyword_hint(&self, exception: Box<Exception>) -> Box<Exception> {
        let written = self.keywords.keys();
        let known = self.function.keywords;
        let unknown = written.iter().filter_map(Value::as_str);
        let unknown = unknown.filter(|it| *it != self.name() && !known.contains(it));
        unknown.fold(exception, |exception, name| {
            exception.did_you_mean(known.iter().copied(), name)
        })
    }

    pub(super) fn name(&self) -> &'static str {
        self.function.name
    }

    pub(super) fn data(&self) -> Result<Value> {
        self.data_of(&self.argument)
    }

    pub(super) fn data_of(&self, source: &Value) -> Result<Value> {
        self.record(expression::data(source, self.scope)?)
    }

    fn record(&self, value: Value) -> Result<Value> {
        self.evaluated.borrow_mut().push(value.clone());
        Ok(value)
    }

    /// Evaluates the argument as a list of data.
    pub(super) fn list(&self) -> Result<Vec<Value>> {
        spread(self.data()?)
    }

    /// Evaluates the argument as a list of as many items as the function takes.
    pub(super) fn arguments(&self) -> Result<Vec<Value>> {
        self.checked(self.list()?)
    }

    /// Evaluates the argument as two values. Raises a `TypeError` for more or fewer.
    pub(super) fn pair(&self) -> Result<(Value, Value)> {
        let given = match &self.data()? {
            // Unfurl passes the argument as `*args`, which splits a string into characters.
            Value::Str(all) => all.chars().map(|c| Value::text(c.to_string())).collect(),
            other => spread(other.clone())?,
        };
        let mut given = self.checked(given)?.into_iter();
        let first = given.next().unwrap_or(Value::None);
        Ok((first, given.next().unwrap_or(Value::None)))
    }

    fn checked(&self, given: Vec<Value>) -> Result<Vec<Value>> {
        let name = self.name();
        let count = given.len();
        let required = self.function.required.len();
        let most = required + self.function.optional.len();
        if (required..=most).contains(&count) {
            return Ok(given);
        }
        Err(Exception::of_type(if required == most {
            format!("{name} expected {required} arguments, got {count}")
        } else {
            format!(
                "{name}() takes from {required} to {most} arguments but {count} were given"
            )
        }))
    }

    pub(super) fn value(&self, source: &Value) -> Result<Value> {
        match self.keyword("map_value")? {
            // `map_value: true` turns the arguments of `if`, `and`, `or` and `not` from
            // expressions into data.
            Some(wanted) if truth(&wanted)? => self.data_of(source),
            _ => self.record(expression::value(source, self.scope)?),
        }
    }

    /// Returns a setting beside the function, not evaluated.
    pub(super) fn written(&self, name: &str) -> Result<Option<Value>> {
        self.keywords.get_text(name)
    }

    /// Returns a setting beside the function, evaluated as data.
    pub(super) fn keyword(&self, name: &str) -> Result<Option<Value>> {
        let written = self.written(name)?;
        written.map(|written| self.data_of(&written)).transpose()
    }

    /// Returns the text of a setting beside the function, if there is one.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>> {
        optional_text(self.keyword(name)?, name)
    }
}

/// Returns the text of a value. Raises a `TypeError` for other types; `what` names it.
pub(super) fn text_of(value: &Value, what: &str) -> Result<String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => {
            let message = format!("{what} must be a string, not {{}}");
            Err(Exception::of_type_of(value, &message))
        }
    }
}

/// As [`text_of`], of a value that may be missing or null.
pub(super) fn optional_text(value: Option<Value>, what: &str) -> Result<Option<String>> {
    let value = value.filter(|value| !matches!(value, Value::None));
    value.map(|value| text_of(&value, what)).transpose()
}
