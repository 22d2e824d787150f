//! The arguments of a built-in method come in, each in its place goes out; or the words of
//! the interpreter about what is wrong with them, which are not those of a function.

use super::super::number::Number;
use super::super::{Arguments, Class, Exception, Result, Str, Value};

/// What a method takes.
pub(in super::super) enum Takes {
    /// Nothing.
    Nothing,
    /// One by position.
    One,
    /// From so many to so many by position.
    Between(usize, usize),
    /// The same, in the words of an older way to read arguments.
    Parsed(usize, usize),
    /// These by position or name.
    Named(&'static [&'static str]),
    /// These by name only.
    Keywords(&'static [&'static str]),
    /// Whatever comes.
    Any,
}

/// The arguments of a call, each in its place.
pub(in super::super) struct Given {
    /// The name of the method.
    pub name: &'static str,
    /// One for each that it takes.
    pub values: Vec<Option<Value>>,
    /// What was given by name to a method that takes whatever comes.
    pub keywords: Vec<(Str, Value)>,
}

impl Takes {
    pub(super) fn bind(
        &self,
        of: &str,
        name: &'static str,
        arguments: Arguments,
    ) -> Result<Given> {
        let Arguments { positional, keywords } = arguments;
        let mut values: Vec<Option<Value>> = positional.into_iter().map(Some).collect();
        let keywords = match self {
            Takes::Any => return Ok(Given { name, values, keywords }),
            Takes::Named(names) | Takes::Keywords(names) => {
                self.bind_names(name, names, &mut values, keywords)?;
                return Ok(Given { name, values, keywords: Vec::new() });
            }
            _ => keywords,
        };
        if !keywords.is_empty() {
            let message = format!("{of}.{name}() takes no keyword arguments");
            return Err(Exception::of_type(message));
        }
        values.resize(self.check(of, name, values.len())?, None);
        Ok(Given { name, values, keywords })
    }

    fn bind_names(
        &self,
        name: &str,
        names: &[&str],
        values: &mut Vec<Option<Value>>,
        keywords: Vec<(Str, Value)>,
    ) -> Result<()> {
        if matches!(self, Takes::Keywords(_)) && !values.is_empty() {
            let message = format!("{name}() takes no positional arguments");
            return Err(Exception::of_type(message));
        }
        let given = values.len() + keywords.len();
        if given > names.len() {
            let most = plural(names.len());
            let message = format!("{name}() takes at most {most} ({given} given)");
            return Err(Exception::of_type(message));
        }
        values.resize(names.len(), None);
        keywords
            .into_iter()
            .try_for_each(|(key, value)| place(name, names, values, &key, value))
    }

    /// How many it takes at most, if so many may be given by position.
    fn check(&self, of: &str, name: &str, count: usize) -> Result<usize> {
        let (least, most) = match self {
            Takes::One => (1, 1),
            Takes::Between(least, most) | Takes::Parsed(least, most) => (*least, *most),
            Takes::Nothing | Takes::Named(_) | Takes::Keywords(_) | Takes::Any => (0, 0),
        };
        if (least..=most).contains(&count) {
            return Ok(most);
        }
        let bound = bound(least, most, count);
        Err(Exception::of_type(match self {
            Takes::One => {
                format!("{of}.{name}() takes exactly one argument ({count} given)")
            }
            Takes::Between(..) => format!("{name} expected {bound}, got {count}"),
            Takes::Parsed(..) => format!("{name}() takes {bound} ({count} given)"),
            _ => format!("{of}.{name}() takes no arguments ({count} given)"),
        }))
    }
}

fn place(
    method: &str,
    names: &[&str],
    values: &mut [Option<Value>],
    name: &str,
    value: Value,
) -> Result<()> {
    let at = names.iter().position(|known| *known == name);
    match at.and_then(|at| Some((at, values.get_mut(at)?))) {
        Some((_, slot @ None)) => {
            *slot = Some(value);
            Ok(())
        }
        Some((at, Some(_))) => Err(Exception::of_type(format!(
            "argument for {method}() given by name ('{name}') and position ({})",
            at + 1
        ))),
        None => Err(Exception::of_type(format!(
            "'{name}' is an invalid keyword argument for {method}()"
        ))),
    }
}

fn bound(least: usize, most: usize, count: usize) -> String {
    match (least == most, count < least) {
        (true, _) => plural(least),
        (_, true) => format!("at least {}", plural(least)),
        (_, false) => format!("at most {}", plural(most)),
    }
}

fn plural(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

impl Given {
    /// The argument at a place, if it was given.
    pub(super) fn get(&self, at: usize) -> Option<&Value> {
        self.values.get(at)?.as_ref()
    }

    /// The argument at a place, or `None`.
    pub(super) fn value(&self, at: usize) -> Value {
        self.get(at).cloned().unwrap_or(Value::None)
    }

    /// A text that must be given; `wrong` says what it is instead.
    pub(super) fn text(&self, at: usize, wrong: impl Fn(&str) -> String) -> Result<Str> {
        match self.get(at) {
            Some(Value::Str(text)) => Ok(text.clone()),
            Some(other) => Err(Exception::of_type(wrong(other.type_name()))),
            None => Err(Exception::of_type(wrong("NoneType"))),
        }
    }

    /// An integer.
    pub(super) fn integer(&self, at: usize, default: i64) -> Result<i64> {
        self.get(at).map_or(Ok(default), integer)
    }

    /// Whether a flag is set.
    pub(super) fn flag(&self, at: usize) -> Result<bool> {
        self.get(at).map_or(Ok(false), super::super::truth)
    }

    /// The part of `length` members that a start and an end, which may be left out, leave;
    /// nothing if the start lies behind the end.
    pub(super) fn window(
        &self,
        at: usize,
        length: usize,
    ) -> Result<Option<(usize, usize)>> {
        let end = |value: Option<&Value>, default: usize| match value {
            None | Some(Value::None) => Ok(default),
            Some(value) => match Number::of(value) {
                Some(Number::Small(at)) if at < 0 => {
                    Ok(length.saturating_sub(at.unsigned_abs() as usize))
                }
                Some(Number::Small(at)) => Ok(at as usize),
                Some(Number::Big(at)) if at < num_bigint::BigInt::ZERO => Ok(0),
                Some(Number::Big(_)) => Ok(usize::MAX),
                _ => Err(Exception::of_type(
                    "slice indices must be integers or None or have an __index__ method",
                )),
            },
        };
        let (start, stop) = (end(self.get(at), 0)?, end(self.get(at + 1), length)?);
        let stop = stop.min(length);
        Ok((start <= stop).then_some((start, stop)))
    }
}

/// A value as an integer of 64 bits.
pub(super) fn integer(value: &Value) -> Result<i64> {
    match Number::of(value) {
        Some(Number::Small(x)) => Ok(x),
        Some(Number::Big(_)) => Err(Exception::new(
            Class::Overflow,
            "Python int too large to convert to C ssize_t",
        )),
        _ => Err(Exception::of_type(format!(
            "'{}' object cannot be interpreted as an integer",
            value.type_name()
        ))),
    }
}
