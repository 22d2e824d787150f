//! The methods of the built-in types: a value, a name and arguments come in, what Python's
//! own method gives goes out.

mod bytes;
mod case;
mod dict;
mod given;
mod list;
mod number;
mod pad;
mod part;
mod search;
mod set;
mod text;

use given::{Given, Takes};

pub use dict::dict;
pub use text::join;

use super::number::Number;
use super::{Arguments, Object, Result, Secrecy, Str, Value, access, work};

/// A method of a type.
pub(super) struct Entry<T: 'static> {
    name: &'static str,
    takes: Takes,
    run: fn(&T, &Given) -> Result<Value>,
}

type Table<T> = &'static [Entry<T>];

/// Lines of a table: a name, what it takes, and what does it.
const fn entry<T>(
    name: &'static str,
    takes: Takes,
    run: fn(&T, &Given) -> Result<Value>,
) -> Entry<T> {
    Entry { name, takes, run }
}

/// A method of a value, taken but not called yet.
#[derive(Debug)]
pub struct Method {
    receiver: Value,
    name: &'static str,
}

impl Method {
    pub(super) fn new(receiver: Value, name: &'static str) -> Method {
        Method { receiver, name }
    }
}

impl Object for Method {
    fn type_name(&self) -> &str {
        "builtin_function_or_method"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        call(&self.receiver, self.name, arguments)
    }

    fn display(&self) -> Result<String> {
        let of = self.receiver.type_name();
        Ok(format!("<built-in method {} of {of} object>", self.name))
    }

    fn equals(&self, other: &Value) -> bool {
        let same = |other: &Method| match (&self.receiver, &other.receiver) {
            (Value::List(a), Value::List(b)) => a.is(b),
            (Value::Dict(a), Value::Dict(b)) => a.is(b),
            (Value::Tuple(a), Value::Tuple(b)) => a.is(b),
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => false,
        };
        other
            .downcast::<Method>()
            .is_some_and(|other| self.name == other.name && same(other))
    }
}

/// The name of a method that a value has.
pub(super) fn find(value: &Value, name: &str) -> Option<&'static str> {
    let mut found = None;
    visit(value, &mut |known| found = found.or((known == name).then_some(known)));
    found
}

fn visit(value: &Value, see: &mut dyn FnMut(&'static str)) {
    fn all<T>(table: Table<T>, see: &mut dyn FnMut(&'static str)) {
        table.iter().for_each(|entry| see(entry.name));
    }
    match value {
        Value::List(_) => all(list::LIST, see),
        Value::Tuple(_) => all(list::TUPLE, see),
        Value::Range(_) => all(list::RANGE, see),
        Value::Dict(_) => all(dict::DICT, see),
        Value::Str(_) => all(text::TEXT, see),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => all(number::INT, see),
        Value::Float(_) => all(number::FLOAT, see),
        Value::Set(_) => all(set::SET, see),
        Value::Bytes(_) => {
            all(bytes::BYTES, see);
            bytes::SHARED.iter().for_each(|name| see(name));
        }
        Value::None | Value::Lazy(_) | Value::Object(_) => {}
    }
}

/// `value.name(...)`
pub(super) fn call(value: &Value, name: &str, arguments: Arguments) -> Result<Value> {
    match value {
        Value::List(receiver) => run(list::LIST, value, receiver, name, arguments),
        Value::Tuple(receiver) => run(list::TUPLE, value, receiver, name, arguments),
        Value::Range(receiver) => run(list::RANGE, value, receiver, name, arguments),
        Value::Dict(receiver) => run(dict::DICT, value, receiver, name, arguments),
        Value::Set(receiver) => run(set::SET, value, receiver, name, arguments),
        Value::Str(receiver) => {
            work::spell(receiver.len());
            call_text(receiver, name, arguments)
        }
        Value::Bytes(receiver) if bytes::SHARED.contains(&name) => {
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

fn call_text(receiver: &Str, name: &str, mut arguments: Arguments) -> Result<Value> {
    if receiver.is_markup() {
        text::soften(name, &mut arguments);
    }
    let value = Value::Str(receiver.clone());
    let made = run(text::TEXT, &value, receiver, name, arguments)?;
    Ok(if receiver.is_markup() || receiver.secrecy() > Secrecy::Open {
        text::mark(receiver, made)
    } else {
        made
    })
}

fn run<T>(
    table: Table<T>,
    value: &Value,
    receiver: &T,
    name: &str,
    arguments: Arguments,
) -> Result<Value> {
    match table.iter().find(|entry| entry.name == name) {
        Some(entry) => {
            let given = entry.takes.bind(value.type_name(), entry.name, arguments)?;
            (entry.run)(receiver, &given)
        }
        None => Err(access::no_attribute(value, name)),
    }
}
