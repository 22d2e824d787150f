//! The options of a lookup, given by name or written into a term:
//! `he file=a.csv delimiter=,`.

use crate::eval::jinja::filter::parameter::{ansible_bool, value_error};
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{self, Arguments, Class, Exception, Result, Str, Value};

/// The options of a lookup by name. Unknown options are ignored, as in Ansible.
#[derive(Clone)]
pub(in crate::eval::jinja) struct LookupOptions(Vec<(Str, Value)>);

impl LookupOptions {
    pub(in crate::eval::jinja) fn new(keywords: Vec<(Str, Value)>) -> LookupOptions {
        LookupOptions(keywords)
    }

    /// Returns the options that were not taken.
    pub(in crate::eval::jinja) fn into_keywords(self) -> Vec<(Str, Value)> {
        self.0
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| **known == *name)
    }

    /// Adds options that take precedence over the present ones.
    pub(super) fn prepend(&mut self, options: Vec<(Str, Value)>) {
        self.0.splice(..0, options);
    }

    pub(in crate::eval::jinja) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(known, _)| **known == *name)?;
        Some(self.0.remove(at).1)
    }

    pub(in crate::eval::jinja) fn text(
        &mut self,
        name: &str,
        default: &str,
    ) -> Result<String> {
        self.take(name).map_or_else(|| Ok(default.into()), |value| python::str(&value))
    }

    /// Removes an option and returns it as a bool, or raises a `TypeError`.
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
        ansible_bool(&text).ok_or_else(|| {
            Exception::of_type(format!(
                "Config '{name}' has an invalid value: The value '{text}' is not a valid boolean"
            ))
        })
    }

    /// Removes an option and returns it as an integer, or raises a `TypeError`.
    pub(super) fn number(&mut self, name: &str, default: i64) -> Result<i64> {
        let Some(value) = self.take(name) else { return Ok(default) };
        let number = match &value {
            Value::Int(number) => Some(*number),
            Value::Str(text) => whole(text.trim()),
            // A bool is an integer in Python, but not in the options of Ansible.
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

    pub(super) fn texts(&mut self, name: &str, between: &[char]) -> Result<Vec<String>> {
        self.take(name).map_or_else(|| Ok(Vec::new()), |value| texts(&value, between))
    }

    /// Adds the options in a term, which must be among `names`; returns the rest of it.
    pub(super) fn inline(&mut self, term: &str, names: &[&str]) -> Result<String> {
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
        self.prepend(given);
        Ok(rest.join(" "))
    }
}

/// Splits a term at the spaces outside of quotes.
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
        // Two backslashes stand for one, which escapes nothing.
        escaped = c == '\\' && !escaped;
    }
    words.extend(start.map(|start| &term[start..]));
    match quote {
        None => Ok(words),
        Some(quote) => {
            value_error(format!("a quote {quote} is opened in '{term}' and never closed"))
        }
    }
}

fn unquoted(value: &str) -> &str {
    let within = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

/// Returns the strings of a list, or the parts of a string that any of `between` separates.
pub(super) fn texts(value: &Value, between: &[char]) -> Result<Vec<String>> {
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

/// Returns the string of a term; raises for other values.
pub(super) fn term(value: &Value) -> Result<&str> {
    value.as_str().ok_or_else(|| {
        Exception::new(
            Class::Attribute,
            format!("a term must be a text, not '{}'", value.type_name()),
        )
    })
}

/// Parses an integer, which may be written as `3.0` or `3e2`.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| exact(text.parse().ok()?))
}

/// Converts a float that is a whole number.
fn exact(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() < 2f64.powi(63);
    fits.then_some(number as i64)
}

/// Calls `find` with each term and its own copy of the options.
pub(super) fn each(
    call: &CallSite<'_>,
    arguments: Arguments,
    find: impl Fn(&CallSite<'_>, &Value, LookupOptions) -> Result<Value>,
) -> Result<Value> {
    let options = LookupOptions::new(arguments.keywords);
    let found = arguments.positional.iter().map(|term| find(call, term, options.clone()));
    Ok(Value::list(found.collect::<Result<Vec<_>>>()?))
}
