//! The merge of streams: which documents belong together, and the text of the result.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::arrange::{BASE, OURS, Row, THEIRS, by_key};
use super::document::{merge_document, read, without_bom};
use super::merged::{Conflict, Merged, MergedPiece, difference, end_line, merge_cleanly};
use super::versions::is_equal;
use crate::compare::{DocumentName, Features, Values, pair_certain};
use crate::layout::{bare, is_comment_or_blank, is_marker, lines};
use crate::node::{NodeId, Tree};
use crate::scalar::Dialect;

/// Merges three versions of a stream, read from their texts and not edited.
///
/// Documents belong together by kind, name and namespace; those without these by value, by
/// the entries and keys that they alone have, and by place between these.
pub fn merge(base: &Tree, ours: &Tree, theirs: &Tree) -> Merged {
    let texts = [base, ours, theirs].map(|tree| tree.base().text());
    Merged::obvious(texts).unwrap_or_else(|| {
        let trees = [base, ours, theirs];
        let merged = match trees.map(documents) {
            [Some(base), Some(ours), Some(theirs)] => {
                Streams { trees, documents: [base, ours, theirs] }.merge()
            }
            _ => None,
        };
        merged.unwrap_or_else(|| Merged::conflict(difference(texts[1], texts[2])))
    })
}

/// Three versions of a stream.
struct Streams<'a> {
    trees: [&'a Tree; 3],
    /// The documents of each, as texts of their own.
    documents: [Vec<Tree>; 3],
}

impl<'a> Streams<'a> {
    fn merge(&self) -> Option<Merged> {
        if self.documents.iter().all(|documents| documents.len() < 2) {
            return self.merge_single();
        }
        let dialect = self.trees[1].dialect();
        let last = self.documents.iter().filter_map(|documents| documents.last());
        let mut texts = last.map(|document| document.base().text());
        if !texts.all(|text| may_be_followed(text, dialect)) {
            return None;
        }
        let names = self.names();
        let features = self.features(&names);
        let selectors = names.each_ref().map(|names| DocumentName::selectors(names));
        let mut joined = JoinedStream::default();
        for row in rows(&features)? {
            let merged = self.merge_row(row)?;
            joined.add(merged, dialect, || label(&features, &selectors, row));
        }
        joined.finish(dialect)
    }

    /// Merges streams of one document at most.
    fn merge_single(&self) -> Option<Merged> {
        let [base, ours, theirs] = [0, 1, 2].map(|side| self.documents[side].first());
        let [before, here, there] = self.trees.map(|tree| tree.base().text());
        Some(match (ours, theirs) {
            (Some(ours), Some(theirs)) => merge_document(base, ours, theirs),
            (None, None) => {
                // Comments are no data: those of ours stay.
                let text = merge_cleanly(before, here, there);
                Merged::clean(text.as_deref().unwrap_or(here))
            }
            (Some(one), None) | (None, Some(one)) => {
                let is_removed = base.is_some_and(|base| is_equal(base, one));
                let (added, other) =
                    if ours.is_some() { (here, there) } else { (there, here) };
                if base.is_some() && !is_removed {
                    return None;
                }
                // The other side may have changed comments.
                let text = merge_cleanly(before, here, there).filter(|text| {
                    let read = read(&**text, one.dialect());
                    base.is_none() && read.is_some_and(|tree| is_equal(&tree, one))
                });
                let left = if is_removed { other } else { added };
                Merged::clean(text.as_deref().unwrap_or(left))
            }
        })
    }

    /// Returns the roots of the documents of a version.
    fn roots(&self, side: usize) -> &'a [NodeId] {
        match self.documents[side].len() {
            0 => &[],
            _ => self.trees[side].roots(),
        }
    }

    fn names(&self) -> [Vec<DocumentName>; 3] {
        [0, 1, 2].map(|side| {
            let roots = self.roots(side).iter();
            roots.map(|&root| DocumentName::of(self.trees[side], root)).collect()
        })
    }

    fn features(&self, names: &[Vec<DocumentName>; 3]) -> [Features; 3] {
        let mut tree = self.trees[1].clone();
        for arena in self.trees.iter().flat_map(|tree| tree.arenas()) {
            tree.add_arena(arena);
        }
        let mut values = Values::within(&tree).with_tags(true);
        let mut numbers = BTreeMap::new();
        [0, 1, 2].map(|side| {
            let names = numbered(&names[side], &mut numbers);
            Features::of(&mut values, self.roots(side), names)
        })
    }

    fn merge_row(&self, row: Row) -> Option<Merged> {
        let documents = [0, 1, 2].map(|side| self.documents[side].get(row[side]?));
        let [base, ours, theirs] = documents;
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            return Some(merge_document(base, ours, theirs));
        }
        let one = ours.or(theirs)?;
        let text = one.base().text();
        Some(match base {
            None => Merged::clean(text),
            Some(base) if is_equal(base, one) => Merged::clean(""),
            // One side removed the document, and the other one changed it.
            Some(_) => {
                let [ours, theirs] =
                    [ours, theirs].map(|it| it.map_or("", |_| text).to_owned());
                Merged::conflict(vec![MergedPiece::Conflict { ours, theirs }])
            }
        })
    }
}

/// Returns the documents that belong together. `None` if both sides changed their order, or
/// added different ones without names at one place.
fn rows(features: &[Features; 3]) -> Option<Vec<Row>> {
    let numbers = numbers(features);
    let rows = by_key(numbers.each_ref().map(|numbers| &numbers[..]), true)?;
    let mut between = rows.split(|row| row[OURS].is_some() && row[THEIRS].is_some());
    let clashes = between.any(|rows| {
        [OURS, THEIRS].into_iter().all(|side| {
            let mut added = rows.iter().filter(|row| row[BASE].is_none());
            added
                .any(|row| row[side].is_some_and(|at| features[side].names[at].is_none()))
        })
    });
    (!clashes).then_some(rows)
}

/// Numbers the documents of three versions. Those that belong together have the same number.
fn numbers([base, ours, theirs]: &[Features; 3]) -> [Vec<u32>; 3] {
    let first = base.len() as u32;
    let mut added = HashMap::new();
    let [ours, theirs] = [ours, theirs].map(|side| {
        let mut counts = HashMap::<_, usize>::new();
        let mut number = |(at, old): (usize, Option<usize>)| match old {
            Some(old) => old as u32,
            None => {
                let known_by = known_by(side, at);
                let count = counts.entry(known_by).or_default();
                *count += 1;
                let next = first + added.len() as u32;
                *added.entry((known_by, *count)).or_insert(next)
            }
        };
        let old = pair_certain(base, side).into_old_of();
        old.into_iter().enumerate().map(&mut number).collect()
    });
    [(0..first).collect(), ours, theirs]
}

/// Returns the name of a document, for its conflicts.
fn label(
    features: &[Features; 3],
    selectors: &[Vec<Option<String>>; 3],
    row: Row,
) -> String {
    let side = if row[OURS].is_some() { OURS } else { THEIRS };
    let at = row[side].unwrap_or(0);
    let is_named = [OURS, THEIRS]
        .into_iter()
        .all(|side| row[side].is_none_or(|at| features[side].names[at].is_some()));
    let selector = selectors[side][at].clone().filter(|_| is_named);
    selector.unwrap_or_else(|| format!("document={}", at + 1))
}

/// Returns the documents of a stream, as texts of their own. A text with comments at most has
/// none.
fn documents(tree: &Tree) -> Option<Vec<Tree>> {
    if tree.roots().len() == 1 {
        let is_absent = tree.is_absent(tree.root());
        return Some(if is_absent { Vec::new() } else { vec![tree.clone()] });
    }
    let text = tree.base().text();
    let sections = tree.base().sections();
    let starts = sections.iter().map(|section| section.start as usize);
    let ends = starts.clone().skip(1).chain([text.len()]);
    let documents =
        starts.zip(ends).map(|(start, end)| read(&text[start..end], tree.dialect()));
    let documents: Vec<Tree> = documents.collect::<Option<_>>()?;
    let is_split = documents.iter().all(|document| document.roots().len() == 1);
    is_split.then_some(documents)
}

/// Numbers the names of documents that no other one of the stream has.
fn numbered<'a>(
    names: &'a [DocumentName],
    numbers: &mut BTreeMap<&'a DocumentName, u32>,
) -> Vec<Option<u32>> {
    let mut counts = BTreeMap::<_, usize>::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut number = |name: &'a DocumentName| {
        let next = numbers.len() as u32;
        let is_own = name.is_complete() && counts[name] == 1;
        is_own.then(|| *numbers.entry(name).or_insert(next))
    };
    names.iter().map(&mut number).collect()
}

/// Returns what a new document is known by: its name or its value.
fn known_by(side: &Features, at: usize) -> (Option<u32>, u32) {
    match side.names[at] {
        Some(name) => (Some(name), 0),
        None => (None, side.values[at]),
    }
}

/// The documents of a merged stream so far.
#[derive(Default)]
pub(super) struct JoinedStream {
    pieces: Vec<MergedPiece>,
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
        let texts = [document.ours(), document.theirs()];
        let conflicts = document.conflicts.into_iter();
        let conflicts = conflicts.map(|it| Conflict { document: Some(label()), ..it });
        self.conflicts.extend(conflicts);
        if texts.iter().all(String::is_empty) {
            return;
        }
        for (count, text) in self.counts.iter_mut().zip(&texts) {
            *count += usize::from(!text.is_empty());
        }
        self.is_broken |= self.last.iter().any(|text| !may_be_followed(text, dialect));
        // Directives stand behind the end of a document only.
        let needs_end = texts.iter().any(|next| has_directives(next))
            || texts
                .iter()
                .any(|next| self.last.iter().any(|text| takes(text, next, dialect)));
        self.last = texts.clone();
        let needs_marker = texts
            .each_ref()
            .map(|text| !self.pieces.is_empty() && !text.is_empty() && !is_marked(text));
        match self.pieces.last_mut() {
            Some(MergedPiece::Merged(text)) => end_document(text, needs_end),
            Some(MergedPiece::Conflict { ours, theirs }) => {
                [ours, theirs].into_iter().for_each(|text| end_document(text, needs_end));
            }
            None => {}
        }
        match &document.pieces[..] {
            [MergedPiece::Conflict { .. }] => {
                let mut texts = texts;
                for (text, needs_marker) in texts.iter_mut().zip(needs_marker) {
                    if needs_marker {
                        *text = format!("{MARKER}{}", without_bom(text));
                    }
                }
                let [ours, theirs] = texts;
                self.pieces.push(MergedPiece::Conflict { ours, theirs });
            }
            _ => {
                let mut pieces = document.pieces;
                if needs_marker.contains(&true) {
                    self.pieces.push(MergedPiece::Merged(MARKER.to_owned()));
                    if let Some(MergedPiece::Merged(text)) = pieces.first_mut() {
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

/// Returns true if the comments and blank lines at the top of the next document would be part
/// of a value of this one. A block scalar that is not indented takes them.
fn takes(text: &str, next: &str, dialect: Dialect) -> bool {
    let written = lines(without_bom(next)).into_iter();
    let lead: String =
        written.take_while(|line| is_comment_or_blank(bare(line))).collect();
    if lead.is_empty() {
        return false;
    }
    let mut followed = text.to_owned();
    end_line(&mut followed, "\n");
    followed.push_str(&lead);
    let both = read(text, dialect).zip(read(followed, dialect));
    both.is_none_or(|(alone, followed)| !is_equal(&alone, &followed))
}

/// Ends a document, with a marker if the next one needs it.
fn end_document(text: &mut String, needs_marker: bool) {
    end_line(text, "\n");
    let last = written_lines(text).next_back().filter(|_| needs_marker);
    if last.is_some_and(|line| !is_marker(line, "...")) {
        text.push_str("...\n");
    }
}
