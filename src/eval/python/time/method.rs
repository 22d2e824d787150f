//! Methods of the types of `datetime`, and their arguments.

use crate::eval::python::method::{MethodRow, MethodTable, method, row};
use crate::eval::python::{
    Arguments, Bound, Class, Exception, Method, Result, Signature, Str, Value, index,
};

/// A method without parameters.
pub const fn bare<T>(
    name: &'static str,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    method(Signature::new(name, &[], &[]), run)
}

/// Returns the bound method of a name, if it is one of `methods`.
pub fn bind<T>(receiver: Value, methods: MethodTable<T>, name: &str) -> Option<Value> {
    let row = row(methods, name)?;
    Some(Value::object(Method::new(receiver, row.signature.name())))
}

/// Calls one of `methods`. Raises an `AttributeError` that names the type `of` if it is
/// none of them.
pub fn call<T>(
    methods: MethodTable<T>,
    receiver: &T,
    of: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Value> {
    let Some(row) = row(methods, name) else {
        let message = format!("'{of}' object has no attribute '{name}'");
        return Err(Exception::new(Class::Attribute, message));
    };
    (row.run)(receiver, &row.signature.bind(arguments)?)
}

/// Returns an argument that must be a string.
pub fn text(arguments: &Bound, at: usize) -> Result<Str> {
    arguments
        .text(at, |of| format!("{}() argument 1 must be str, not {of}", arguments.name()))
}

/// Returns an argument that must be an integer, or the default if it was left out.
pub fn integer(arguments: &Bound, at: usize, default: i64) -> Result<i64> {
    arguments.get(at).map_or(Ok(default), |value| index(value, "int"))
}
