//! The expansion of a document: the interface that `save` needs of it, and the simplest
//! implementation, which expands directives only.

use std::borrow::Cow;

use crate::compile::{self, Rules};
use crate::diagnostic::{self, Diagnostics};
use crate::node::Tree;
use crate::patch::Patch;
use crate::source::{Sources, World};
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

/// An expander of the directives of the first document. It knows no variables.
pub struct DirectiveExpander<'w> {
    /// The files that directives include.
    pub world: &'w dyn World,
    /// The rules by which directives are read.
    pub rules: Rules,
}

impl Expander for DirectiveExpander<'_> {
    fn document_count(&self, _: &Tree) -> usize {
        1
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Tree,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        compile::directives(document, root, sources, self.world, &self.rules)
    }

    fn fill(&mut self, _: &mut Tree) -> Result<(), Diagnostics> {
        Ok(())
    }
}

/// A document with its expansion.
#[derive(Debug)]
pub(super) struct Expanded {
    pub source: Tree,
    /// The patch of each document of the stream.
    pub patches: Vec<Patch>,
    /// The expansion of each document of the stream, followed by the edited documents and
    /// by the values that imports found: one document, so that nodes can be compared.
    pub view: Tree,
}

impl Expanded {
    /// Returns the expansion as it is printed, read again.
    pub(super) fn printed(&self) -> diagnostic::Result<Tree> {
        let mut view = self.view.clone();
        view.set_roots(self.view.roots()[..self.source.roots().len()].to_vec());
        yaml::clean(&view).map(Cow::into_owned)
    }
}
