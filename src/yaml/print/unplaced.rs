//! Comments that have no place: those of collections and entries that are printed in brackets on
//! one line. These come in, what is lost goes out once the text is printed.

use std::collections::BTreeSet;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::arena::{Arena, Index};
use crate::layout::{Layout, bare_lines, is_comment, written_comments};
use crate::node::EntryComments;
use crate::source::{FileId, Span};

/// The comments that a text is printed without.
#[derive(Debug, Default)]
pub(super) struct UnplacedNotes {
    /// The comments of each text, in order.
    written: HashMap<FileId, Vec<Range<usize>>>,
    /// The collections that were noted.
    met: HashSet<(FileId, Index)>,
    places: BTreeSet<(FileId, u32, u32)>,
    /// Number of those that an edit gave to an entry, which have no place in a text.
    given: usize,
}

impl UnplacedNotes {
    /// Notes a written collection whose entries are printed without what stands between them.
    /// The collections in it are noted on their own, if they are printed so.
    pub(super) fn note(&mut self, layout: Layout<'_>, i: Index) {
        let arena = layout.arena;
        let file = arena.file();
        if !self.met.insert((file, i)) {
            return;
        }
        let comments =
            self.written.entry(file).or_insert_with(|| written_comments(arena));
        let whole = extent(layout, i);
        let mut from = whole.start;
        for child in inner_collections(arena, i) {
            let inner = extent(layout, child);
            add_places(&mut self.places, file, within(comments, from..inner.start));
            from = from.max(inner.end);
        }
        add_places(&mut self.places, file, within(comments, from..whole.end));
    }

    /// Notes the comments that an edit gave to an entry.
    pub(super) fn note_given(&mut self, comments: &EntryComments) {
        let EntryComments { trailing, leading, dangling, .. } = comments;
        let texts = [trailing, leading, dangling].into_iter().flatten();
        let lines = texts.flat_map(|text| bare_lines(text));
        self.given += lines.filter(|line| is_comment(line)).count();
    }

    /// Returns what was noted.
    pub(super) fn all(self) -> UnplacedComments {
        let places = self.places.into_iter();
        let places = places.map(|(file, start, end)| Span { file, start, end });
        UnplacedComments { places: places.collect(), others: self.given }
    }
}

/// The comments that a printed text has no place for.
#[derive(Clone, Debug, Default)]
pub struct UnplacedComments {
    /// The places of those that stand in a text, in order.
    pub places: Vec<Span>,
    /// Number of the others, which came along with an entry.
    pub others: usize,
}

fn add_places(
    places: &mut BTreeSet<(FileId, u32, u32)>,
    file: FileId,
    comments: &[Range<usize>],
) {
    places.extend(comments.iter().map(|it| (file, it.start as u32, it.end as u32)));
}

/// Returns those of some comments in order that begin in a range.
fn within(comments: &[Range<usize>], range: Range<usize>) -> &[Range<usize>] {
    let start = comments.partition_point(|comment| comment.start < range.start);
    let end = comments.partition_point(|comment| comment.start < range.end);
    comments.get(start..end).unwrap_or_default()
}

/// Returns the collections that are keys, values or items of one.
fn inner_collections(arena: &Arena, i: Index) -> impl Iterator<Item = Index> + '_ {
    arena.children(i).filter(|&child| arena.style(child).is_collection())
}

/// Returns the text of a collection with the comments that belong to it.
fn extent(layout: Layout<'_>, i: Index) -> Range<usize> {
    let Some(first) = layout.entries(i).next() else {
        return layout.start(i)..layout.end(i);
    };
    if !layout.style(i).is_block_collection() {
        return layout.start(i)..layout.end(i);
    }
    let start = layout.first_comment(i).unwrap_or_else(|| layout.lead(&first));
    start..layout.collection_stop(i)
}
