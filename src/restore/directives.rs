//! The plainest expansion: the directives of the first document, and no variables.

use super::Get;
use crate::compile::{self, Rules};
use crate::diagnostic::Diagnostics;
use crate::node::Document;
use crate::patch::Patch;
use crate::source::{Sources, World};

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
