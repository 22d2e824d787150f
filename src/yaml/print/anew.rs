//! What is written for the first time: entries, and collections in block or flow style.

use std::borrow::Cow;

use super::content::Content;
use super::{Place, Printer, Seat, Task};
use crate::arena::{Style, flag};
use crate::node::{Kind, Node, Slot};
use crate::scalar::Scalar;

/// What is left of a new collection.
pub(super) struct Rest<'a> {
    pub(super) slots: Cow<'a, [Slot]>,
    pub(super) at: usize,
    pub(super) mapping: bool,
    /// The place of its entries in block style; its own in flow style.
    pub(super) place: Place,
}

/// A key that is longer needs a `?`.
const LONG: usize = 1000;

impl<'a> Printer<'a> {
    /// Writes the next entry of a new block collection; its indentation is written.
    pub(super) fn new_block(&mut self, mut rest: Box<Rest<'a>>) {
        let Some(&slot) = rest.slots.get(rest.at) else { return };
        let seat = if rest.mapping { Seat::Value } else { Seat::Item };
        let place = Place { seat, gap: 1, ..rest.place };
        if rest.at > 0 {
            self.out.end_line();
            self.out.spaces(place.column);
        }
        rest.at += 1;
        self.tasks.push(Task::NewBlock(rest));
        self.lead(&slot, place);
        self.new_entry(slot, place);
    }

    /// Writes an entry in block style, where its line is indented.
    pub(super) fn new_entry(&mut self, slot: Slot, place: Place) {
        let value = match self.beside(&slot) {
            Some(comment) => Task::Commented(slot.value, place, comment),
            None => Task::Value(slot.value, place),
        };
        self.tasks.extend([Task::EndLine, value]);
        let Some(key) = slot.key else { return self.out.push("-") };
        let in_key = Place { seat: Seat::Root, ..place };
        if self.is_simple(key) {
            self.tasks.push(Task::Text(self.colon(key).into()));
            return self.inline_node(key, in_key);
        }
        self.out.push("? ");
        self.schedule(vec![
            Task::Inline(key, Place { flow: true, ..in_key }),
            Task::Line(place.column),
            Task::Text(":".into()),
        ]);
    }

    /// Whether `key` needs no `?`.
    pub(super) fn is_simple(&self, key: Node) -> bool {
        match key {
            Node::Clean(file, i) => {
                let arena = self.document.arena(file);
                let single = !arena.has(i, flag::MULTILINE);
                let scalar = match arena.style(i) {
                    Style::Plain | Style::Single | Style::Double | Style::Empty => true,
                    Style::Alias => self.document.kind(key) == Kind::Scalar,
                    _ => false,
                };
                scalar && single && arena.raw(i).len() < LONG
            }
            Node::Opened(_) => match self.document.scalar(key) {
                Scalar::String(text) => text.len() < LONG / 6,
                _ => self.document.kind(key) == Kind::Scalar,
            },
        }
    }

    /// The `:` after a key; an alias would take it for a part of its name.
    fn colon(&self, key: Node) -> &'static str {
        match key {
            Node::Clean(file, i)
                if self.document.arena(file).style(i) == Style::Alias =>
            {
                " :"
            }
            Node::Clean(..) | Node::Opened(_) => ":",
        }
    }

    pub(super) fn inline_node(&mut self, node: Node, place: Place) {
        let place = Place { flow: true, ..place };
        let content = self.content(node, place);
        self.inline(content, place);
    }

    /// Writes what stands after a `-` or `:`.
    pub(super) fn value(&mut self, node: Node, place: Place) {
        if place.flow {
            return self.inline_node(node, place);
        }
        let content = self.content(node, place);
        self.put(content, place);
    }

    /// Writes a value on the rest of the line and below it.
    pub(super) fn put(&mut self, content: Content, place: Place) {
        self.tasks.push(Task::EndLine);
        if content.form.is_inline() {
            if !self.out.begins_line() {
                self.out.spaces(place.gap);
            }
            return self.inline(content, place);
        }
        let item = place.seat == Seat::Item;
        if item && content.form.is_collection() && content.props.is_empty() {
            self.out.spaces(place.gap);
            return self.body(content, place, true);
        }
        self.head(&content, place);
        self.out.end_line();
        self.body(content, place, false);
    }

    /// Writes the next piece of a new flow collection.
    pub(super) fn new_flow(&mut self, mut rest: Box<Rest<'a>>) {
        if rest.at == 0 {
            self.out.push(if rest.mapping { "{" } else { "[" });
        }
        let Some(&slot) = rest.slots.get(rest.at) else {
            return self.out.push(if rest.mapping { "}" } else { "]" });
        };
        if rest.at > 0 {
            self.out.push(", ");
        }
        rest.at += 1;
        let place = rest.place;
        self.tasks.push(Task::NewFlow(rest));
        self.flow_entry(slot, place);
    }

    /// Writes an entry in flow style.
    pub(super) fn flow_entry(&mut self, slot: Slot, place: Place) {
        let place = Place { flow: true, seat: Seat::Item, ..place };
        let Some(key) = slot.key else { return self.inline_node(slot.value, place) };
        if !self.is_simple(key) {
            self.out.push("? ");
        }
        let colon = if self.is_simple(key) { self.colon(key) } else { " :" };
        self.schedule(vec![
            Task::Inline(key, place),
            Task::Text(format!("{colon} ")),
            Task::Inline(slot.value, place),
        ]);
    }
}
