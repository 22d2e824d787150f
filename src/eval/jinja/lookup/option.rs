//! The options of a lookup, by name or written into a term: `he file=a.csv delimiter=,`.

use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Class, Exception, Result, Str, Value};
use crate::eval::read_text;

/// Options by name. What nobody takes is passed over.
pub(in crate::eval::jinja) struct Options(pub(in crate::eval::jinja) Vec<(Str, Value)>);

impl Options {
    /// Takes the value of an option.
    pub(in crate::eval::jinja) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(known, _)| **known == *name)?;
        Some(self.0.remove(at).1)
    }

    /// A text.
    pub(in crate::eval::jinja) fn text(
        &mut self,
        name: &str,
        default: &str,
    ) -> Result<String> {
        self.take(name).map_or_else(|| Ok(default.into()), |value| python::str(&value))
    }

    /// A truth, as Ansible reads one: `yes`, `no`, `on`, `1`.
    pub(in crate::eval::jinja) fn flag(
        &mut self,
        name: &str,
        default: bool,
    ) -> Result<bool> {
        let Some(value) = self.take(name) else { return Ok(default) };
        if let Value::Bool(on) = value {
            return Ok(on);
        }
        let text = python::str(&value)?.to_lowercase();
        match text.trim() {
            "y" | "yes" | "on" | "1" | "true" | "t" | "1.0" => Ok(true),
            "n" | "no" | "off" | "0" | "false" | "f" | "0.0" => Ok(false),
            _ => Err(Exception::of_type(format!(
                "Config '{name}' has an invalid value: The value '{text}' is not a valid boolean"
            ))),
        }
    }

    /// A number.
    pub(in crate::eval::jinja) fn number(
        &mut self,
        name: &str,
        default: i64,
    ) -> Result<i64> {
        let Some(value) = self.take(name) else { return Ok(default) };
        let number = match &value {
            Value::Int(number) => Some(*number),
            Value::Str(text) => whole(text.trim()),
            Value::Bool(_) | Value::None => None,
            Value::Float(number) => exact(*number),
            _ => None,
        };
        number.ok_or_else(|| {
            let shown = python::str(&value).unwrap_or_default();
            Exception::of_type(format!(
                "Config '{name}' has an invalid value: '{shown}' is not a valid integer"
            ))
        })
    }

    /// A list of texts, where one text may be several with any of `between` between them.
    pub(in crate::eval::jinja) fn texts(
        &mut self,
        name: &str,
        between: &[char],
    ) -> Result<Vec<String>> {
        self.take(name).map_or_else(|| Ok(Vec::new()), |value| texts(&value, between))
    }

    /// The options that are written into a term, before the others, and the rest of it.
    ///
    /// # Errors
    /// One of them is none of `names`.
    pub(in crate::eval::jinja) fn inline(
        &mut self,
        term: &str,
        names: &[&str],
    ) -> Result<String> {
        let (mut rest, mut given) = (Vec::new(), Vec::new());
        for word in words(term)? {
            match word.split_once('=') {
                Some((name, value)) if !name.is_empty() => {
                    if !names.contains(&name) {
                        let message = format!(
                            "Unrecognized parameter(s) given to lookup: {name}; it takes {}",
                            names.join(", ")
                        );
                        return Err(Exception::new(Class::Value, message));
                    }
                    given.push((Str::from(name), Value::text(unquoted(value))));
                }
                _ => rest.push(word.to_owned()),
            }
        }
        given.append(&mut self.0);
        self.0 = given;
        Ok(rest.join(" "))
    }
}

/// The words of a term as they were written; blanks within quotes part nothing.
fn words(term: &str) -> Result<Vec<&str>> {
    let (mut words, mut start, mut quote) = (Vec::new(), None, None);
    let mut escaped = false;
    for (at, c) in term.char_indices() {
        if c.is_whitespace() && quote.is_none() {
            words.extend(start.take().map(|start| &term[start..at]));
            continue;
        }
        start = start.or(Some(at));
        if matches!(c, '"' | '\'') && !escaped {
            quote = match quote {
                None => Some(c),
                Some(open) if open == c => None,
                other => other,
            };
        }
        escaped = c == '\\' && !escaped;
    }
    words.extend(start.map(|start| &term[start..]));
    match quote {
        None => Ok(words),
        Some(quote) => Err(Exception::of_value(format!(
            "a quote {quote} is opened in '{term}' and never closed"
        ))),
    }
}

/// A value without the quotes around it.
fn unquoted(value: &str) -> &str {
    let within = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

impl Clone for Options {
    fn clone(&self) -> Options {
        Options(self.0.clone())
    }
}

/// The texts of a list, or of one text with any of `between` between them.
pub(in crate::eval::jinja) fn texts(
    value: &Value,
    between: &[char],
) -> Result<Vec<String>> {
    match value {
        Value::Str(text) => Ok(text
            .split(between)
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()),
        Value::None => Ok(Vec::new()),
        other => python::iterate(other)?.iter().map(python::str).collect(),
    }
}

/// The text that a term must be.
pub(in crate::eval::jinja) fn term(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| {
        Exception::new(
            Class::Attribute,
            format!("a term must be a text, not '{}'", value.type_name()),
        )
    })
}

/// The whole number that a text spells, be it as `3.0` or `3e2`.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| exact(text.parse().ok()?))
}

/// A float that is a whole number.
fn exact(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() < 2f64.powi(63);
    fits.then_some(number as i64)
}

/// Calls `find` with each term and its own copy of the options.
pub(super) fn each(
    call: &CallSite<'_>,
    arguments: Arguments,
    find: impl Fn(&CallSite<'_>, &Value, Options) -> Result<Value>,
) -> Result<Value> {
    let options = Options(arguments.keywords);
    let terms = arguments.positional.iter();
    let found = terms.map(|term| find(call, term, options.clone()));
    Ok(Value::list(found.collect::<Result<Vec<_>>>()?))
}

/// Returns a string from outside as a value. It is data and never evaluated as a template.
pub(super) fn data(text: &str) -> Value {
    read_text(text)
}
