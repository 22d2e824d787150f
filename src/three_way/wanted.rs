//! The text of a merged document: the merged lines if they have its data, else what is printed.

use hashbrown::HashSet;

use super::difference::difference_by;
use super::line_merge::merge_cleanly;
use super::merged_trees::MergedTrees;
use super::piece::Piece;
use crate::compare::Values;
use crate::node::{Kind, NodeId, Tree};
use crate::source::Source;
use crate::yaml;

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
