//! The text of a merged stream.

use super::document::{read, without_bom};
use super::merged::{Conflict, Merged, Piece};
use super::versions::is_equal;
use crate::layout::{bare, is_comment_or_blank, is_marker, lines};
use crate::scalar::Dialect;

/// The documents of a merged stream so far.
#[derive(Default)]
pub(super) struct JoinedStream {
    pieces: Vec<Piece>,
    conflicts: Vec<Conflict>,
    /// Number of documents with ours at conflicts, and with theirs.
    counts: [usize; 2],
    /// The texts of the last document.
    last: [String; 2],
    /// True if a document means something else when another one follows.
    is_broken: bool,
}

impl JoinedStream {
    /// Adds a document, unless it was removed.
    pub(super) fn add(
        &mut self,
        document: Merged,
        dialect: Dialect,
        label: impl Fn() -> String,
    ) {
        let (ours, theirs) = (document.ours(), document.theirs());
        let conflict = |it| Conflict { document: Some(label()), ..it };
        self.conflicts.extend(document.conflicts.into_iter().map(conflict));
        if ours.is_empty() && theirs.is_empty() {
            return;
        }
        for (count, text) in self.counts.iter_mut().zip([&ours, &theirs]) {
            *count += usize::from(!text.is_empty());
        }
        self.is_broken |= self.last.iter().any(|text| !may_be_followed(text, dialect));
        self.last = [ours.clone(), theirs.clone()];
        // Directives stand behind the end of a document only.
        let end = if has_directives(&ours) || has_directives(&theirs) {
            end_document
        } else {
            end_line
        };
        if let Some(last) = self.pieces.last_mut() {
            let (Piece::Merged(text) | Piece::Conflict { ours: text, .. }) = last;
            end(text);
            if let Piece::Conflict { theirs, .. } = last {
                end(theirs);
            }
        }
        let is_next = !self.pieces.is_empty();
        let needs_marker = |text: &str| is_next && !text.is_empty() && !is_marked(text);
        match &document.pieces[..] {
            [Piece::Conflict { .. }] => {
                let [ours, theirs] = [ours, theirs].map(|text| {
                    if needs_marker(&text) {
                        format!("{MARKER}{}", without_bom(&text))
                    } else {
                        text
                    }
                });
                self.pieces.push(Piece::Conflict { ours, theirs });
            }
            _ => {
                let mut pieces = document.pieces;
                if needs_marker(&ours) || needs_marker(&theirs) {
                    self.pieces.push(Piece::Merged(MARKER.to_owned()));
                    if let Some(Piece::Merged(text)) = pieces.first_mut() {
                        *text = without_bom(text).to_owned();
                    }
                }
                self.pieces.extend(pieces);
            }
        }
    }

    /// Returns the stream, if its text has the documents that were added.
    pub(super) fn finish(self, dialect: Dialect) -> Option<Merged> {
        let JoinedStream { pieces, conflicts, counts, is_broken, .. } = self;
        let merged = Merged { pieces, conflicts };
        let is_whole = |(text, count): (String, usize)| {
            let read = read(text, dialect);
            read.is_some_and(|tree| tree.roots().len() == count.max(1))
        };
        let texts = [merged.ours(), merged.theirs()];
        let is_right = !is_broken && texts.into_iter().zip(counts).all(is_whole);
        is_right.then_some(merged)
    }
}

/// The line between two documents.
const MARKER: &str = "---\n";

/// Returns true if a text begins with the marker of a document, behind directives at most.
fn is_marked(text: &str) -> bool {
    let first = written_lines(text).find(|line| !line.starts_with('%'));
    first.is_some_and(|line| is_marker(line, "---"))
}

/// Returns true if a text begins with a directive.
fn has_directives(text: &str) -> bool {
    written_lines(text).next().is_some_and(|line| line.starts_with('%'))
}

/// Returns the lines of a text that are neither blank nor comments, without a byte order mark.
fn written_lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let lines = lines(text.trim_start_matches('\u{feff}')).into_iter().map(bare);
    lines.filter(|line| !is_comment_or_blank(line))
}

/// Returns true if the line break that ends the last line is no part of a value. It is one of
/// a block scalar at the end of a file without a line break.
pub(super) fn may_be_followed(text: &str, dialect: Dialect) -> bool {
    if text.is_empty() || text.ends_with(['\n', '\r']) {
        return true;
    }
    let both = read(text, dialect).zip(read(format!("{text}\n"), dialect));
    both.is_some_and(|(alone, followed)| is_equal(&alone, &followed))
}

fn end_document(text: &mut String) {
    end_line(text);
    if written_lines(text).next_back().is_some_and(|line| !is_marker(line, "...")) {
        text.push_str("...\n");
    }
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with(['\n', '\r']) {
        text.push('\n');
    }
}
