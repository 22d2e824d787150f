//! The arguments of a plugin → what it needs of them, or Python's complaint that they are
//! something else.

use crate::eval::jinja::defined;
use crate::eval::python::{self, Arguments, Exception, Result, Value, limit_bytes};

/// Binds arguments to the names of a function: first those that must be given, then those
/// that need not be.
pub(crate) fn bind<const R: usize, const O: usize>(
    arguments: Arguments,
    function: &str,
    required: [&str; R],
    optional: [&str; O],
) -> Result<([Value; R], [Option<Value>; O])> {
    let names: Vec<&str> = required.into_iter().chain(optional).collect();
    let mut bound = arguments.bind_names(function, &names, R)?.into_iter();
    let required = std::array::from_fn(|_| bound.next().flatten().unwrap_or(Value::None));
    let optional = std::array::from_fn(|_| bound.next().flatten());
    Ok((required, optional))
}

/// The one value that a function without parameters is given.
pub(crate) fn only(arguments: Arguments, function: &str) -> Result<Value> {
    let ([value], []) = bind(arguments, function, ["value"], [])?;
    Ok(value)
}

/// A parameter that `None` leaves at its default.
pub(crate) fn given(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !matches!(value, Value::None))
}

/// `bool(value)` of a parameter.
pub(crate) fn flag(value: Option<Value>, default: bool) -> Result<bool> {
    value.map_or(Ok(default), |value| python::truth(&value))
}

/// `str(value)` of a parameter.
pub(crate) fn text(value: Option<Value>, default: &str) -> Result<String> {
    value.map_or_else(|| Ok(default.to_owned()), |value| python::str(&value))
}

/// A value that is used as an index.
pub(crate) fn index(value: &Value) -> Result<i64> {
    match value {
        Value::Bool(x) => Ok(i64::from(*x)),
        Value::Int(x) => Ok(*x),
        Value::Big(_) => Err(Exception::new(
            python::Class::Overflow,
            "Python int too large to convert to C ssize_t",
        )),
        other => Err(Exception::of_type(format!(
            "'{}' object cannot be interpreted as an integer",
            other.type_name()
        ))),
    }
}

/// How many of something an operation is to make; less than none is none.
pub(crate) fn count(value: Option<Value>, default: usize) -> Result<usize> {
    let Some(value) = value else { return Ok(default) };
    let count = usize::try_from(index(&value)?.max(0)).unwrap_or(usize::MAX);
    limit_bytes(count)?;
    Ok(count)
}

/// The members of a value.
///
/// # Errors
/// It has none; one of them is undefined.
pub(crate) fn members(value: &Value) -> Result<Vec<Value>> {
    python::iterate(value)?.into_iter().map(defined).collect()
}

/// A string as it is, and `str()` of everything else.
pub(crate) fn soft(value: Value) -> Result<Value> {
    match value {
        Value::Str(_) => Ok(value),
        other => python::str(&other).map(Value::from),
    }
}

/// `value.method(...)` of `str`.
pub(crate) fn method<const N: usize>(
    value: &Value,
    name: &str,
    arguments: [Value; N],
) -> Result<Value> {
    python::call_method(value, name, Arguments::of(arguments))
}

/// A string, or the complaint that it is none.
pub(crate) fn string<'a>(value: &'a Value, complaint: &str) -> Result<&'a str> {
    value.as_str().ok_or_else(|| {
        let message = format!("{complaint} not {}", value.type_name());
        Exception::of_type(message)
    })
}
