//! What a template makes of something that is not there, or that went wrong: a value that
//! knows the first failure, to be asked for with `default` and `defined`, or to be raised
//! when it is used; and `omit`.

use crate::eval::python::{Arguments, Class, Exception, Object, Result, Value};
use crate::eval::{Context, secret};

/// A failure as a value.
#[derive(Debug)]
pub struct Undefined {
    exception: Box<Exception>,
    /// How it is shown, where it is no error.
    shown: Option<String>,
}

/// What `1 if false` is: nothing, as text, and no error.
#[derive(Debug)]
pub struct Nothing;

/// `omit`: what a list or a mapping leaves out.
#[derive(Debug)]
pub struct Omit;

impl Undefined {
    /// A failure as a value.
    pub fn of(exception: Box<Exception>) -> Value {
        Value::object(Undefined { exception, shown: None })
    }

    /// What is not there and is shown as it was written, as a value.
    pub fn shown(exception: Box<Exception>, text: String) -> Value {
        Value::object(Undefined { exception, shown: Some(text) })
    }

    /// The same with another failure.
    fn changed(&self, change: impl FnOnce(Box<Exception>) -> Box<Exception>) -> Value {
        let (exception, shown) = (change(self.exception()), self.shown.clone());
        Value::object(Undefined { exception, shown })
    }

    /// How it is shown, where it is no error.
    pub fn text(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// What is not there, as a value.
    pub fn because(message: impl Into<String>) -> Value {
        Undefined::of(Exception::new(Class::Undefined, message))
    }

    /// A name that stands for nothing, as a value.
    pub fn name(name: &str) -> Value {
        Undefined::of(Undefined::missing_name(name))
    }

    /// A name that stands for nothing.
    pub fn missing_name(name: &str) -> Box<Exception> {
        Exception::new(Class::Undefined, format!("'{name}' is undefined"))
    }

    /// What went wrong.
    pub fn exception(&self) -> Box<Exception> {
        self.exception.clone()
    }

    /// Whether something is not there, as against another failure.
    pub fn is_missing(&self) -> bool {
        self.exception.class == Class::Undefined
    }
}

/// Whether a value is undefined: not there, not another failure.
pub fn is_undefined(value: &Value) -> bool {
    match value.downcast::<Undefined>() {
        Some(undefined) => undefined.is_missing(),
        None => false,
    }
}

/// Whether a value is `omit`.
pub fn is_omit(value: &Value) -> bool {
    value.downcast::<Omit>().is_some()
}

/// The value, unless it is a failure, which is raised.
///
/// # Errors
/// That failure.
pub fn defined(value: Value) -> Result<Value> {
    match value.downcast::<Undefined>() {
        Some(undefined) => Err(undefined.exception()),
        None => Ok(value),
    }
}

/// Raises the first failure among arguments.
///
/// # Errors
/// That failure.
pub fn refuse(arguments: &Arguments) -> Result<()> {
    for value in arguments.values() {
        if let Some(undefined) = value.downcast::<Undefined>() {
            return Err(undefined.exception());
        }
    }
    Ok(())
}

/// A failure as a value, unless it ends everything.
///
/// # Errors
/// A limit is passed, or something needs itself.
pub fn caught(result: Result<Value>) -> Result<Value> {
    match result {
        Err(exception)
            if !matches!(
                exception.class,
                Class::Limit | Class::Recursion | Class::Syntax
            ) =>
        {
            Ok(Undefined::of(exception))
        }
        other => other,
    }
}

/// A failure that is a value does not say what is secret in what it came from.
pub(super) fn conceal(value: Value, from: &[&Value], context: &Context) -> Value {
    match value.downcast::<Undefined>() {
        Some(undefined) if context.has_secrets() => {
            undefined.changed(|exception| secret::conceal(exception, from, context))
        }
        _ => value,
    }
}

/// A failure that is a value keeps the place it came from first.
pub(super) fn undefined_at(
    value: Value,
    at: impl FnOnce(Box<Exception>) -> Box<Exception>,
) -> Value {
    match value.downcast::<Undefined>() {
        Some(undefined) if !undefined.exception.is_placed() => undefined.changed(at),
        _ => value,
    }
}

impl Object for Undefined {
    fn type_name(&self) -> &str {
        if self.is_missing() { "UndefinedMarker" } else { "CapturedExceptionMarker" }
    }

    fn attribute(&self, _name: &str) -> Result<Option<Value>> {
        Ok(Some(Undefined::of(self.exception())))
    }

    fn item(&self, _key: &Value) -> Result<Option<Value>> {
        Ok(Some(Undefined::of(self.exception())))
    }

    fn call(&self, _arguments: Arguments) -> Result<Value> {
        Err(self.exception())
    }

    fn call_method(&self, _name: &str, _arguments: Arguments) -> Result<Value> {
        Err(self.exception())
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        Err(self.exception())
    }

    fn truth(&self) -> Result<bool> {
        if self.shown.is_some() { Ok(false) } else { Err(self.exception()) }
    }

    fn comparable(&self) -> Result<()> {
        if self.shown.is_some() { Ok(()) } else { Err(self.exception()) }
    }

    fn display(&self) -> Result<String> {
        self.shown.clone().ok_or_else(|| self.exception())
    }
}

impl Object for Nothing {
    fn type_name(&self) -> &str {
        "Undefined"
    }

    fn attribute(&self, _name: &str) -> Result<Option<Value>> {
        let message = "the inline if-expression evaluated to false and no else section was \
                       defined.";
        Err(Exception::new(Class::Undefined, message))
    }

    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        Ok(Some(Vec::new()))
    }

    fn length(&self) -> Option<usize> {
        Some(0)
    }

    fn display(&self) -> Result<String> {
        Ok(String::new())
    }

    fn equals(&self, other: &Value) -> bool {
        other.downcast::<Nothing>().is_some()
    }
}

impl Object for Omit {
    fn type_name(&self) -> &str {
        "_OmitType"
    }

    fn display(&self) -> Result<String> {
        Ok("<<Omit>>".into())
    }

    fn equals(&self, other: &Value) -> bool {
        is_omit(other)
    }
}
