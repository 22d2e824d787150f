//! The vars-store: a file of values that were generated. It is read when it is first
//! needed; what is added keeps its comments and its order.

use crate::compile::static_misfit;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Document, Kind, Node};
use crate::variables::generate::Secret;

/// A vars-store, or what is wrong with it.
#[derive(Debug)]
pub struct Store {
    name: String,
    document: Result<Document>,
    changed: bool,
}

impl Store {
    /// The store whose text was read; `name` is its absolute path. An absent file reads
    /// as an empty text.
    pub fn new(name: impl Into<String>, document: Result<Document>) -> Store {
        let document = document.and_then(|document| {
            match static_misfit(&document, document.root()) {
                Some(misfit) => Err(misfit),
                None => Ok(document),
            }
        });
        Store { name: name.into(), document, changed: false }
    }

    /// The text to be written, if something was generated.
    pub fn changed(&self) -> Option<String> {
        let document = self.document.as_ref().ok()?;
        self.changed.then(|| document.to_string())
    }

    /// The names in the store.
    pub(super) fn names(&self) -> Vec<String> {
        let Ok(store) = &self.document else { return Vec::new() };
        let pairs = store.pairs(store.root()).into_iter();
        pairs.map(|(key, _)| store.text_of(key).into_owned()).collect()
    }

    /// The value of a name, as a node of `document`.
    pub(super) fn get(
        &self,
        document: &mut Document,
        name: &str,
    ) -> Result<Option<Node>> {
        let store = self.document.as_ref().map_err(|error| self.unreadable(error))?;
        let mut pairs = store.pairs(store.root()).into_iter();
        let found = pairs.rfind(|&(key, _)| store.text_of(key) == name);
        document.adopt(store.shared());
        Ok(found.map(|(_, value)| value))
    }

    fn unreadable(&self, error: &Diagnostic) -> Box<Diagnostic> {
        let mut error = Box::new(error.clone());
        let what = format!("Deserializing variables file store '{}'", self.name);
        error.message = format!("{what}:\n    {}", error.message);
        error
    }

    /// Keeps a value that was generated.
    pub(super) fn add(&mut self, name: &str, secret: &Secret) {
        let Ok(store) = &mut self.document else { return };
        if store.kind(store.root()) != Kind::Mapping {
            let root = store.new_mapping(&[], None);
            store.roots[0] = root;
        }
        let value = secret_node(store, secret);
        if let Some(id) = store.open(crate::node::Seat::Root(0), true) {
            store.insert_entry(id, name, value, None);
            self.changed = true;
        }
    }
}

/// A value that was generated, as a node of `document`.
pub(super) fn secret_node(document: &mut Document, secret: &Secret) -> Node {
    match secret {
        Secret::Text(text) => document.new_text(text),
        Secret::Entries(entries) => {
            let entries: Vec<(&str, &str)> =
                entries.iter().map(|(key, value)| (*key, &**value)).collect();
            document.new_mapping(&entries, None)
        }
    }
}
