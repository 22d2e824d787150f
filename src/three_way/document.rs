//! The merge of one document: its data, and the text that holds it, which is that of the merged
//! lines if these have the data, else what is printed.

use hashbrown::HashSet;

use super::line_merge::{difference, difference_by, merge_cleanly};
use super::merged::Piece;
use super::walk::{MergedTrees, Merger};
use crate::compare::Values;
use crate::node::{Kind, NodeId, Tree};
use crate::source::Source;
use crate::yaml;

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

/// The byte order mark.
const BOM: char = '\u{feff}';

/// Returns a text without the byte order mark before it, which may not stand behind a marker.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// The data that a merged text has to mean.
pub(super) struct Wanted<'t> {
    pub trees: &'t MergedTrees,
    /// Number of keys that may occur twice in their mapping.
    pub allowed: usize,
}

/// Texts of the same length that stand at conflicts.
const MARKS: [&str; 2] = ["conflict-1", "conflict-2"];

impl Wanted<'_> {
    /// Returns the merged text of base, ours and theirs.
    pub(super) fn written(&self, texts: [&str; 3]) -> Option<Vec<Piece>> {
        // A byte order mark is no part of a line, which may move. That of ours stays: the
        // encoding of the result is that of ours, too.
        let mut pieces = self.written_lines(texts.map(without_bom))?;
        let [_, ours, _] = texts;
        match pieces.first_mut().filter(|_| ours.starts_with(BOM)) {
            Some(Piece::Merged(text)) => text.insert(0, BOM),
            Some(Piece::Conflict { ours, theirs }) => {
                [ours, theirs].into_iter().for_each(|text| text.insert(0, BOM));
            }
            None => {}
        }
        Some(pieces)
    }

    fn written_lines(&self, [base, ours, theirs]: [&str; 3]) -> Option<Vec<Piece>> {
        let MergedTrees { ours: merged, theirs: other, .. } = self.trees;
        if other.is_none()
            && let Some(text) = merge_cleanly(base, ours, theirs)
        {
            let pieces = vec![Piece::Merged(text)];
            if self.is_met(&pieces, self.allowed) {
                return Some(pieces);
            }
        }
        let print = |tree: &Tree| without_bom(&tree.to_string()).to_owned();
        let text = print(merged);
        let printed = match other {
            Some(other) => {
                let outlines = MARKS.map(|mark| print(&self.trees.outline(mark)));
                difference_by(outlines.each_ref().map(|it| &it[..]), &text, &print(other))
            }
            None => vec![Piece::Merged(text)],
        };
        // An alias that is written out may bring repeated keys along.
        self.is_met(&printed, usize::MAX).then_some(printed)
    }

    /// Returns true if a text has the merged data, with ours and with theirs at conflicts.
    fn is_met(&self, pieces: &[Piece], allowed: usize) -> bool {
        let MergedTrees { ours, theirs, .. } = self.trees;
        let text = |side: fn(&Piece) -> &str| printed_text(pieces, side);
        reads_as(text(Piece::ours), ours, allowed)
            && theirs
                .as_ref()
                .is_none_or(|tree| reads_as(text(Piece::theirs), tree, allowed))
    }
}

/// Returns true if a text has the data of a tree, and not more than so many repeated keys.
fn reads_as(text: String, wanted: &Tree, allowed: usize) -> bool {
    let read = yaml::reread(Source::unnamed(text), wanted.dialect());
    let Ok(read) = read else { return false };
    let mut values = Values::new([wanted, &read]).with_tags(true);
    read.roots().len() == 1
        && repeated_keys(&read) <= allowed
        && values.equal(wanted.root(), read.root())
}

fn printed_text(pieces: &[Piece], side: fn(&Piece) -> &str) -> String {
    pieces.iter().map(side).collect()
}

/// Returns the number of keys that an earlier entry of their mapping has.
pub(super) fn repeated_keys(tree: &Tree) -> usize {
    let arena = tree.base();
    let file = arena.file();
    let mut repeated = 0;
    for i in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        let mut known = HashSet::new();
        for (key, _) in arena.entries(i) {
            let key = NodeId::Clean(file, key);
            let is_new = tree.kind(key) != Kind::Scalar
                || known.insert(tree.scalar(key).identity().digest());
            repeated += usize::from(!is_new);
        }
    }
    repeated
}
