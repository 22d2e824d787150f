//! The three texts between which an edit is found.

use hashbrown::HashMap;

use super::expander::Expanded;
use super::matches::Matches;
use super::matching::Matching;
use super::written::ChildIndex;
use crate::arena::Index;
use crate::layout::LinedText;
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Edit;

/// A document, its expansion as it is printed, and the edited text.
pub(super) struct TextVersions<'a> {
    pub saved: LinedText<'a>,
    pub expanded: LinedText<'a>,
    pub edited: LinedText<'a>,
}

impl<'a> TextVersions<'a> {
    pub(super) fn new(
        saved: &'a Tree,
        expanded: &'a Tree,
        edited: &'a Tree,
    ) -> TextVersions<'a> {
        let [saved, expanded, edited] = [saved, expanded, edited].map(Tree::base);
        TextVersions {
            saved: LinedText::new(saved),
            expanded: LinedText::new(expanded),
            edited: LinedText::new(edited),
        }
    }

    /// Matches the lines of the texts of `current`, whose values the edited text has.
    pub(super) fn matches(&self, current: &Expanded) -> Matches {
        let item_counts = item_counts(current, self.edited.arena.sections().len());
        let TextVersions { saved, expanded, edited } = self;
        let matching = Matching { saved, expanded, edited, item_counts: &item_counts };
        matching.find()
    }
}

/// Returns the number of items that a mapping of the source expands to in a list, for those
/// with a lone directive that imports no mapping, and for whiteouts.
fn item_counts(current: &Expanded, given: usize) -> HashMap<Index, usize> {
    let Expanded { source, patches, view } = current;
    let (mut written, mut counts) = (ChildIndex::new(source.base()), HashMap::new());
    let mut imported = view.roots()[source.roots().len() + given..].iter();
    for (patch, &root) in patches.iter().zip(source.roots()) {
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let found: Vec<Option<NodeId>> = merge
                .imports
                .iter()
                .map(|import| import.found.and_then(|_| imported.next().copied()))
                .collect();
            let nodes = written.nodes_on_path(root, &merge.site);
            let site = nodes.and_then(|nodes| nodes.last().copied());
            let (&[found], Some(site)) = (&found[..], site) else { continue };
            let lone = source.base().entries(site).count() == 1;
            let count = match found.map(|found| (view.kind(found), found)) {
                None => 0,
                Some((Kind::Mapping, _)) => continue,
                Some((Kind::Sequence, found)) => view.items(found).len(),
                Some((Kind::Scalar, _)) => 1,
            };
            if lone {
                counts.insert(site, count);
            }
        }
        if let NodeId::Clean(file, root) = root {
            let nodes = root..source.base().next(root);
            let markers = nodes.filter(|&i| is_marker(source, NodeId::Clean(file, i)));
            counts.extend(markers.map(|i| (i, 0)));
        }
    }
    counts
}

/// Returns true for a whiteout or a nullout, of which nothing is left in a list.
fn is_marker(source: &Tree, node: NodeId) -> bool {
    let strategy = Strategy::of(source, node);
    matches!(strategy, Some(Strategy::Whiteout | Strategy::Nullout))
}
