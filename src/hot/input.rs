//! What is given to a template beside its text: files with the places of their entries,
//! names of the stack, and texts of files.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::eval::python::{Class, Dict, Exception, Key, Result, Value};
use crate::node::Document;
use crate::source::{Sources, Span};
use crate::yaml::Expansion;

use super::exception::at;
use super::template::Template;

/// What is given to a template.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The texts, for paths that are relative to them.
    pub sources: Sources,
    /// The environments, the last the strongest.
    pub environments: Vec<File>,
    /// The values of parameters, each stronger than those before and the environments'.
    pub parameters: Vec<File>,
    /// The values of parameters that were given none.
    pub defaults: Option<File>,
    /// The attributes of resources, by name and name.
    pub attributes: Option<File>,
    /// The physical names of resources, by name.
    pub ids: Option<File>,
    /// The texts of files, by the name that templates know them by.
    pub files: IndexMap<String, String>,
    /// The resource that the template stands for: its `metadata`, `deletion_policy` and
    /// `update_policy`.
    pub facade: Option<File>,
    /// `OS::stack_name`
    pub stack_name: String,
    /// `OS::stack_id`
    pub stack_id: String,
    /// `OS::project_id`
    pub project_id: String,
    /// What `Fn::GetAZs` lists.
    pub zones: Vec<String>,
    /// What a reference to a resource stands for that is not there yet.
    pub unresolved: Unresolved,
    /// The parameters of the last run, or all that it resolved to.
    pub previous: Option<File>,
}

/// What a reference to a resource stands for that is not there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unresolved {
    /// An attribute is null, a physical name is the name.
    #[default]
    Null,
    /// It is an error.
    Error,
    /// The function stays in place, and those around it.
    Keep,
}

/// What is given to a template, and where it was written, if it was.
#[derive(Clone, Debug)]
pub struct File {
    /// As people know it.
    pub name: String,
    value: Value,
    document: Option<Arc<Document>>,
}

/// An entry of a mapping.
pub(super) struct FileEntry {
    pub(super) key: Key,
    pub(super) value: Value,
    pub(super) place: EntrySpans,
}

/// Where an entry was written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EntrySpans {
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
        let value = template.data(template.root())?;
        Ok(File { name: name.into(), value, document: Some(document) })
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
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
    pub(super) fn entries(&self) -> Result<Vec<FileEntry>> {
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
    pub(super) fn entries_at(
        &self,
        keys: &[&str],
        entries: &Dict,
    ) -> Result<Vec<FileEntry>> {
        let places = self.places(keys);
        let entry = |(key, value)| {
            let place = places.get(&key).copied().unwrap_or_default();
            FileEntry { key, value, place }
        };
        Ok(entries.entries()?.into_iter().map(entry).collect())
    }

    /// Where the entries stand of a mapping that keys lead to.
    fn places(&self, keys: &[&str]) -> IndexMap<Key, EntrySpans> {
        let Some(document) = &self.document else { return IndexMap::new() };
        let template = Template::new(document.clone(), Expansion::default());
        let mut step = keys.iter();
        let node = step.try_fold(template.root(), |node, key| template.get(node, key));
        let pairs = node.map(|node| document.pairs(node)).unwrap_or_default();
        let place = |(key, value)| {
            let name = template.key(key).ok()?;
            Some((
                name,
                EntrySpans { key: document.span(key), value: document.span(value) },
            ))
        };
        pairs.into_iter().filter_map(place).collect()
    }
}
