//! Heat's templates: a patched document and what is given to it come in; its parameters,
//! conditions, resources and outputs go out, resolved, as Heat's engine resolves them.
//!
//! What is checked, and in which order, is `evaluate`'s; every step is a file. Functions
//! are told apart by version in [`function`].

mod condition;
mod evaluate;
pub mod function;
mod output;
mod parameter;
mod parse;
mod path;
mod resolve;
mod resource;
mod secret;
mod section;
mod stack;
mod template;
mod version;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::node::{Document, Node};
use crate::python::{Dict, Result, Value};
use crate::source::Sources;

pub use evaluate::{Evaluated, Failed, Part, evaluate};
pub use parameter::HIDDEN;
pub use stack::{Resource, Stack};
pub use version::Version;

/// What a document says as Python reads it; `text` is what it was read from.
///
/// # Errors
/// It is nested too deep.
pub fn data(document: &Arc<Document>, root: Node, text: &str) -> Result<Value> {
    template::Template::new(document.clone(), root, text).data(root)
}

/// What is given to a template.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The texts, for paths that are relative to them.
    pub sources: Sources,
    /// The environments, with the names of their files, the last the strongest.
    pub environments: Vec<(String, Value)>,
    /// The values of parameters, which are stronger than the environments'.
    pub parameters: Dict,
    /// The values of parameters that were given none.
    pub defaults: Dict,
    /// The attributes of resources, by name and name.
    pub attributes: Dict,
    /// The physical names of resources, by name.
    pub ids: Dict,
    /// The texts of files, by the name that templates know them by.
    pub files: IndexMap<String, String>,
    /// The resource that the template stands for: its `metadata`, `deletion_policy` and
    /// `update_policy`.
    pub facade: Option<Dict>,
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
    /// The parameters of the last run.
    pub previous: Option<Dict>,
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
