//! The merge of one document: its data, and the text that holds it, which is that of the merged
//! lines if these have the data, else what is printed.

use super::merged::{Merged, MergedPiece, difference, difference_by, merge_cleanly};
use super::versions::{is_equal, repeated_keys_of};
use super::walk::{MergedTrees, merge_trees};
use crate::node::Tree;
use crate::scalar::Dialect;
use crate::source::Source;
use crate::yaml;

/// Merges texts of one document each.
pub(super) fn merge_document(base: Option<&Tree>, ours: &Tree, theirs: &Tree) -> Merged {
    let before = base.map_or("", |base| base.base().text());
    let [here, there] = [ours, theirs].map(|tree| tree.base().text());
    let texts = [before, here, there];
    Merged::obvious(texts).unwrap_or_else(|| {
        let allowed = repeated_keys(ours) + repeated_keys(theirs);
        let merged = merge_trees(base, ours, theirs).written(texts, allowed);
        // A result that cannot be written is one conflict.
        merged.unwrap_or_else(|| Merged::conflict(difference(here, there)))
    })
}

/// The byte order mark.
const BOM: char = '\u{feff}';

/// Returns a text without the byte order mark before it, which may not stand behind a marker.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// Texts of the same length that stand at conflicts.
const MARKS: [&str; 2] = ["conflict-1", "conflict-2"];

impl MergedTrees {
    /// Returns the merged text of base, ours and theirs, in which `allowed` keys may occur
    /// twice in their mapping. `None` if no text has the merged data.
    fn written(&self, texts: [&str; 3], allowed: usize) -> Option<Merged> {
        // A byte order mark is no part of a line, which may move. That of ours stays: the
        // encoding of the result is that of ours, too.
        let mut merged = self.written_lines(texts.map(without_bom), allowed)?;
        let [_, ours, _] = texts;
        match merged.pieces.first_mut().filter(|_| ours.starts_with(BOM)) {
            Some(MergedPiece::Merged(text)) => text.insert(0, BOM),
            Some(MergedPiece::Conflict { ours, theirs }) => {
                [ours, theirs].into_iter().for_each(|text| text.insert(0, BOM));
            }
            None => {}
        }
        Some(merged)
    }

    fn written_lines(
        &self,
        [base, ours, theirs]: [&str; 3],
        allowed: usize,
    ) -> Option<Merged> {
        if self.theirs.is_none()
            && let Some(text) = merge_cleanly(base, ours, theirs)
        {
            let merged = Merged::clean(&text);
            if self.are_in(&merged, allowed) {
                return Some(merged);
            }
        }
        let text = self.ours.to_string();
        let text = without_bom(&text);
        let printed = match &self.theirs {
            Some(other) => {
                let outlines = MARKS.map(|mark| self.outline(mark).to_string());
                let outlines = outlines.each_ref().map(|it| without_bom(it));
                let other = other.to_string();
                let pieces = difference_by(outlines, text, without_bom(&other));
                Merged::new(pieces, self.conflicts.clone())
            }
            None => Merged::clean(text),
        };
        // An alias that is written out may bring repeated keys along.
        self.are_in(&printed, usize::MAX).then_some(printed)
    }

    /// Returns true if a text has the merged data, with ours and with theirs at conflicts.
    fn are_in(&self, text: &Merged, allowed: usize) -> bool {
        let theirs = self.theirs.as_ref();
        reads_as(text.ours(), &self.ours, allowed)
            && theirs.is_none_or(|tree| reads_as(text.theirs(), tree, allowed))
    }
}

/// Returns true if a text has the data of a tree, and not more than so many repeated keys.
fn reads_as(text: String, wanted: &Tree, allowed: usize) -> bool {
    let read = read(text, wanted.dialect());
    read.is_some_and(|read| {
        read.roots().len() == 1
            && repeated_keys(&read) <= allowed
            && is_equal(wanted, &read)
    })
}

/// Returns the number of keys that an earlier entry of their mapping has.
fn repeated_keys(tree: &Tree) -> usize {
    let arena = tree.base();
    arena.indices().map(|i| repeated_keys_of(tree, arena.file(), i)).sum()
}

/// Reads a part of a merged text.
pub(super) fn read(text: impl Into<String>, dialect: Dialect) -> Option<Tree> {
    yaml::reread(Source::unnamed(text.into()), dialect).ok()
}
