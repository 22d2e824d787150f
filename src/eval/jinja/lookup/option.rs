//! The options of a lookup, given by name or written into a term: `he file=a.csv delimiter=,`.

use crate::eval::jinja::filter::parameter::{ansible_bool, list_of, shown, value_error};
use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::literal::StringEscape;
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

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| **known == *name)
    }

    /// Adds options that take precedence over the present ones.
    pub(super) fn prepend(&mut self, options: Vec<(Str, Value)>) {
        self.0.splice(..0, options);
    }

    pub(in crate::eval::jinja) fn take(&mut self, name: &str) -> Option<Value> {
        python::take_keyword(&mut self.0, name)
    }

    pub(crate) fn text(&mut self, name: &str, default: &str) -> Result<String> {
        self.take(name).map_or_else(|| Ok(default.into()), |value| python::str(&value))
    }

    /// Removes an option and returns it as a bool, or raises a `TypeError`.
    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Result<bool> {
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
            Value::Float(number) => exact(*number),
            // A bool is an integer in Python, but not in the options of Ansible.
            _ => None,
        };
        number.ok_or_else(|| {
            Exception::of_type(format!(
                "Config '{name}' has an invalid value: '{}' is not a valid integer",
                shown(&value)
            ))
        })
    }

    /// Removes an option and returns the strings of a list, or the parts of a string that any
    /// of `between` separates.
    pub(super) fn texts(&mut self, name: &str, between: &[char]) -> Result<Vec<String>> {
        match self.take(name) {
            None | Some(Value::None) => Ok(Vec::new()),
            Some(Value::Str(text)) => {
                let parts = text.split(between).map(str::trim);
                Ok(parts.filter(|part| !part.is_empty()).map(str::to_owned).collect())
            }
            Some(other) => python::iterate(&other)?.iter().map(python::str).collect(),
        }
    }

    /// Adds the options in a term, which must be among `keys`; returns the rest of it.
    pub(super) fn inline(&mut self, term: &str, keys: &[&str]) -> Result<Option<String>> {
        let mut given = Vec::new();
        let mut rest = Vec::new();
        for word in words(term)? {
            let plain = unescaped(&word);
            match option_sign(&plain) {
                Some(at) => {
                    let value = unquoted(plain[at + 1..].trim()).to_owned();
                    given.push((plain[..at].trim().to_owned(), value));
                }
                None if plain.contains('=') => rest.push(plain.replace("\\=", "=")),
                None => rest.push(word),
            }
        }
        if let Some((name, _)) = given.iter().find(|(name, _)| !keys.contains(&&**name)) {
            return value_error(format!(
                "Unrecognized parameter(s) given to lookup: {name}; it takes {}",
                keys.join(", ")
            ));
        }
        // Of several options of one name, the last counts.
        let given = given.into_iter().rev();
        let given = given.map(|(name, value)| (Str::from(name), Value::text(value)));
        self.prepend(given.collect());
        Ok(rest.into_iter().reduce(|joined, word| {
            let between = if joined.ends_with('\n') { "" } else { " " };
            joined + between + &word
        }))
    }
}

/// Returns the offset of the first `=` that is not the first character and not escaped.
fn option_sign(word: &str) -> Option<usize> {
    let signs = word.match_indices('=').map(|(at, _)| at);
    signs.skip_while(|at| *at == 0).find(|at| !word[..*at].ends_with('\\'))
}

/// Replaces the escapes of Python: `\t`, `\x41`, `\u00e9`.
fn unescaped(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        // Octal escapes and line breaks are none to Ansible.
        let is_none = tail.starts_with(|c: char| c == '\n' || c.is_digit(8));
        let escape = StringEscape::read(tail).ok().flatten().filter(|_| !is_none);
        let found = escape.and_then(|of| Some((char::from_u32(of.code?)?, of.length)));
        match found {
            Some((c, length)) => {
                out.push(c);
                rest = &tail[length..];
            }
            None => {
                out.push('\\');
                rest = tail;
            }
        }
    }
    out + rest
}

/// Splits a text at its spaces and line breaks, but not within quotes and templates. Further
/// spaces belong to the word before them.
fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::<String>::new();
    let mut open = OpenWord::default();
    let lines = text.split('\n').count();
    for (number, line) in text.split('\n').enumerate() {
        let mut continues = false;
        for (at, token) in line.split(' ').enumerate() {
            if token.is_empty() && at > 0 {
                last_word(&mut words).push(' ');
            } else if token == "\\" && open.quote.is_none() {
                continues = true;
            } else if open.is_open() {
                let between = if at == 0 && open.quote.is_some() { "" } else { " " };
                *last_word(&mut words) += &format!("{between}{token}");
                open.read(token);
            } else if !token.is_empty() {
                words.push(token.to_owned());
                open.read(token);
            }
        }
        if number + 1 < lines && !continues {
            last_word(&mut words).push('\n');
        }
    }
    if open.is_open() {
        return value_error(format!(
            "failed at splitting arguments, either an unbalanced jinja2 block or quotes: {text}"
        ));
    }
    Ok(words)
}

fn last_word(words: &mut Vec<String>) -> &mut String {
    if words.is_empty() {
        words.push(String::new());
    }
    let last = words.len() - 1;
    &mut words[last]
}

/// The quote and the templates that are open at the end of a word.
#[derive(Default)]
struct OpenWord {
    quote: Option<char>,
    templates: [usize; 3],
}

impl OpenWord {
    fn is_open(&self) -> bool {
        self.quote.is_some() || self.templates.iter().any(|depth| *depth > 0)
    }

    fn read(&mut self, token: &str) {
        let mut before = None;
        for c in token.chars() {
            if matches!(c, '"' | '\'') && before != Some('\\') {
                self.quote = match self.quote {
                    None => Some(c),
                    Some(open) if open == c => None,
                    other => other,
                };
            }
            before = Some(c);
        }
        let pairs = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")];
        for (depth, (open, close)) in self.templates.iter_mut().zip(pairs) {
            let opened = *depth + token.matches(open).count();
            *depth = opened.saturating_sub(token.matches(close).count());
        }
    }
}

fn unquoted(value: &str) -> &str {
    let mut quotes = ['"', '\''].into_iter();
    quotes.find_map(|q| value.strip_prefix(q)?.strip_suffix(q)).unwrap_or(value)
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
    list_of(arguments.positional.iter().map(|term| find(call, term, options.clone())))
}
