//! The merged data of a document.

use super::remedy::Remedy;
use crate::node::Tree;

/// The merged data of a document.
pub(super) struct MergedTrees {
    /// With ours at all conflicts.
    pub ours: Tree,
    /// With theirs at all conflicts; `None` if there is none.
    pub theirs: Option<Tree>,
    /// The paths of the conflicts.
    pub conflicts: Vec<String>,
    remedies: Vec<Remedy>,
}

impl MergedTrees {
    pub(super) fn new(
        ours: Tree,
        conflicts: Vec<String>,
        remedies: Vec<Remedy>,
    ) -> MergedTrees {
        let theirs = (!remedies.is_empty()).then(|| {
            let mut theirs = ours.clone();
            Remedy::apply_all(&remedies, &mut theirs, None);
            theirs
        });
        MergedTrees { ours, theirs, conflicts, remedies }
    }

    /// Sets the paths of the conflicts.
    pub(super) fn with_conflicts(self, conflicts: Vec<String>) -> MergedTrees {
        MergedTrees { conflicts, ..self }
    }

    /// Returns the merged data with a text at each conflict, whatever is there.
    pub(super) fn outline(&self, mark: &str) -> Tree {
        let mut outline = self.ours.clone();
        Remedy::apply_all(&self.remedies, &mut outline, Some(mark));
        outline
    }
}
