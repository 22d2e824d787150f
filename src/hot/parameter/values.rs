//! Values of parameters: what files say comes in, the later the stronger; values, and where
//! each was given, go out.

use std::collections::HashMap;

use crate::eval::python::{Dict, Key, Result, Value};
use crate::hot::file::{Entry, Place};

/// Values of parameters by name, and where each was given.
#[derive(Debug, Default)]
pub(super) struct Values {
    all: Dict,
    places: HashMap<Key, Place>,
}

impl Values {
    /// Takes the value of an entry.
    pub(super) fn take(&mut self, Entry { key, value, place }: Entry) {
        self.places.insert(key.clone(), place);
        self.all.set(key, value);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The value of that name.
    pub(super) fn get(&self, name: &str) -> Result<Option<Value>> {
        self.all.get_text(name)
    }

    /// All of them.
    pub(super) fn entries(&self) -> Result<Vec<Entry>> {
        let entry = |(key, value)| Entry { place: self.place(&key), key, value };
        Ok(self.all.entries()?.into_iter().map(entry).collect())
    }

    /// Where the value of that name was given.
    pub(super) fn place(&self, key: &Key) -> Place {
        self.places.get(key).copied().unwrap_or_default()
    }
}
