//! Keeps secrets out of messages. Records values of hidden parameters and texts of
//! variables when functions use them, and removes them from exceptions.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use hashbrown::HashSet;

use crate::eval::hidden_text::{HiddenTexts, SecretOrigin};
use crate::eval::python::{self, Exception, Result, Value};

/// Texts that the template received through variables of the document.
pub(super) type VariableTexts = RefCell<BTreeSet<String>>;

/// Minimum length of a text that is removed from every message. Shorter texts (`1`, `no`)
/// occur by chance everywhere, so they are removed only where they were used.
const MIN_HIDDEN_CHARS: usize = 3;

/// Secrets that functions used, in order.
#[derive(Debug, Default)]
pub(super) struct Secrets(RefCell<Vec<SecretUse>>);

#[derive(Debug)]
struct SecretUse {
    value: Value,
    /// Arguments as written, if a function computed the value from secrets.
    arguments: Option<Value>,
}

impl Secrets {
    pub(super) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    pub(super) fn record(&self, value: &Value) {
        self.push(value.clone(), None);
    }

    /// Records the use of every text in `value` that came from a variable.
    pub(super) fn record_variable_texts(&self, value: &Value, given: &VariableTexts) {
        let given = given.borrow();
        if !given.is_empty() {
            let met = texts([value]).into_iter().filter(|text| given.contains(text));
            met.for_each(|text| self.push(Value::text(text), None));
        }
    }

    /// Records the result of a function that used a secret since the count was `since`.
    pub(super) fn record_derived(&self, since: usize, value: &Value, arguments: &Value) {
        if self.count() > since {
            self.push(value.clone(), Some(arguments.clone()));
        }
    }

    fn push(&self, value: Value, arguments: Option<Value>) {
        self.0.borrow_mut().push(SecretUse { value, arguments });
    }

    /// Runs a function. Its exception contains none of the secrets used meanwhile.
    pub(super) fn conceal<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let since = self.count();
        run().map_err(|raised| self.without(since, raised))
    }

    fn without(&self, since: usize, mut raised: Box<Exception>) -> Box<Exception> {
        let met = self.0.borrow();
        let mut secret = Vec::new();
        let mut made = Vec::new();
        let mut written = Vec::new();
        for SecretUse { value, arguments } in met.iter().skip(since) {
            let values = if arguments.is_some() { &mut made } else { &mut secret };
            values.push(value);
            written.extend(arguments);
        }
        // Text written beside a secret is visible in the template anyway, and hiding it
        // would make messages unreadable.
        let made = &texts(made) - &texts(written);
        hide(&mut raised, &(&texts(secret) | &made));
        raised
    }
}

/// Returns true if a value contains a text that came from a variable.
pub(super) fn contains_variable_text(value: &Value, given: &VariableTexts) -> bool {
    !given.borrow().is_disjoint(&texts([value]))
}

/// Removes texts of variables from an exception.
pub(super) fn hide_variable_texts(raised: &mut Exception, given: &VariableTexts) {
    let given = given.borrow();
    let long = given.iter().filter(|text| text.chars().count() >= MIN_HIDDEN_CHARS);
    hide(raised, &long.cloned().collect());
}

/// Removes values from an exception, and the words that they consist of.
pub(super) fn hide_words(raised: &mut Exception, values: &[&Value]) {
    let mut all = texts(values.iter().copied());
    for text in all.clone() {
        // Conversions quote parts of a value, for example the number that `int()` does
        // not accept.
        let words = text
            .split(|c: char| !c.is_alphanumeric() && !"_-".contains(c))
            .filter(|w| w.chars().count() >= MIN_HIDDEN_CHARS);
        all.extend(words.map(str::to_owned));
    }
    hide(raised, &all);
}

fn hide(raised: &mut Exception, texts: &BTreeSet<String>) {
    let texts = texts.iter().map(|text| (Arc::from(&**text), SecretOrigin::Marked));
    let mut hidden = HiddenTexts::of(texts);
    for text in [Some(&mut raised.message), raised.hint.as_mut()].into_iter().flatten() {
        *text = hidden.without(mem::take(text), &[]);
    }
}

/// Returns all strings and numbers in values, as text.
fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut known = HashSet::new();
    let mut todo: Vec<Value> = values.into_iter().cloned().collect();
    while let Some(value) = todo.pop() {
        match &value {
            Value::Str(text) => drop(found.insert(text.to_string())),
            Value::Int(_) | Value::Big(_) | Value::Float(_) => {
                found.extend(python::str(&value));
            }
            Value::Bytes(bytes) => {
                found.insert(String::from_utf8_lossy(bytes).into_owned());
            }
            Value::List(items) if known.insert(items.address()) => {
                todo.extend(items.read().iter().cloned());
            }
            Value::Tuple(items) => todo.extend(items.iter().cloned()),
            Value::Dict(entries) if known.insert(entries.address()) => {
                for (key, value) in entries.read().iter() {
                    todo.extend([key.value().clone(), value.clone()]);
                }
            }
            _ => {}
        }
    }
    found
}
