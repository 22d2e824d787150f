//! Heat's templates: a patched document and what is given to it come in; its parameters,
//! conditions, resources and outputs go out, resolved, as Heat's engine resolves them.
//!
//! What is checked, and in which order, is `evaluate`'s; every step is a file. Functions
//! are told apart by version in [`function`].

mod condition;
pub mod function;
mod parameter;
mod parse;
mod resolve;
mod stack;
mod template;
mod version;

use indexmap::IndexMap;

use crate::python::{Dict, Value};
use crate::source::Sources;

pub use stack::{Resource, Stack};
pub use version::Version;

/// What is given to a template.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The texts, for paths that are relative to them.
    pub sources: Sources,
    /// The values of parameters.
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
    pub previous: Option<Value>,
    /// What a `yaql` expression may take.
    pub yaql: Yaql,
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

/// What a `yaql` expression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yaql {
    /// The most elements of a collection.
    pub iterators: usize,
    /// The most bytes of values.
    pub memory: usize,
}

impl Default for Yaql {
    fn default() -> Yaql {
        Yaql { iterators: 200, memory: 10_000 }
    }
}
