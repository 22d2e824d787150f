//! Heat's templates: a patched document and what is given to it come in; its parameters,
//! conditions, resources and outputs go out, resolved, as Heat's engine resolves them.
//!
//! What is checked, and in which order, is `evaluate`'s; every step is a file. Functions
//! are told apart by version in [`function`].

mod condition;
mod evaluate;
mod exception;
mod file;
mod function;
mod output;
mod parameter;
mod parse;
mod part;
mod path;
mod resolve;
mod resource;
mod secret;
mod section;
mod stack;
mod template;
mod version;

use indexmap::IndexMap;

use crate::source::Sources;

pub use evaluate::{Evaluated, Failed, Part, evaluate};
pub use file::File;
use stack::{Resource, Stack};
use version::Version;

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
