//! The expansion of a document: the interface that `save` needs of it.

use std::borrow::Cow;

use crate::diagnostic::{self, Diagnostics};
use crate::node::Tree;
use crate::patch::Patch;
use crate::source::Sources;
use crate::yaml;

/// The `get` of the lens: compiling directives and filling in variables.
pub trait Expander {
    /// Returns the number of documents of the stream that have their directives expanded.
    fn document_count(&self, document: &Tree) -> usize;

    /// Compiles the directives of a document. Fails if one is wrong or cannot be read.
    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Tree,
        root: usize,
    ) -> Result<Patch, Diagnostics>;

    /// Fills in the variables of all documents. Fails if one has no usable value.
    fn fill(&mut self, document: &mut Tree) -> Result<(), Diagnostics>;
}

/// A document with its expansion.
#[derive(Debug)]
pub(super) struct ExpandedSource {
    pub source: Tree,
    /// The patch of each document of the stream.
    pub patches: Vec<Patch>,
    /// The expansion of each document of the stream, followed by the edited documents and
    /// by the values that imports found: one document, so that nodes can be compared.
    pub view: Tree,
}

impl ExpandedSource {
    /// Returns the expansion as it is printed, read again.
    pub(super) fn printed(&self) -> diagnostic::Result<Tree> {
        let mut view = self.view.clone();
        view.set_roots(self.view.roots()[..self.source.roots().len()].to_vec());
        yaml::clean(&view).map(Cow::into_owned)
    }
}
