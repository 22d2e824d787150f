//! An expander that knows directives alone, as a save needs it.

use interpolate::unstable::compile::{self, Rules};
use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::restore::Expander;
use interpolate::unstable::source::{Sources, World};

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
