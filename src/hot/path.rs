//! Paths in a template, as Heat's messages show them. The text is built only when an
//! error needs it.

use std::fmt::Write;

use crate::eval::python::{self, Key, character};

#[derive(Debug)]
pub(super) struct Path {
    start: String,
    steps: Vec<PathSegment>,
}

#[derive(Debug)]
enum PathSegment {
    Key(Key),
    Name(&'static str),
    Index(usize),
}

impl Path {
    pub(super) fn from(start: impl Into<String>) -> Path {
        Path { start: start.into(), steps: Vec::new() }
    }

    pub(super) fn push_key(&mut self, key: &Key) {
        self.steps.push(PathSegment::Key(key.clone()));
    }

    pub(super) fn push_name(&mut self, name: &'static str) {
        self.steps.push(PathSegment::Name(name));
    }

    pub(super) fn push_index(&mut self, at: usize) {
        self.steps.push(PathSegment::Index(at));
    }

    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Returns the path as it is shown for errors of parsing and of references.
    pub(super) fn parsed(&self) -> String {
        self.shown(false)
    }

    /// Returns the path as errors of validation show it: a name of digits as an index.
    pub(super) fn validated(&self) -> String {
        self.shown(true)
    }

    fn shown(&self, digits_are_index: bool) -> String {
        let mut text = self.start.clone();
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            // Heat joins a name and its index into one text before it looks at digits:
            // `5[0]` is no number.
            let alone = !matches!(steps.peek(), Some(PathSegment::Index(_)));
            let as_index = digits_are_index && alone;
            match step {
                PathSegment::Key(key) => push(&mut text, &shown(key), as_index),
                PathSegment::Name(name) => push(&mut text, name, as_index),
                // Writing to a string cannot fail.
                PathSegment::Index(at) => drop(write!(text, "[{at}]")),
            }
        }
        text
    }
}

/// Joins names as in errors of validation.
pub(super) fn joined(names: &[&str]) -> String {
    let mut text = String::new();
    names.iter().for_each(|name| push(&mut text, name, true));
    text
}

fn push(text: &mut String, name: &str, as_index: bool) {
    let is_number = || !name.is_empty() && name.chars().all(character::is_digit);
    if as_index && is_number() {
        text.extend(["[", name, "]"]);
    } else if text.is_empty() {
        text.push_str(name);
    } else {
        text.extend([".", name]);
    }
}

fn shown(key: &Key) -> String {
    python::str(key.value()).unwrap_or_default()
}
