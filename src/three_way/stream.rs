//! The merge of streams: which documents belong together, and the text of the result.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::arrange::{BASE, OURS, Row, THEIRS, by_key};
use super::document::{merge_document, read, without_bom};
use super::merged::{Conflict, Merged, Piece, difference, merge_cleanly};
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
            let label = || label(&features, &selectors, row);
            joined.add(self.merge_row(row)?, dialect, label);
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
            let name = |&root: &NodeId| DocumentName::of(self.trees[side], root);
            self.roots(side).iter().map(name).collect()
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
        let document = |side: usize, at: Option<usize>| self.documents[side].get(at?);
        let base = document(0, row[BASE]);
        let text = |tree: &Tree| tree.base().text().to_owned();
        // One side removed the document, and the other one changed it.
        let conflict =
            |ours, theirs| Merged::conflict(vec![Piece::Conflict { ours, theirs }]);
        Some(match (document(1, row[OURS]), document(2, row[THEIRS])) {
            (Some(ours), Some(theirs)) => merge_document(base, ours, theirs),
            (None, None) => return None,
            (Some(one), None) | (None, Some(one)) => match base {
                None => Merged::clean(&text(one)),
                Some(base) if is_equal(base, one) => Merged::clean(""),
                Some(_) if row[OURS].is_some() => conflict(text(one), String::new()),
                Some(_) => conflict(String::new(), text(one)),
            },
        })
    }
}

/// Returns the documents that belong together. `None` if both sides changed their order, or
/// added different ones without names at one place.
fn rows(features: &[Features; 3]) -> Option<Vec<Row>> {
    let numbers = numbers(features);
    let rows = by_key(numbers.each_ref().map(|numbers| &numbers[..]), true)?;
    let is_new = |row: &Row, side: usize, at: Option<usize>| {
        row[BASE].is_none() && at.is_some_and(|at| features[side].names[at].is_none())
    };
    let clashes = |rows: &[Row]| {
        rows.iter().any(|row| is_new(row, 1, row[OURS]))
            && rows.iter().any(|row| is_new(row, 2, row[THEIRS]))
    };
    let is_common = |row: &Row| row[OURS].is_some() && row[THEIRS].is_some();
    (!rows.split(is_common).any(clashes)).then_some(rows)
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
    let (side, at) = match (row[OURS], row[THEIRS]) {
        (Some(at), _) => (1, at),
        (None, at) => (2, at.unwrap_or(0)),
    };
    let is_named = |side: usize, at: Option<usize>| {
        at.is_none_or(|at| features[side].names[at].is_some())
    };
    let is_named = is_named(1, row[OURS]) && is_named(2, row[THEIRS]);
    let selector = selectors[side][at].clone().filter(|_| is_named);
    selector.unwrap_or_else(|| format!("document={}", at + 1))
}

/// Returns the documents of a stream, as texts of their own. A text with comments at most has
/// none.
fn documents(tree: &Tree) -> Option<Vec<Tree>> {
    let (arena, text) = (tree.base(), tree.base().text());
    if tree.roots().len() == 1 {
        let is_absent = tree.is_absent(tree.root());
        return Some(if is_absent { Vec::new() } else { vec![tree.clone()] });
    }
    let (sections, mut documents) = (arena.sections(), Vec::new());
    for (at, section) in sections.iter().enumerate() {
        let end = sections.get(at + 1).map_or(text.len(), |next| next.start as usize);
        let document = read(&text[section.start as usize..end], tree.dialect())?;
        documents.push(document);
    }
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
        let takes = |next: &str| self.last.iter().any(|text| takes(text, next, dialect));
        // Directives stand behind the end of a document only.
        let end = if has_directives(&ours)
            || has_directives(&theirs)
            || takes(&ours)
            || takes(&theirs)
        {
            end_document
        } else {
            end_line
        };
        self.last = [ours.clone(), theirs.clone()];
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
    end_line(&mut followed);
    followed.push_str(&lead);
    let both = read(text, dialect).zip(read(followed, dialect));
    both.is_none_or(|(alone, followed)| !is_equal(&alone, &followed))
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
