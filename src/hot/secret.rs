//! Values that no message may say, as they are met, and an exception come in; the
//! exception without them goes out.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use crate::eval::known::{forms, without};
use crate::eval::python::{self, Exception, Result, Value};

/// The texts of values that were given to the variables of a template.
pub(super) type VariableTexts = RefCell<BTreeSet<String>>;

/// A text of fewer characters is kept from messages only where it was used.
const MIN_HIDDEN_CHARS: usize = 3;

/// What was met while functions were resolved, in order.
#[derive(Debug, Default)]
pub(super) struct Secrets(RefCell<Vec<SecretUse>>);

#[derive(Debug)]
enum SecretUse {
    /// A value that is secret.
    Value(Value),
    /// What a function made of one, and of arguments that were written.
    Derived { value: Value, arguments: Value },
}

impl Secrets {
    /// How many were met so far.
    pub(super) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// Takes note of a value that is secret.
    pub(super) fn meet(&self, value: &Value) {
        self.0.borrow_mut().push(SecretUse::Value(value.clone()));
    }

    /// Takes note of all that was given to variables and is in a value.
    pub(super) fn meet_given(&self, value: &Value, given: &VariableTexts) {
        let given = given.borrow();
        if !given.is_empty() {
            let met = texts([value]).into_iter().filter(|text| given.contains(text));
            self.0
                .borrow_mut()
                .extend(met.map(|text| SecretUse::Value(Value::text(text))));
        }
    }

    /// Takes note of what a function made, if it met a secret since there were `since`.
    pub(super) fn make(&self, since: usize, value: &Value, arguments: &Value) {
        if self.count() > since {
            let (value, arguments) = (value.clone(), arguments.clone());
            self.0.borrow_mut().push(SecretUse::Derived { value, arguments });
        }
    }

    /// Runs something; an exception of it says nothing of what was met meanwhile.
    pub(super) fn conceal<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let since = self.count();
        run().map_err(|raised| self.without(since, raised))
    }

    fn without(&self, since: usize, mut raised: Box<Exception>) -> Box<Exception> {
        let met = self.0.borrow();
        let (mut secret, mut made, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for met in met.iter().skip(since) {
            match met {
                SecretUse::Value(value) => secret.push(value),
                SecretUse::Derived { value, arguments } => {
                    made.push(value);
                    written.push(arguments);
                }
            }
        }
        let made = &texts(made) - &texts(written);
        hide(&mut raised, &(&texts(secret) | &made));
        raised
    }
}

/// Whether something that was given to variables is in a value.
pub(super) fn is_given(value: &Value, given: &VariableTexts) -> bool {
    !given.borrow().is_disjoint(&texts([value]))
}

/// Keeps an exception from saying what was given to variables.
pub(super) fn hide_given(raised: &mut Exception, given: &VariableTexts) {
    let given = given.borrow();
    let long = given.iter().filter(|text| text.chars().count() >= MIN_HIDDEN_CHARS);
    hide(raised, &long.cloned().collect());
}

/// Keeps an exception from saying values, or words of them.
pub(super) fn hide_words(raised: &mut Exception, values: &[&Value]) {
    let mut all = texts(values.iter().copied());
    let is_inner = |c: char| c.is_alphanumeric() || "_-".contains(c);
    for text in all.clone() {
        let words = text
            .split(|c| !is_inner(c))
            .filter(|w| w.chars().count() >= MIN_HIDDEN_CHARS);
        all.extend(words.map(str::to_owned));
    }
    hide(raised, &all);
}

fn hide(raised: &mut Exception, texts: &BTreeSet<String>) {
    let mut forms: Vec<String> = texts.iter().flat_map(|text| forms(text)).collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    let hide = |text: &mut String| {
        for form in &forms {
            if text.contains(&**form) {
                *text = without(text, form);
            }
        }
    };
    hide(&mut raised.message);
    raised.hint.iter_mut().for_each(hide);
}

/// The texts and numbers in values, as they are written.
fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    let (mut found, mut known) = (BTreeSet::new(), HashSet::new());
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
