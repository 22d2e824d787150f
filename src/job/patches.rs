//! The directives of a document and the ops, as patches that are applied one after another.

use crate::apply::{self, Applied, Reach};
use crate::compile::{self, Rules};
use crate::diagnostic::Diagnostics;
use crate::history::Recorder;
use crate::node::Tree;
use crate::patch::Patch;
use crate::source::{Sources, World};

/// The patches for a document: its directives, then the ops.
#[derive(Clone)]
pub struct Patches {
    /// The patch of the directives of each document that has some, with its position in the
    /// stream.
    directives: Vec<(usize, Patch)>,
    /// The ops.
    pub ops: Patch,
    /// The documents of the stream that the ops are for.
    pub reach: Reach,
}

impl Patches {
    /// Compiles the directives of the documents that ops are for. Without `rules`, merge
    /// directives are plain keys.
    ///
    /// # Errors
    /// Each directive that is wrong or cannot be read, of every document.
    pub fn compile(
        document: &Tree,
        ops: Patch,
        reach: Reach,
        rules: Option<&Rules>,
        sources: &mut Sources,
        world: &dyn World,
    ) -> Result<Patches, Diagnostics> {
        let mut patches = Patches { directives: Vec::new(), ops, reach };
        let Some(rules) = rules else { return Ok(patches) };
        let mut wrong = Vec::new();
        for &root in &patches.reach.default {
            match compile::directives(document, root, sources, world, rules) {
                // Each application takes time proportional to the number of documents.
                Ok(patch) if patch.is_empty() => {}
                Ok(patch) => patches.directives.push((root, patch)),
                Err(Diagnostics(errors)) => wrong.extend(errors),
            }
        }
        if wrong.is_empty() { Ok(patches) } else { Err(Diagnostics(wrong)) }
    }

    /// Returns directives and ops as one patch for the document that both are for. Returns
    /// `None` if they are for several.
    pub fn into_one(mut self) -> Option<(Patch, Reach)> {
        let [_] = self.reach.default[..] else { return None };
        let mut patch = self.directives.pop().unwrap_or_default().1;
        patch.extend(self.ops);
        Some((patch, self.reach))
    }

    /// Returns true if the documents have directives.
    pub fn has_directives(&self) -> bool {
        !self.directives.is_empty()
    }

    /// Applies the directives to the document.
    ///
    /// # Errors
    /// As [`Patches::apply`].
    pub fn expand(&self, document: &mut Tree) -> Result<(), Diagnostics> {
        self.expand_with(document, None).map(drop)
    }

    /// Applies the directives, then the ops. A recorder keeps what they do.
    ///
    /// # Errors
    /// Each op that fails on its own. The document is then in an unspecified state.
    pub fn apply(
        &self,
        document: &mut Tree,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<Applied, Diagnostics> {
        let uses_default = self.expand_with(document, recorder.as_deref_mut())?;
        let mut applied = apply_with(&self.ops, document, &self.reach, recorder)?;
        applied.uses_default |= uses_default;
        Ok(applied)
    }

    /// Applies the directives. Returns true if there are some.
    fn expand_with(
        &self,
        document: &mut Tree,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<bool, Diagnostics> {
        for (root, patch) in &self.directives {
            let reach = Reach::of(document, [*root]);
            apply_with(patch, document, &reach, recorder.as_deref_mut())?;
        }
        Ok(self.has_directives())
    }
}

fn apply_with(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
    recorder: Option<&mut Recorder>,
) -> Result<Applied, Diagnostics> {
    match recorder {
        Some(recorder) => recorder.apply(patch, document, reach),
        None => apply::apply_to(patch, document, reach),
    }
}
