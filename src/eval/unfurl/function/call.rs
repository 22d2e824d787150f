//! Functions and their calls.

use std::cell::RefCell;

use crate::diagnostic::near;
use crate::eval::python::{Class, Dict, Exception, Result, Value, truth};
use crate::eval::unfurl::expression;
use crate::eval::unfurl::walk::spread;
use crate::eval::{Scope, secret};

/// A function of expressions: a row of the registry.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval::unfurl) struct ExpressionFunction {
    /// Its name in expressions.
    pub(super) name: &'static str,
    run: fn(&FunctionCall<'_>) -> Result<Value>,
    /// Names of the values that its argument, a list, must have.
    required: &'static [&'static str],
    /// Names of the values that may follow.
    optional: &'static [&'static str],
    /// Names that may be written beside it.
    keywords: &'static [&'static str],
    /// It needs no `eval` around it if it is the only key.
    pub(super) is_top_level: bool,
    /// A template hands over its only argument itself, not a list of it.
    is_unary: bool,
    /// It needs more than a document, so that it is refused.
    pub(super) needs_unfurl: bool,
}

impl ExpressionFunction {
    /// A function that takes what it is given.
    pub(super) const fn new(
        name: &'static str,
        run: fn(&FunctionCall<'_>) -> Result<Value>,
    ) -> ExpressionFunction {
        ExpressionFunction {
            name,
            run,
            required: &[],
            optional: &[],
            keywords: &[],
            is_top_level: false,
            is_unary: false,
            needs_unfurl: false,
        }
    }

    /// A function that is known, but only Unfurl itself can compute it.
    pub(super) const fn refused(name: &'static str) -> ExpressionFunction {
        let function = ExpressionFunction::new(name, refuse);
        ExpressionFunction { needs_unfurl: true, ..function }
    }

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

    pub(super) const fn unary(self) -> Self {
        ExpressionFunction { is_unary: true, ..self }
    }

    /// The argument of a call by a template, which gives values by position.
    pub(in crate::eval::unfurl) fn argument(&self, mut values: Vec<Value>) -> Value {
        if self.is_unary && values.len() == 1 {
            values.remove(0)
        } else {
            Value::list(values)
        }
    }
}

fn refuse(call: &FunctionCall<'_>) -> Result<Value> {
    let message = format!("the function '{}' needs Unfurl itself", call.name());
    Err(Exception::new(Class::Unsupported, message))
}

/// A call of a function, with arguments as they were written.
#[derive(Clone, Debug)]
pub(in crate::eval::unfurl) struct FunctionCall<'a> {
    pub(super) scope: &'a Scope,
    function: &'static ExpressionFunction,
    pub(in crate::eval::unfurl) argument: Value,
    /// The whole mapping that the name was found in.
    pub(super) keywords: Dict,
    /// What its arguments turned out to be.
    evaluated: RefCell<Vec<Value>>,
}

impl<'a> FunctionCall<'a> {
    pub(in crate::eval::unfurl) fn new(
        scope: &'a Scope,
        function: &'static ExpressionFunction,
        argument: Value,
        keywords: Dict,
    ) -> FunctionCall<'a> {
        FunctionCall {
            scope,
            function,
            argument,
            keywords,
            evaluated: RefCell::default(),
        }
    }

    /// What a function makes of it.
    pub(in crate::eval::unfurl) fn run(&self) -> Result<Value> {
        let context = &self.scope.context;
        let made = context.nested(|| (self.function.run)(self));
        let made = made.map_err(|exception| self.with_keyword_hint(exception));
        let evaluated = self.evaluated.borrow();
        secret::keep(made, &evaluated.iter().collect::<Vec<_>>(), context)
    }

    /// The same with the keyword that may have been meant, if one is not known.
    fn with_keyword_hint(&self, exception: Box<Exception>) -> Box<Exception> {
        if exception.hint.is_some() {
            return exception;
        }
        let written = self.keywords.keys();
        let known = self.function.keywords;
        let mut unknown = written.iter().filter_map(Value::as_str);
        let near = unknown.find_map(|name| {
            let is_known = name == self.name() || known.contains(&name);
            if is_known { None } else { near(known.iter().copied(), name) }
        });
        match near {
            Some(near) => exception.hint(format!("did you mean '{near}'?")),
            None => exception,
        }
    }

    /// The name it was called by.
    pub(super) fn name(&self) -> &'static str {
        self.function.name
    }

    /// The argument as data.
    pub(super) fn data(&self) -> Result<Value> {
        self.data_of(&self.argument)
    }

    /// A value that is written as data.
    pub(super) fn data_of(&self, source: &Value) -> Result<Value> {
        self.record(expression::data(source, self.scope)?)
    }

    fn record(&self, value: Value) -> Result<Value> {
        self.evaluated.borrow_mut().push(value.clone());
        Ok(value)
    }

    /// The argument as a list of data.
    pub(super) fn list(&self) -> Result<Vec<Value>> {
        spread(self.data()?)
    }

    /// The argument as a list of data, of which there are as many as the function takes.
    ///
    /// # Errors
    /// There are fewer or more.
    pub(super) fn arguments(&self) -> Result<Vec<Value>> {
        self.checked(self.list()?)
    }

    /// The argument as exactly two values.
    pub(super) fn pair(&self) -> Result<(Value, Value)> {
        let given = match &self.data()? {
            Value::Str(text) => {
                text.chars().map(|c| Value::text(c.to_string())).collect()
            }
            other => spread(other.clone())?,
        };
        let mut given = self.checked(given)?.into_iter();
        let mut next = || given.next().unwrap_or(Value::None);
        Ok((next(), next()))
    }

    fn checked(&self, given: Vec<Value>) -> Result<Vec<Value>> {
        let (name, count) = (self.name(), given.len());
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

    /// A value that is written as an expression.
    pub(super) fn value(&self, source: &Value) -> Result<Value> {
        match self.keyword("map_value")? {
            Some(wanted) if truth(&wanted)? => self.data_of(source),
            _ => self.record(expression::value(source, self.scope)?),
        }
    }

    /// What is written beside the function, as it is written.
    pub(super) fn written(&self, name: &str) -> Result<Option<Value>> {
        self.keywords.get_text(name)
    }

    /// What is written beside the function, as data.
    pub(super) fn keyword(&self, name: &str) -> Result<Option<Value>> {
        let written = self.written(name)?;
        written.map(|written| self.data_of(&written)).transpose()
    }
}

/// The text of a value that must be one.
pub(super) fn text_of(value: &Value, what: &str) -> Result<String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Exception::of_type(format!(
            "{what} must be a string, not {}",
            value.type_name()
        ))),
    }
}
