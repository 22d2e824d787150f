//! Which lines of a saved document, of its expansion and of the edited text hold the same
//! entry. The expansion has the values of the edited text, so that paths lead from one to
//! the other.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::lines::Lines;
use crate::arena::{Arena, Index, NONE, Style};
use crate::scalar::Identity;

/// A written text with its lines.
pub(super) struct LinedText<'a> {
    pub arena: &'a Arena,
    pub lines: Lines<'a>,
}

impl<'a> LinedText<'a> {
    pub(super) fn new(arena: &'a Arena) -> LinedText<'a> {
        LinedText { arena, lines: Lines::new(arena) }
    }

    /// Returns the comment on a line, without the blanks around it.
    pub(super) fn comment(&self, line: usize) -> &'a str {
        let whole = !self.lines.has_content(line);
        let text = if whole { self.lines.line(line) } else { self.lines.beside(line) };
        text.trim()
    }

    /// Returns true if lines of two texts differ in blanks only.
    pub(super) fn is_equal_but_blanks(
        &self,
        lines: &Range<usize>,
        other: &LinedText<'_>,
        others: &Range<usize>,
    ) -> bool {
        let words = |text: &LinedText<'_>, lines: &Range<usize>| -> String {
            let lines = lines.clone().map(|line| text.lines.line(line));
            lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
        };
        words(self, lines) == words(other, others)
    }
}

/// The numbers of the lines that hold the same entry. The number behind the last line
/// stands for the end of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchedLine {
    /// The line in the saved document; `None` if the entry is not written there.
    pub saved: Option<usize>,
    pub expanded: usize,
    pub edited: usize,
}

/// The nodes of the same value. The first one is `None` where the value is inherited.
pub(super) type MatchedNodes = (Option<Index>, Index, Index);

/// A walk over the same document in three texts.
pub(super) struct Matching<'a> {
    pub saved: &'a LinedText<'a>,
    pub expanded: &'a LinedText<'a>,
    pub edited: &'a LinedText<'a>,
    /// The number of items that mappings of the saved document expand to in a list, where
    /// it is not one.
    pub widths: &'a HashMap<Index, usize>,
}

/// An entry, by its key and its value, or an item, twice by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchedEntry {
    /// The entry in the saved document; `None` if it is inherited.
    pub saved: Option<(Index, Index)>,
    pub edited: (Index, Index),
}

/// What a walk has found.
#[derive(Default)]
pub(super) struct Matches {
    pub lines: Vec<MatchedLine>,
    pub entries: Vec<MatchedEntry>,
    /// The mappings, the outer ones first.
    pub mappings: Vec<MatchedNodes>,
    /// The lines of the expansion that are matched.
    met: HashSet<usize>,
}

impl<'a> Matching<'a> {
    /// Walks over the documents of the streams that all three have.
    pub(super) fn find(&self) -> Matches {
        let mut matches = Matches::default();
        let texts = [self.saved, self.expanded, self.edited];
        let [saved, expanded, edited] = texts.map(|text| text.arena.sections());
        let all = saved.iter().zip(expanded).zip(edited);
        let mut todo: Vec<MatchedNodes> = all
            .map(|((saved, expanded), edited)| {
                (Some(saved.root), expanded.root, edited.root)
            })
            .collect();
        todo.reverse();
        for ((saved, expanded), edited) in saved.iter().zip(expanded).zip(edited) {
            let markers = [saved, expanded, edited].map(|section| section.marker);
            if !markers.contains(&NONE) {
                let [saved, expanded, edited] =
                    [0, 1, 2].map(|i| texts[i].lines.at(markers[i] as usize - 1));
                let saved = Some(saved);
                matches.lines.push(MatchedLine { saved, expanded, edited });
            }
        }
        if expanded.len() == edited.len() {
            let [saved, expanded, edited] = texts.map(|text| text.lines.count());
            let saved = Some(saved);
            matches.lines.push(MatchedLine { saved, expanded, edited });
        }
        while let Some(nodes) = todo.pop() {
            let first = todo.len();
            self.visit(nodes, &mut matches, &mut todo);
            todo[first..].reverse();
        }
        matches
    }

    /// Records the lines of the entries of a collection, and lists their values.
    fn visit(
        &self,
        (saved, expanded, edited): MatchedNodes,
        matches: &mut Matches,
        todo: &mut Vec<MatchedNodes>,
    ) {
        let styles =
            [self.expanded.arena.style(expanded), self.edited.arena.style(edited)];
        let saved = saved.filter(|&saved| {
            let style = self.saved.arena.style(saved);
            style.is_mapping() == styles[0].is_mapping()
                && style.is_sequence() == styles[0].is_sequence()
                && (style == Style::Alias) == (styles[0] == Style::Alias)
        });
        let nodes = (saved, expanded, edited);
        self.note(nodes, value_start, matches);
        if styles.iter().all(|style| style.is_mapping()) {
            matches.mappings.push(nodes);
            self.visit_entries(nodes, matches, todo);
        } else if styles.iter().all(|style| style.is_sequence()) {
            self.visit_items(nodes, matches, todo);
        } else {
            return;
        }
        self.note(nodes, closing, matches);
    }

    fn visit_entries(
        &self,
        (saved, expanded, edited): MatchedNodes,
        matches: &mut Matches,
        todo: &mut Vec<MatchedNodes>,
    ) {
        let mut written = saved.map(|saved| by_key(self.saved.arena, saved));
        let mut given = by_key(self.edited.arena, edited);
        for (name, value) in self.expanded.arena.entries(expanded) {
            let Some(key) = key(self.expanded.arena, name) else { continue };
            let Some(there) = given.get_mut(&key).and_then(VecDeque::pop_front) else {
                continue;
            };
            let written = written.as_mut().and_then(|it| it.get_mut(&key));
            let here = written.and_then(VecDeque::pop_front);
            let names = (here.map(|it| it.0), name, there.0);
            self.note(names, entry_start, matches);
            matches.entries.push(MatchedEntry { saved: here, edited: there });
            todo.push((here.map(|it| it.1), value, there.1));
        }
    }

    fn visit_items(
        &self,
        (saved, expanded, edited): MatchedNodes,
        matches: &mut Matches,
        todo: &mut Vec<MatchedNodes>,
    ) {
        let (arena, other) = (self.expanded.arena, self.edited.arena);
        let items: Vec<Index> = arena.children(expanded).collect();
        let mut written = vec![None; items.len()];
        let (mut at, mut all) = (0, Vec::new());
        for item in saved.into_iter().flat_map(|saved| self.saved.arena.children(saved)) {
            match self.widths.get(&item) {
                Some(width) => at += width,
                None => {
                    all.push((at, item));
                    at += 1;
                }
            }
        }
        if at == items.len() {
            all.into_iter().for_each(|(at, item)| written[at] = Some(item));
        }
        let both = items.into_iter().zip(other.children(edited));
        for ((expanded, edited), saved) in both.zip(written) {
            let nodes = (saved, expanded, edited);
            self.note(nodes, entry_start, matches);
            let item = |i: Index| (i, i);
            let entry = MatchedEntry { saved: saved.map(item), edited: item(edited) };
            matches.entries.push(entry);
            todo.push(nodes);
        }
    }

    /// Records the lines that begin at the offsets `start` returns of some nodes.
    fn note(
        &self,
        (saved, expanded, edited): MatchedNodes,
        start: fn(&LinedText<'_>, Index) -> Option<u32>,
        matches: &mut Matches,
    ) {
        let line = |text: &LinedText<'_>, i: Index| {
            text.lines.begun_by(start(text, i)? as usize)
        };
        let both = line(self.expanded, expanded).zip(line(self.edited, edited));
        let Some((expanded, edited)) = both else { return };
        if !matches.met.insert(expanded) {
            return;
        }
        let saved = saved.and_then(|saved| line(self.saved, saved));
        matches.lines.push(MatchedLine { saved, expanded, edited });
    }
}

/// Returns the offsets of the first byte of an entry and after the last.
pub(super) fn extent(arena: &Arena, (name, value): (Index, Index)) -> Range<usize> {
    let node = |i: Index| &arena.nodes()[i as usize];
    let indicator = node(name).indicator;
    let start = if indicator == NONE { arena.outer_start(name) } else { indicator };
    let end = node(name).end.max(node(value).end);
    let colon = node(value).indicator;
    let end = if colon == NONE { end } else { end.max(colon + 1) };
    start as usize..end as usize
}

/// Returns the offset of the first byte of an item or a key: its indicator, if it has one.
fn entry_start(text: &LinedText<'_>, i: Index) -> Option<u32> {
    let indicator = text.arena.nodes()[i as usize].indicator;
    Some(if indicator == NONE { text.arena.outer_start(i) } else { indicator })
}

/// Returns the offset of the first byte of a value; `None` for a block collection, which
/// begins with its first entry.
fn value_start(text: &LinedText<'_>, i: Index) -> Option<u32> {
    let style = text.arena.style(i);
    let block = matches!(style, Style::BlockMapping | Style::BlockSequence);
    (!block).then(|| text.arena.outer_start(i))
}

/// Returns the offset of the bracket that closes a collection.
fn closing(text: &LinedText<'_>, i: Index) -> Option<u32> {
    let flow = matches!(text.arena.style(i), Style::FlowMapping | Style::FlowSequence);
    flow.then(|| text.arena.nodes()[i as usize].end - 1)
}

type EntriesByKey<'a> = HashMap<Identity<'a>, VecDeque<(Index, Index)>>;

/// Returns the entries of a mapping by their keys, without collections as keys.
fn by_key(arena: &Arena, mapping: Index) -> EntriesByKey<'_> {
    let mut entries = EntriesByKey::new();
    for (name, value) in arena.entries(mapping) {
        if let Some(key) = key(arena, name) {
            entries.entry(key).or_default().push_back((name, value));
        }
    }
    entries
}

/// Returns the identity of a written key; `None` for a collection and for an alias.
pub(super) fn key(arena: &Arena, i: Index) -> Option<Identity<'_>> {
    let style = arena.style(i);
    let scalar = !(style.is_mapping() || style.is_sequence() || style == Style::Alias);
    scalar.then(|| arena.scalar(i).identity())
}
