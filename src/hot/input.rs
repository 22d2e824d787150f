//! The input of an evaluation beside the template: files whose entries keep their places,
//! names of the stack, and texts of files.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::eval::python::{Dict, Exception, Key, Result, Value};
use crate::node::Tree;
use crate::source::{Sources, Span};
use crate::yaml::Expansion;

use super::exception::Placed;
use super::template::{Template, TemplateNode};

/// The input of an evaluation beside the template.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Texts of all files. Relative paths in a template start at its folder.
    pub sources: Sources,
    /// Environments. Later ones override earlier ones.
    pub environments: Vec<File>,
    /// Values of parameters. They override the environments, later ones earlier ones.
    pub parameters: Vec<File>,
    /// Values of parameters that are given no other value.
    pub defaults: Option<File>,
    /// Attributes of resources: a mapping by resource of mappings by attribute.
    pub attributes: Option<File>,
    /// Physical names of resources, by resource.
    pub ids: Option<File>,
    /// Texts of files, by the name that `get_file` uses.
    pub files: IndexMap<String, String>,
    /// The resource that the template implements, for `resource_facade`: its `metadata`,
    /// `deletion_policy` and `update_policy`.
    pub facade: Option<File>,
    /// Value of `OS::stack_name`. If it is empty, the parameter is not defined.
    pub stack_name: String,
    /// Value of `OS::stack_id`.
    pub stack_id: String,
    /// Value of `OS::project_id`.
    pub project_id: String,
    /// Result of `Fn::GetAZs`.
    pub zones: Vec<String>,
    /// Result of references to resources that do not exist yet.
    pub unresolved: Unresolved,
    /// The parameters of the previous run, or its whole result. Immutable parameters must
    /// not differ from it.
    pub previous: Option<File>,
}

/// Result of a reference to a resource that does not exist yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unresolved {
    /// `get_attr` returns null, `get_resource` the name of the resource.
    #[default]
    Null,
    /// The reference is an error.
    Error,
    /// The function is printed as it was written, with all functions around it.
    Keep,
}

/// A mapping that is given to a template, with the places of its entries if it was read
/// from a file.
#[derive(Clone, Debug)]
pub struct File {
    /// The name in messages.
    pub name: String,
    pub(super) value: Value,
    document: Option<Arc<Tree>>,
}

#[derive(Clone, Debug)]
pub(super) struct FileEntry {
    pub(super) key: Key,
    pub(super) value: Value,
    pub(super) place: EntrySpans,
}

impl FileEntry {
    /// Returns the exception for a value of a wrong type.
    pub(super) fn wrong_type(&self, wanted: &str) -> Box<Exception> {
        let message = format!("{wanted}, not a {}", self.value.type_name());
        Exception::of_type(message).placed(self.place.value)
    }
}

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
    /// Reads a document as Python's YAML loader does. Aliases may expand it up to
    /// `limit`.
    ///
    /// # Errors
    /// An exception if it grows further, nests too deep, or there are several documents.
    pub fn read(
        name: impl Into<String>,
        document: Tree,
        limit: Expansion,
    ) -> Result<File> {
        let document = Arc::new(document);
        let template = Template::new(document.clone(), limit);
        template.validate_single()?;
        let value = template.root().data()?;
        Ok(File { name: name.into(), value, document: Some(document) })
    }

    pub(super) fn span(&self) -> Option<Span> {
        let document = self.document.as_ref()?;
        document.span(document.root())
    }

    /// Returns the entries; none for null. Raises a `TypeError` if it is no mapping.
    pub(super) fn entries(&self) -> Result<Vec<FileEntry>> {
        match &self.value {
            Value::None => Ok(Vec::new()),
            Value::Dict(entries) => self.entries_at(&[], entries),
            other => {
                let name = &self.name;
                let kind = other.type_name();
                let message = format!("'{name}' is to hold a mapping, not a {kind}");
                Err(Exception::of_type(message).placed(self.span()))
            }
        }
    }

    /// Returns the entries of the mapping that `keys` lead to from the top.
    pub(super) fn entries_at(
        &self,
        keys: &[&str],
        entries: &Dict,
    ) -> Result<Vec<FileEntry>> {
        // Python's mapping keeps the last of equal keys; so does the collection into a
        // map here, which makes both agree.
        let places = self.places(keys);
        let entry = |(key, value)| {
            let place = places.get(&key).copied().unwrap_or_default();
            FileEntry { key, value, place }
        };
        Ok(entries.entries()?.into_iter().map(entry).collect())
    }

    /// Returns the spans of the entries of the mapping that `keys` lead to.
    fn places(&self, keys: &[&str]) -> IndexMap<Key, EntrySpans> {
        let Some(document) = &self.document else { return IndexMap::new() };
        let template = Template::new(document.clone(), Expansion::default());
        let mut step = keys.iter();
        let node = step.try_fold(template.root(), |node, key| node.get(key));
        let pairs = node.map(|node| node.pairs()).unwrap_or_default();
        let place = |[key, value]: [TemplateNode; 2]| {
            Some((key.key().ok()?, EntrySpans { key: key.span(), value: value.span() }))
        };
        pairs.into_iter().filter_map(place).collect()
    }
}
