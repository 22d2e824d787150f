//! The merge of streams: which documents belong together.

use std::collections::BTreeMap;

use super::arrange::{by_key, by_value};
use super::conflict::Conflict;
use super::difference::difference;
use super::document::{MergedDocument, WHOLE, merge_document};
use super::joined_stream::{JoinedStream, may_be_followed};
use super::line_merge::merge_cleanly;
use super::merged::Merged;

use super::row::Row;
use crate::diff::Classes;
use crate::node::{Kind, NodeId, Tree};
use crate::select::DocumentName;
use crate::source::Source;
use crate::yaml;

/// Merges three versions of a stream, read from their texts and not edited.
///
/// Documents belong together by kind, name and namespace if all have these, else by their
/// values and places.
pub fn merge(base: &Tree, ours: &Tree, theirs: &Tree) -> Merged {
    let [before, here, there] = [base, ours, theirs].map(|tree| tree.base().text());
    if here == there || before == there {
        return Merged::clean(here);
    }
    if before == here {
        return Merged::clean(there);
    }
    let merged = Streams::new([base, ours, theirs]).and_then(|streams| streams.merge());
    merged.unwrap_or_else(|| {
        let conflict = Conflict { document: None, path: WHOLE.into() };
        Merged { pieces: difference(here, there), conflicts: vec![conflict] }
    })
}

/// Three versions of a stream.
struct Streams<'a> {
    trees: [&'a Tree; 3],
    /// The documents of each, as texts of their own.
    documents: [Vec<Tree>; 3],
    /// The names of all documents, if they belong together by these.
    names: Option<[Vec<DocumentName>; 3]>,
}

impl<'a> Streams<'a> {
    /// Splits streams into their documents.
    fn new(trees: [&'a Tree; 3]) -> Option<Streams<'a>> {
        let [base, ours, theirs] = trees.map(documents);
        let documents = [base?, ours?, theirs?];
        let [base, ours, theirs] = [0, 1, 2].map(|side| match documents[side].len() {
            0 => Some(Vec::new()),
            _ => DocumentName::all(trees[side]),
        });
        let names = match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) => Some([base, ours, theirs]),
            _ => None,
        };
        Some(Streams { trees, documents, names })
    }

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
        let mut joined = JoinedStream::default();
        for row in self.rows()? {
            let label = || self.label(row);
            joined.add(self.merge_row(row)?, dialect, label);
        }
        joined.finish(dialect)
    }

    /// Merges streams of one document at most.
    fn merge_single(&self) -> Option<Merged> {
        let [base, ours, theirs] = [0, 1, 2].map(|side| self.documents[side].first());
        let [before, here, there] = self.trees.map(|tree| tree.base().text());
        let document = match (ours, theirs) {
            (Some(ours), Some(theirs)) => merge_document(base, ours, theirs),
            (None, None) => {
                // Comments are no data: those of ours stay.
                let text = merge_cleanly(before, here, there);
                MergedDocument::clean(text.as_deref().unwrap_or(here))
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
                    let read = read(text, one);
                    base.is_none() && read.is_some_and(|tree| is_equal(&tree, one))
                });
                let left = if is_removed { other } else { added };
                MergedDocument::clean(text.as_deref().unwrap_or(left))
            }
        };
        let conflict = |path| Conflict { document: None, path };
        let conflicts = document.conflicts.into_iter().map(conflict).collect();
        Some(Merged { pieces: document.pieces, conflicts })
    }

    /// Returns the documents that belong together.
    fn rows(&self) -> Option<Vec<Row>> {
        if let Some(names) = &self.names {
            let mut numbers = BTreeMap::new();
            let keys = names.each_ref().map(|names| {
                let mut number = |name| {
                    let next = numbers.len() as u32;
                    *numbers.entry(name).or_insert(next)
                };
                names.iter().map(&mut number).collect::<Vec<u32>>()
            });
            return by_key(keys.each_ref().map(|keys| &keys[..]), true);
        }
        let mut tree = self.trees[1].clone();
        for arena in self.trees.iter().flat_map(|tree| tree.arenas()) {
            tree.add_arena(arena);
        }
        let mut classes = classes(&tree, &tree);
        let roots = [0, 1, 2].map(|side| match self.documents[side].len() {
            0 => &[],
            _ => self.trees[side].roots(),
        });
        let values = roots.map(|roots: &[NodeId]| {
            roots.iter().map(|&root| classes.of_old(root)).collect::<Vec<u32>>()
        });
        let is_mapping = |side: usize, at: Option<usize>| {
            at.is_none_or(|at| tree.kind(roots[side][at]) == Kind::Mapping)
        };
        let pairs = |row: Row| {
            is_mapping(0, row.base)
                && is_mapping(1, row.ours)
                && is_mapping(2, row.theirs)
        };
        let [base, ours, theirs] = values.each_ref().map(|values| &values[..]);
        by_value([base, ours, theirs], pairs).or_else(|| by_place([base, ours, theirs]))
    }

    fn merge_row(&self, row: Row) -> Option<MergedDocument> {
        let document = |side: usize, at: Option<usize>| self.documents[side].get(at?);
        let base = document(0, row.base);
        let text = |tree: &Tree| tree.base().text().to_owned();
        Some(match (document(1, row.ours), document(2, row.theirs)) {
            (Some(ours), Some(theirs)) => merge_document(base, ours, theirs),
            (None, None) => return None,
            (Some(one), None) | (None, Some(one)) => match base {
                None => MergedDocument::clean(&text(one)),
                Some(base) if is_equal(base, one) => MergedDocument::clean(""),
                Some(_) if row.ours.is_some() => MergedDocument::conflict(&text(one), ""),
                Some(_) => MergedDocument::conflict("", &text(one)),
            },
        })
    }

    /// Returns the name of a document, for its conflicts.
    fn label(&self, row: Row) -> String {
        let (side, at) = match (row.ours, row.theirs) {
            (Some(at), _) => (1, at),
            (None, at) => (2, at.unwrap_or(0)),
        };
        let selector = self.names.as_ref().and_then(|names| {
            let names = &names[side];
            names[at].selector(names)
        });
        selector.unwrap_or_else(|| format!("document={}", at + 1))
    }
}

/// Arranges documents by their places. One side may have more than the base has.
fn by_place([base, ours, theirs]: [&[u32]; 3]) -> Option<Vec<Row>> {
    let count = base.len();
    let (more, others) = (ours.get(count..)?, theirs.get(count..)?);
    let clash = !more.is_empty() && !others.is_empty() && more != others;
    let row = |at: usize| Row {
        base: (at < count).then_some(at),
        ours: (at < ours.len()).then_some(at),
        theirs: (at < theirs.len()).then_some(at),
    };
    let rows = 0..ours.len().max(theirs.len());
    (!clash).then(|| rows.map(row).collect())
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
        let document = read(&text[section.start as usize..end], tree)?;
        documents.push(document);
    }
    let is_split = documents.iter().all(|document| document.roots().len() == 1);
    is_split.then_some(documents)
}

/// Reads a part of a text in its dialect.
fn read(text: &str, like: &Tree) -> Option<Tree> {
    yaml::reread(Source::unnamed(text.to_owned()), like.dialect()).ok()
}

fn is_equal(a: &Tree, b: &Tree) -> bool {
    classes(a, b).equal(a.root(), b.root())
}

fn classes<'a>(a: &'a Tree, b: &'a Tree) -> Classes<'a> {
    let arenas = a.arenas().chain(b.arenas());
    let size: usize = arenas.map(|arena| arena.nodes().len()).sum();
    // As in `diff`.
    Classes::new([a, b], 64 * size + 100_000).with_tags()
}
