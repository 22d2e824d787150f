//! A directive and what it refers to, as both were written.

use crate::arena::Index;
use crate::source::FileId;

/// A directive and one node that it refers to, as both were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The mapping that holds the directive.
    pub holder: (FileId, Index),
    /// The key of the directive.
    pub key: (FileId, Index),
    /// The node it refers to, without the imports of its own directives.
    pub referent: (FileId, Index),
}
