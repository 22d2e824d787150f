//! The comments that an entry of another text brings with it: those above it, and the one
//! beside it.

use std::collections::HashMap;

use super::block::Block;
use super::layout::{Entry, Layout};
use super::{Place, Printer, Task};
use crate::arena::{Index, Style};
use crate::node::{Node, Slot};

/// How many more there are of the same comments.
pub(super) type Surplus<'a> = HashMap<Vec<&'a str>, i64>;

impl<'a> Printer<'a> {
    /// Writes the comments above an entry of a new collection, where its line is indented.
    pub(super) fn lead(&mut self, slot: &Slot, place: Place) {
        let Some((from, entry)) = self.brought(slot) else { return };
        for comment in from.lead_lines(&entry) {
            self.out.push(comment);
            self.out.newline();
            self.out.spaces(place.column);
        }
    }

    /// The same in a written collection, unless what stays there has them.
    pub(super) fn lead_among(&mut self, walk: &mut Block<'a>, slot: &Slot, place: Place) {
        let Some((from, entry)) = self.brought(slot) else { return };
        let comments = from.lead_lines(&entry);
        if comments.is_empty() {
            return;
        }
        let mut surplus = walk.surplus.take();
        let known = surplus.get_or_insert_with(|| self.surplus(walk, from, &entry));
        let left = known.get_mut(&comments);
        let brings = left.as_ref().is_none_or(|left| **left > 0);
        left.into_iter().for_each(|left| *left -= 1);
        walk.surplus = surplus;
        if brings {
            self.lead(slot, place);
        }
    }

    /// How many more of the same comments stand above the entries around `entry` than above
    /// those that stay.
    fn surplus(&self, walk: &Block<'a>, from: Layout<'a>, entry: &Entry) -> Surplus<'a> {
        let (layout, mut surplus) = (self.out.layout(), Surplus::new());
        let around = from.around(entry.first);
        let there = around.into_iter().flat_map(|of| from.entries(of));
        let there = there.map(|entry| from.lead_lines(&entry));
        for comments in there.chain(around.map(|of| from.tail_lines(of))) {
            *surplus.entry(comments).or_default() += 1;
        }
        let stays = walk.slots.iter().filter_map(|slot| slot.was);
        let stays = stays.map(|was| layout.lead_lines(&layout.entry(walk.of, was)));
        for comments in stays.chain([layout.tail_lines(walk.of)]) {
            *surplus.entry(comments).or_default() -= 1;
        }
        surplus
    }

    /// The comment beside an entry.
    pub(super) fn beside(&self, slot: &Slot) -> Option<&'a str> {
        let (from, Entry { value, end, .. }) = self.brought(slot)?;
        let end = match from.style(value) {
            Style::BlockMapping | Style::BlockSequence => {
                let after = from.after_indicator(value)?;
                from.after_props_beside(value, after)
            }
            Style::Literal | Style::Folded => from.after_header(value),
            _ => end,
        };
        let rest = from.slice(end, from.line_end(end));
        let comment = rest.trim_start_matches([' ', '\t']);
        let begins = comment.starts_with('#') && comment.len() < rest.len();
        begins.then(|| rest.trim_end())
    }

    /// Writes what stands after the `-` or `:` of a new entry, and a comment beside it.
    pub(super) fn commented(&mut self, node: Node, place: Place, comment: &'a str) {
        let content = self.content(node, place);
        self.tasks.push(Task::EndLine);
        if content.form.is_inline() {
            self.tasks.push(Task::Text(comment.into()));
            self.out.spaces(place.gap);
            return self.inline(content, place);
        }
        self.head(&content, place);
        self.out.push(comment);
        self.out.end_line();
        self.body(content, place, false);
    }

    /// The text that a slot brings its comments from, and the entry there.
    fn brought(&self, slot: &Slot) -> Option<(Layout<'a>, Entry)> {
        let Node::Clean(file, first) = slot.key.unwrap_or(slot.value) else {
            return None;
        };
        if self.document.comment_source() != Some(file) {
            return None;
        }
        let layout = Layout { arena: self.document.arena(file) };
        // A key without an indicator is told from a value by the one of its value.
        let value = if slot.key.is_some() { layout.arena.next(first) } else { first };
        layout.after_indicator(value)?;
        Some((layout, layout.of(first, value)))
    }
}

impl<'a> Layout<'a> {
    /// The comments above an entry.
    fn lead_lines(self, entry: &Entry) -> Vec<&'a str> {
        let lines = self.slice(self.lead(entry), self.line(entry.start));
        lines.lines().map(str::trim).collect()
    }

    /// The comments below the last entry of block collection `of`.
    fn tail_lines(self, of: Index) -> Vec<&'a str> {
        let at = self.stop(self.end(of), self.column(of));
        let lines = self.slice(at, self.text().len()).lines().map(str::trim);
        lines.take_while(|line| line.starts_with('#')).collect()
    }

    /// The collection that node `i` stands in.
    fn around(self, i: Index) -> Option<Index> {
        (0..i).rev().find(|&of| self.arena.next(of) > i)
    }
}
