//! A mapping with merge directives, and their imports.

use super::Source;
use crate::node::{NodeId, Path};

/// A mapping with merge directives, and their imports. The mapping's own entries stay in
/// the document and override the imports. Removed are the keys of the imports, `+&`, and,
/// if there is any import, `+%`.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The mapping. Inner sites are merged before outer ones, later items before earlier,
    /// so that no merge moves a site that is still to come.
    pub site: Path,
    /// In the order of their keys: a later one overrides an earlier one.
    pub imports: Vec<Import>,
    /// The effect of an own list on an imported one.
    pub lists: Lists,
}

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The key, as it was written.
    pub key: NodeId,
    /// Its target, as written.
    pub source: Source,
    /// The imported node with its own directives expanded; `None` if none was required.
    pub found: Option<NodeId>,
}

/// The effect of an own list on the list that is imported for the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// It replaces the imported list, as Unfurl's documentation says.
    #[default]
    Replace,
    /// Its items are added to the imported ones, as Unfurl's code does.
    Union,
}
