//! The plainest expansion: the directives of the first document, and no variables.

use crate::compile::{self, Rules};
use crate::diagnostic::Diagnostics;
use crate::node::Document;
use crate::patch::Patch;
use crate::source::{Sources, World};

/// What an expansion is made by.
pub trait Get {
    /// How many documents of the stream have their directives expanded.
    fn count(&self, document: &Document) -> usize;

    /// Compiles the directives of a document of the stream.
    ///
    /// # Errors
    /// What is wrong with them.
    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Document,
        root: usize,
    ) -> Result<Patch, Diagnostics>;

    /// Fills in the variables of all documents of the stream.
    ///
    /// # Errors
    /// What is wrong with them.
    fn fill(&mut self, document: &mut Document) -> Result<(), Diagnostics>;
}

/// A document and what it expands to.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) source: Document,
    /// By document of the stream.
    pub(super) patches: Vec<Patch>,
    /// Its documents are followed by the edited ones and by what the imports found.
    pub(super) view: Document,
}

/// Expands directives only, in what the world holds.
pub struct Directives<'w> {
    /// Where included files lie.
    pub world: &'w dyn World,
    /// How directives are read.
    pub rules: Rules,
}

impl Get for Directives<'_> {
    fn count(&self, _: &Document) -> usize {
        1
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Document,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        compile::directives(document, root, sources, self.world, &self.rules)
    }

    fn fill(&mut self, _: &mut Document) -> Result<(), Diagnostics> {
        Ok(())
    }
}
