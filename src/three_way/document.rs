//! The merge of one document: its data, and the text that holds it.

use super::difference::difference;
use super::merger::Merger;
use super::piece::Piece;
use super::wanted::{Wanted, repeated_keys};
use crate::node::Tree;

/// A merged document.
pub(super) struct MergedDocument {
    pub pieces: Vec<Piece>,
    /// The paths of the conflicts.
    pub conflicts: Vec<String>,
}

/// The path of a whole document.
pub(super) const WHOLE: &str = "";

/// Merges texts of one document each.
pub(super) fn merge_document(
    base: Option<&Tree>,
    ours: &Tree,
    theirs: &Tree,
) -> MergedDocument {
    let texts = [base.map_or("", text), text(ours), text(theirs)];
    let [before, here, there] = texts;
    if here == there || before == there {
        return MergedDocument::clean(here);
    }
    if before == here {
        return MergedDocument::clean(there);
    }
    let trees = Merger::new(base, ours, theirs).run();
    let allowed = repeated_keys(ours) + repeated_keys(theirs);
    let wanted = Wanted { trees: &trees, allowed };
    let pieces = wanted.written(texts);
    let conflicts = pieces.as_ref().map(|_| trees.conflicts.clone());
    // A result that cannot be written is one conflict.
    let pieces = pieces.unwrap_or_else(|| difference(here, there));
    MergedDocument { pieces, conflicts: conflicts.unwrap_or_else(|| vec![WHOLE.into()]) }
}

impl MergedDocument {
    pub(super) fn clean(text: &str) -> MergedDocument {
        let pieces = vec![Piece::Merged(text.to_owned())];
        MergedDocument { pieces, conflicts: Vec::new() }
    }

    /// Returns the conflict of a document that one side removed and the other changed.
    pub(super) fn conflict(ours: &str, theirs: &str) -> MergedDocument {
        let (ours, theirs) = (ours.to_owned(), theirs.to_owned());
        let pieces = vec![Piece::Conflict { ours, theirs }];
        MergedDocument { pieces, conflicts: vec![WHOLE.into()] }
    }
}

fn text(tree: &Tree) -> &str {
    tree.base().text()
}
