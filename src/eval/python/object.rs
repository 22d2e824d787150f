//! What a language brings along beside Python's own values: functions, undefined names,
//! resources; and values that are worked out when somebody asks.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt::Debug;

use super::{Arguments, Exception, Operator, Result, Value};

/// A value of a language's own.
pub trait Object: Any + Debug + Send + Sync {
    /// The name of its type.
    fn type_name(&self) -> &str;

    /// `self.name`; nothing if it has no such attribute.
    fn attribute(&self, _name: &str) -> Result<Option<Value>> {
        Ok(None)
    }

    /// `self[key]`; nothing if it has no such item.
    fn item(&self, _key: &Value) -> Result<Option<Value>> {
        Ok(None)
    }

    /// `self.name = value`
    ///
    /// # Errors
    /// It does not let its attributes be set.
    fn set_attribute(&self, _name: &str, _value: Value) -> Result<()> {
        Err(Exception::of_type("cannot assign attribute on non-namespace object"))
    }

    /// Whether it can be called.
    fn is_callable(&self) -> bool {
        false
    }

    /// `self(...)`.
    fn call(&self, _arguments: Arguments) -> Result<Value> {
        Err(Exception::of_type(format!("'{}' object is not callable", self.type_name())))
    }

    /// `self.name(...)`.
    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        match self.attribute(name)? {
            Some(Value::Object(method)) => method.call(arguments),
            Some(other) => Err(Exception::of_type(format!(
                "'{}' object is not callable",
                other.type_name()
            ))),
            None => Err(Exception::new(
                super::Class::Attribute,
                format!("'{}' object has no attribute '{name}'", self.type_name()),
            )),
        }
    }

    /// What `for` goes over; nothing if it is not iterable.
    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        Ok(None)
    }

    /// `len(self)`.
    fn length(&self) -> Option<usize> {
        None
    }

    /// `bool(self)`.
    fn truth(&self) -> Result<bool> {
        Ok(self.length() != Some(0))
    }

    /// `str(self)`.
    fn display(&self) -> Result<String> {
        Ok(format!("<{} object>", self.type_name()))
    }

    /// `repr(self)`.
    fn repr(&self) -> Result<String> {
        self.display()
    }

    /// `format(self, specification)`, where that is not empty.
    fn format(&self, _specification: &str) -> Result<String> {
        Err(Exception::of_type(format!(
            "unsupported format string passed to {}.__format__",
            self.type_name()
        )))
    }

    /// `self + other`, or `other + self` if it is `reflected`; nothing if it knows no such
    /// operation.
    fn binary(
        &self,
        _operator: Operator,
        _other: &Value,
        _reflected: bool,
    ) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Whether it comes before or after another value; nothing if they have no order.
    fn order(&self, _other: &Value) -> Result<Option<Ordering>> {
        Ok(None)
    }

    /// `self == other`, where the other is no such object or another one.
    fn equals(&self, _other: &Value) -> bool {
        false
    }

    /// Whether it may be compared, or be a key, at all.
    ///
    /// # Errors
    /// What has to be raised when somebody tries.
    fn comparable(&self) -> Result<()> {
        Ok(())
    }

    /// The value that stands for it among plain data, if there is one.
    fn plain(&self) -> Option<Value> {
        None
    }
}

/// A value that is worked out when somebody asks, once.
pub trait Lazy: Debug + Send + Sync {
    /// The value, which is not lazy itself.
    fn force(&self) -> Result<Value>;

    /// The value, if it has been worked out.
    fn known(&self) -> Option<Value>;
}
