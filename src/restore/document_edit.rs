//! The documents of a stream, each before and after the edit.

use super::change::Change;
use super::compare::Comparer;
use super::expander::Expanded;
use super::site::ImportSites;
use crate::node::{NodeId, Tree};
use crate::patch::Patch;

/// One document with directives, its expansion and the edited expansion.
pub(super) struct DocumentEdit<'a> {
    /// The source, and the root of the document in it.
    pub written: (&'a Tree, NodeId),
    pub view: NodeId,
    pub edited: NodeId,
    pub sites: ImportSites<'a>,
}

impl<'a> DocumentEdit<'a> {
    /// Returns the first `count` documents. If `follows`, the values that directives import
    /// count as unchanged.
    pub(super) fn all(
        current: &'a Expanded,
        count: usize,
        compare: &mut Comparer<'a>,
        follows: bool,
    ) -> Vec<DocumentEdit<'a>> {
        let Expanded { source, patches, view } = current;
        let there = source.roots().len();
        let mut imported = view.roots()[there + count..].iter().copied();
        let document = |root: usize| {
            let written = (source, source.roots()[root]);
            let patch = patches.get(root).unwrap_or(Patch::NONE);
            let (view, edited) = (view.roots()[root], view.roots()[there + root]);
            let roots = Change { was: Some(view), now: Some(edited) };
            let imported = &mut imported;
            let sites =
                ImportSites::new(written, patch, imported, compare, roots, follows);
            DocumentEdit { written, view, edited, sites }
        };
        (0..count).map(document).collect()
    }

    /// Returns the two roots of the document.
    pub(super) fn roots(&self) -> Change {
        Change { was: Some(self.view), now: Some(self.edited) }
    }
}
