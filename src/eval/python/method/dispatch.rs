//! The tables of methods. Finds the method of a value by its name and calls it.

use super::super::number::Number;
use super::super::{
    Arguments, Bound, Exception, Object, Result, Secrecy, Signature, Str, Value, access,
    limit,
};
use super::{bytes, dict, list, number, text};

/// The signature of a method of the built-in type that `T` stands for, and the function
/// that runs it.
pub struct MethodRow<T: 'static> {
    pub signature: Signature<'static>,
    pub run: fn(&T, &Bound<'_>) -> Result<Value>,
}

pub type MethodTable<T> = &'static [MethodRow<T>];

pub const fn method<T>(
    signature: Signature<'static>,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    MethodRow { signature, run }
}

/// A built-in method without parameters.
pub const fn plain<T>(
    name: &'static str,
    run: fn(&T, &Bound<'_>) -> Result<Value>,
) -> MethodRow<T> {
    method(Signature::no_arguments(name), run)
}

pub fn row<T>(table: MethodTable<T>, name: &str) -> Option<&'static MethodRow<T>> {
    table.iter().find(|row| row.signature.name() == name)
}

/// A method of a value as a value that can be called: `'a'.upper`.
#[derive(Debug)]
pub struct Method {
    receiver: Value,
    name: &'static str,
}

impl Method {
    /// The method `name`, which `receiver` has.
    pub fn new(receiver: Value, name: &'static str) -> Method {
        Method { receiver, name }
    }
}

impl Object for Method {
    fn type_name(&self) -> &str {
        "builtin_function_or_method"
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        access::call_method(&self.receiver, self.name, arguments)
    }

    fn display(&self) -> Result<String> {
        let of = self.receiver.type_name();
        Ok(format!("<built-in method {} of {of} object>", self.name))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        let same = |other: &Method| match (&self.receiver, &other.receiver) {
            (Value::List(a), Value::List(b)) => a.is(b),
            (Value::Dict(a), Value::Dict(b)) => a.is(b),
            (Value::Tuple(a), Value::Tuple(b)) => a.is(b),
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => false,
        };
        Some(
            other
                .downcast::<Method>()
                .is_some_and(|other| self.name == other.name && same(other)),
        )
    }
}

/// Returns the name of a method that a value has.
pub fn find(value: &Value, name: &str) -> Option<&'static str> {
    fn within<T>(table: MethodTable<T>, name: &str) -> Option<&'static str> {
        row(table, name).map(|row| row.signature.name())
    }
    match value {
        Value::List(_) => within(list::LIST, name),
        Value::Tuple(_) => within(list::TUPLE, name),
        Value::Range(_) => within(list::RANGE, name),
        Value::Dict(_) => within(dict::DICT, name),
        Value::Str(_) => within(text::TEXT, name),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => within(number::INT, name),
        Value::Float(_) => within(number::FLOAT, name),
        Value::Set(_) => within(list::SET, name),
        Value::Bytes(_) => within(bytes::BYTES, name).or_else(|| bytes::shared(name)),
        Value::None | Value::Lazy(_) | Value::Object(_) => None,
    }
}

/// Calls `value.name(...)`. Raises an `AttributeError` if the value has no such method.
pub fn call(value: &Value, name: &str, arguments: Arguments) -> Result<Value> {
    match value {
        Value::List(receiver) => run(list::LIST, value, receiver, name, arguments),
        Value::Tuple(receiver) => run(list::TUPLE, value, receiver, name, arguments),
        Value::Range(receiver) => run(list::RANGE, value, receiver, name, arguments),
        Value::Dict(receiver) => run(dict::DICT, value, receiver, name, arguments),
        Value::Set(receiver) => run(list::SET, value, receiver, name, arguments),
        Value::Str(receiver) => {
            // Most methods look at each character, which takes longer than copying it.
            limit::charge_bytes(receiver.len().saturating_mul(16));
            arguments.values().into_iter().for_each(charge_argument);
            limit::charge_work(0)?;
            call_text(receiver, name, arguments)
        }
        Value::Bytes(receiver) if bytes::shared(name).is_some() => {
            bytes::call(receiver, name, arguments)
        }
        Value::Bytes(receiver) => run(bytes::BYTES, value, receiver, name, arguments),
        Value::Float(receiver) => run(number::FLOAT, value, receiver, name, arguments),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => match Number::of(value) {
            Some(receiver) => run(number::INT, value, &receiver, name, arguments),
            None => Err(access::no_attribute(value, name)),
        },
        _ => Err(access::no_attribute(value, name)),
    }
}

/// Charges for an argument that a method looks through.
fn charge_argument(value: &Value) {
    match value {
        Value::Str(text) => limit::charge_bytes(text.len()),
        Value::Tuple(members) => limit::charge_members(members.len()),
        _ => {}
    }
}

fn call_text(receiver: &Str, name: &str, mut arguments: Arguments) -> Result<Value> {
    if receiver.is_markup() {
        text::soften(name, &mut arguments);
    }
    let made = run(text::TEXT, &Value::Str(receiver.clone()), receiver, name, arguments)?;
    Ok(if receiver.is_markup() || receiver.secrecy() > Secrecy::Open {
        text::mark(receiver, &made)
    } else {
        made
    })
}

fn run<T>(
    table: MethodTable<T>,
    value: &Value,
    receiver: &T,
    name: &str,
    arguments: Arguments,
) -> Result<Value> {
    let row = row(table, name).ok_or_else(|| access::no_attribute(value, name))?;
    (row.run)(receiver, &row.signature.bind_method(value.type_name(), arguments)?)
}
