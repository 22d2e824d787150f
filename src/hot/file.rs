//! A file that is given to a template: its document comes in; what it says, and where in
//! it, goes out.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::eval::python::{Class, Dict, Exception, Key, Result, Value};
use crate::node::Document;
use crate::source::Span;
use crate::yaml::Expansion;

use super::exception::at;
use super::template::Template;

/// What is given to a template, and where it was written, if it was.
#[derive(Clone, Debug)]
pub struct File {
    /// As people know it.
    pub name: String,
    pub(super) value: Value,
    document: Option<Arc<Document>>,
}

/// An entry of a mapping.
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) value: Value,
    pub(super) place: Place,
}

/// Where an entry was written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) key: Option<Span>,
    pub(super) value: Option<Span>,
}

impl From<Value> for File {
    fn from(value: Value) -> File {
        File { name: String::new(), value, document: None }
    }
}

impl File {
    /// What a document says as Python reads it, which may grow so far through aliases.
    ///
    /// # Errors
    /// It grows further or nests too deep, or there are several documents.
    pub fn read(
        name: impl Into<String>,
        document: Document,
        limit: Expansion,
    ) -> Result<File> {
        let document = Arc::new(document);
        let template = Template::new(document.clone(), limit);
        template.validate_single()?;
        let value = template.data(template.root)?;
        Ok(File { name: name.into(), value, document: Some(document) })
    }

    /// Where all of it stands.
    pub(super) fn span(&self) -> Option<Span> {
        let document = self.document.as_ref()?;
        document.span(document.root())
    }

    /// The entries of the mapping that it is; where nothing is said, there are none.
    ///
    /// # Errors
    /// It is something else.
    pub(super) fn entries(&self) -> Result<Vec<Entry>> {
        match &self.value {
            Value::None => Ok(Vec::new()),
            Value::Dict(entries) => self.entries_at(&[], entries),
            other => {
                let (name, kind) = (&self.name, other.type_name());
                let message = format!("'{name}' is to hold a mapping, not a {kind}");
                Err(at(Exception::new(Class::Type, message), self.span()))
            }
        }
    }

    /// The entries of a mapping that keys lead to.
    pub(super) fn entries_at(&self, keys: &[&str], entries: &Dict) -> Result<Vec<Entry>> {
        let places = self.places(keys);
        let entry = |(key, value)| {
            let place = places.get(&key).copied().unwrap_or_default();
            Entry { key, value, place }
        };
        Ok(entries.entries()?.into_iter().map(entry).collect())
    }

    /// Where the entries stand of a mapping that keys lead to.
    fn places(&self, keys: &[&str]) -> IndexMap<Key, Place> {
        let Some(document) = &self.document else { return IndexMap::new() };
        let template = Template::new(document.clone(), Expansion::default());
        let mut step = keys.iter();
        let node = step.try_fold(template.root, |node, key| template.get(node, key));
        let pairs = node.map(|node| document.pairs(node)).unwrap_or_default();
        let place = |(key, value)| {
            let name = template.key(key).ok()?;
            Some((name, Place { key: document.span(key), value: document.span(value) }))
        };
        pairs.into_iter().filter_map(place).collect()
    }
}
