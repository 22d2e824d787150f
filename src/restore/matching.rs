//! The lines of a saved document, of its expansion and of the edited text that hold the
//! same entry. The expansion has the values of the edited text, so that paths lead from one
//! to the other.

use hashbrown::HashMap;

use super::entries_by_key::{EntriesByKey, key};
use super::matched_nodes::MatchedNodes;
use super::matches::{MatchedEntry, MatchedLine, Matches};
use crate::arena::{Index, NONE, Style};
use crate::layout::LinedText;

/// A walk over the same document in three texts.
pub(super) struct Matching<'a> {
    pub saved: &'a LinedText<'a>,
    pub expanded: &'a LinedText<'a>,
    pub edited: &'a LinedText<'a>,
    /// The number of items that mappings of the saved document expand to in a list, where
    /// it is not one.
    pub item_counts: &'a HashMap<Index, usize>,
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
                let (saved, expanded, edited) =
                    (Some(saved.root), expanded.root, edited.root);
                MatchedNodes { saved, expanded, edited }
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
        MatchedNodes { saved, expanded, edited }: MatchedNodes,
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
        let nodes = MatchedNodes { saved, expanded, edited };
        self.note(nodes, |text, i| text.value_start(i), matches);
        if styles.iter().all(|style| style.is_mapping()) {
            matches.mappings.push(nodes);
            self.visit_entries(nodes, matches, todo);
        } else if styles.iter().all(|style| style.is_sequence()) {
            self.visit_items(nodes, matches, todo);
        } else {
            return;
        }
        self.note(nodes, |text, i| text.closing(i), matches);
    }

    fn visit_entries(
        &self,
        MatchedNodes { saved, expanded, edited }: MatchedNodes,
        matches: &mut Matches,
        todo: &mut Vec<MatchedNodes>,
    ) {
        let mut written = saved.map(|saved| EntriesByKey::new(self.saved.arena, saved));
        let mut given = EntriesByKey::new(self.edited.arena, edited);
        for (name, value) in self.expanded.arena.entries(expanded) {
            let Some(key) = key(self.expanded.arena, name) else { continue };
            let Some(there) = given.take(&key) else { continue };
            let here = written.as_mut().and_then(|it| it.take(&key));
            let node = |saved, expanded, edited| MatchedNodes { saved, expanded, edited };
            let names = node(here.map(|it| it.0), name, there.0);
            self.note(names, |text, i| Some(text.entry_start(i)), matches);
            matches.entries.push(MatchedEntry { saved: here, edited: there });
            todo.push(node(here.map(|it| it.1), value, there.1));
        }
    }

    fn visit_items(
        &self,
        MatchedNodes { saved, expanded, edited }: MatchedNodes,
        matches: &mut Matches,
        todo: &mut Vec<MatchedNodes>,
    ) {
        let (arena, other) = (self.expanded.arena, self.edited.arena);
        let items: Vec<Index> = arena.children(expanded).collect();
        let mut written = vec![None; items.len()];
        let (mut at, mut all) = (0, Vec::new());
        for item in saved.into_iter().flat_map(|saved| self.saved.arena.children(saved)) {
            match self.item_counts.get(&item) {
                Some(count) => at += count,
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
            let nodes = MatchedNodes { saved, expanded, edited };
            self.note(nodes, |text, i| Some(text.entry_start(i)), matches);
            let item = |i: Index| (i, i);
            let entry = MatchedEntry { saved: saved.map(item), edited: item(edited) };
            matches.entries.push(entry);
            todo.push(nodes);
        }
    }

    /// Records the lines that begin at the offsets `start` returns of some nodes.
    fn note(
        &self,
        MatchedNodes { saved, expanded, edited }: MatchedNodes,
        start: fn(&LinedText<'_>, Index) -> Option<u32>,
        matches: &mut Matches,
    ) {
        let line = |text: &LinedText<'_>, i: Index| {
            text.lines.begun_by(start(text, i)? as usize)
        };
        let both = line(self.expanded, expanded).zip(line(self.edited, edited));
        let Some((expanded, edited)) = both else { return };
        if !matches.is_new_line(expanded) {
            return;
        }
        let saved = saved.and_then(|saved| line(self.saved, saved));
        matches.lines.push(MatchedLine { saved, expanded, edited });
    }
}
