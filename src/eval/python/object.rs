//! The traits of values that a language defines: [`Object`] for functions, undefined
//! names and resources, [`Lazy`] for values that are evaluated on demand.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt::Debug;

use super::access::no_attribute_of;
use super::{Arguments, Exception, Operator, Result, Value};

/// A value that a language defines.
pub trait Object: Any + Debug + Send + Sync {
    fn type_name(&self) -> &str;

    /// `self.name`; `None` if there is no such attribute.
    fn attribute(&self, _name: &str) -> Result<Option<Value>> {
        Ok(None)
    }

    /// `self[key]`; `None` if it has no items.
    fn item(&self, _key: &Value) -> Result<Option<Value>> {
        Ok(None)
    }

    /// `self.name = value`. Raises a `TypeError` if its attributes cannot be set.
    fn set_attribute(&self, _name: &str, _value: Value) -> Result<()> {
        Err(Exception::of_type("cannot assign attribute on non-namespace object"))
    }

    fn is_callable(&self) -> bool {
        false
    }

    fn call(&self, _arguments: Arguments) -> Result<Value> {
        Err(Exception::of_type(format!("'{}' object is not callable", self.type_name())))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        call_attribute(self.attribute(name)?, self.type_name(), name, arguments)
    }

    /// Returns the members that `for` iterates over; `None` if it is not iterable.
    fn iterate(&self) -> Result<Option<Vec<Value>>> {
        Ok(None)
    }

    /// `len(self)`; `None` if it has no length.
    fn length(&self) -> Option<usize> {
        None
    }

    fn truth(&self) -> Result<bool> {
        Ok(self.length() != Some(0))
    }

    /// `str(self)`.
    fn display(&self) -> Result<String> {
        Ok(format!("<{} object>", self.type_name()))
    }

    fn repr(&self) -> Result<String> {
        self.display()
    }

    /// `format(self, specification)`, for a specification that is not empty.
    fn format(&self, _specification: &str) -> Result<String> {
        let of = self.type_name();
        let message = format!("unsupported format string passed to {of}.__format__");
        Err(Exception::of_type(message))
    }

    /// `self + other` and the like, `other + self` if `reflected`; `None` if undefined.
    fn binary(
        &self,
        _operator: Operator,
        _other: &Value,
        _reflected: bool,
    ) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Orders it relative to another value; `None` if they have no order.
    fn order(&self, _other: &Value) -> Result<Option<Ordering>> {
        Ok(None)
    }

    /// `self == other`, for a value that is not the object itself; `None` if it equals none.
    /// All other objects have one hash: with hashes of their own, equal objects would be two
    /// keys.
    fn equals(&self, _other: &Value) -> Option<bool> {
        None
    }

    /// Checks that it may be compared or be a key: a strict undefined raises.
    fn comparable(&self) -> Result<()> {
        Ok(())
    }

    /// Checks that it may be read as a member of a container: an undefined one raises
    /// while [`with_members_raised`](super::with_members_raised) says so.
    fn readable(&self) -> Result<()> {
        Ok(())
    }

    /// Returns what is stored for it in a result; nothing if that is the object itself.
    /// Raises if it cannot be stored, or with [`Class::Omitted`](super::Class) if it is left out.
    fn stored(&self) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Returns the plain value that represents it in data, if there is one.
    fn plain(&self) -> Option<Value> {
        None
    }
}

/// A function that is made at run time, such as the method of an object.
pub struct Callable<F> {
    type_name: &'static str,
    run: F,
}

impl<F: Fn(Arguments) -> Result<Value> + Send + Sync + 'static> Callable<F> {
    pub fn value(type_name: &'static str, run: F) -> Value {
        Value::object(Callable { type_name, run })
    }
}

impl<F> Debug for Callable<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.type_name)
    }
}

impl<F: Fn(Arguments) -> Result<Value> + Send + Sync + 'static> Object for Callable<F> {
    fn type_name(&self) -> &str {
        self.type_name
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        (self.run)(arguments)
    }
}

/// Calls the attribute `name` of a value of this type.
// It stands outside of the trait, which would compile it once for each type.
fn call_attribute(
    found: Option<Value>,
    type_name: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Value> {
    match found {
        Some(method) => super::call(&method, arguments),
        None => Err(no_attribute_of(type_name, name)),
    }
}

/// A value that is evaluated on demand, once.
pub trait Lazy: Debug + Send + Sync {
    /// Evaluates the value; the result is never lazy.
    fn force(&self) -> Result<Value>;

    /// Returns the value if it has been evaluated.
    fn known(&self) -> Option<Value>;
}
