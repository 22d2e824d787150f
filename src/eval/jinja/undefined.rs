//! Undefined values. A missing name or an exception becomes a value, which `default` and
//! `defined` accept and which raises the first exception when it is used. And `omit`.

use crate::eval::python::{Arguments, Class, Exception, Object, Result, Value};
use crate::eval::{Context, secret};

/// An exception as a value.
#[derive(Debug)]
pub struct Undefined {
    exception: Box<Exception>,
    /// The text that lenient rules show instead of an error.
    shown: Option<String>,
}

/// The value of `1 if false`: an empty text, and no error.
#[derive(Debug)]
pub struct NoBranch;

/// `omit`: lists and mappings leave it out.
#[derive(Debug)]
pub struct Omit;

impl Undefined {
    /// An exception as a value.
    pub fn of(exception: Box<Exception>) -> Value {
        Value::object(Undefined { exception, shown: None })
    }

    /// Makes a value that lenient rules show as a text.
    pub fn shown(exception: Box<Exception>, text: String) -> Value {
        Value::object(Undefined { exception, shown: Some(text) })
    }

    fn changed(&self, change: impl FnOnce(Box<Exception>) -> Box<Exception>) -> Value {
        let shown = self.shown.clone();
        Value::object(Undefined { exception: change(self.exception()), shown })
    }

    /// Returns the value with another exception, unless that has its place in a document.
    pub(super) fn placed(
        &self,
        place: impl FnOnce(Box<Exception>) -> Box<Exception>,
    ) -> Option<Value> {
        self.exception.places.is_empty().then(|| self.changed(place))
    }

    /// The text that lenient rules show instead of an error.
    pub fn text(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// Makes an undefined value whose message only names what the source names.
    pub fn naming_source(message: impl Into<String>) -> Value {
        Undefined::of(Exception::new(Class::Undefined, message).naming_source())
    }

    /// Makes an undefined value with a message.
    pub fn because(message: impl Into<String>) -> Value {
        Undefined::of(Exception::new(Class::Undefined, message))
    }

    /// Returns the exception for an undefined name of a template.
    pub fn missing_name(name: &str) -> Box<Exception> {
        Exception::new(Class::Undefined, format!("'{name}' is undefined")).naming_source()
    }

    /// Returns the exception.
    pub fn exception(&self) -> Box<Exception> {
        self.exception.clone()
    }

    /// Returns true if something is missing, false for another exception.
    pub fn is_missing(&self) -> bool {
        self.exception.class == Class::Undefined
    }
}

/// Returns true if a value is undefined because something is missing.
pub fn is_undefined(value: &Value) -> bool {
    value.downcast::<Undefined>().is_some_and(Undefined::is_missing)
}

/// Returns true if a value is `omit`.
pub fn is_omit(value: &Value) -> bool {
    value.downcast::<Omit>().is_some()
}

/// Returns a defined value; raises the exception of an undefined one.
pub fn defined(value: Value) -> Result<Value> {
    match value.downcast::<Undefined>() {
        Some(undefined) => Err(undefined.exception()),
        None => Ok(value),
    }
}

/// Raises the exception of the first undefined argument.
pub fn refuse(arguments: &Arguments) -> Result<()> {
    for value in arguments.values() {
        if let Some(undefined) = value.downcast::<Undefined>() {
            return Err(undefined.exception());
        }
    }
    Ok(())
}

/// Turns an exception into an undefined value. Limits, cycles and syntax errors are
/// raised: `default` must not hide them.
pub fn caught(result: Result<Value>) -> Result<Value> {
    match result {
        Err(raised)
            if !matches!(
                raised.class,
                Class::Limit | Class::Recursion | Class::Syntax
            ) =>
        {
            Ok(Undefined::of(raised))
        }
        other => other,
    }
}

/// Removes the secrets of some values from the exception of an undefined value.
pub(super) fn conceal(value: Value, from: &[&Value], context: &Context) -> Value {
    match value.downcast::<Undefined>() {
        Some(undefined) if context.has_secrets() => {
            undefined.changed(|exception| secret::conceal(exception, from, context))
        }
        _ => value,
    }
}

/// Records parts of the exception of an undefined value that only name what the source names.
pub(super) fn naming(value: Value, parts: impl IntoIterator<Item = String>) -> Value {
    match value.downcast::<Undefined>() {
        Some(undefined) => {
            undefined.changed(|raised| parts.into_iter().fold(raised, Exception::naming))
        }
        None => value,
    }
}

/// Sets the position of an undefined value that has none.
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

    fn readable(&self) -> Result<()> {
        if self.shown.is_some() { Ok(()) } else { Err(self.exception()) }
    }

    fn stored(&self) -> Result<Option<Value>> {
        match self.text() {
            Some(text) => Ok(Some(Value::text(text))),
            None => Err(self.exception()),
        }
    }
}

impl Object for NoBranch {
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

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(other.downcast::<NoBranch>().is_some())
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }
}

impl Object for Omit {
    fn type_name(&self) -> &str {
        "_OmitType"
    }

    fn display(&self) -> Result<String> {
        Ok("<<Omit>>".into())
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(is_omit(other))
    }

    fn stored(&self) -> Result<Option<Value>> {
        let message = "A template was resolved to an Omit scalar.";
        Err(Exception::new(Class::Omitted, message))
    }
}
