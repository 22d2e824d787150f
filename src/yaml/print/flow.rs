//! A written flow collection whose children were edited: what stays is copied, commas
//! and lines between the entries are kept as its neighbours have them.

use std::borrow::Cow;

use super::layout::{Entry, Layout};
use super::{Place, Printer, Seat, Site, Task};
use crate::arena::{Index, Style};
use crate::node::{Node, Slot};

/// What is left of a flow collection.
pub(super) struct Flow<'a> {
    /// The collection.
    of: Index,
    slots: Cow<'a, [Slot]>,
    /// The next slot.
    at: usize,
    /// The written entry before the next slot.
    before: Option<Entry>,
    /// Whether the entry at `at` was led up to.
    reached: bool,
    place: Place,
    /// The text between its brackets.
    inner: (usize, usize),
    /// Whether it needs braces that it did not have.
    braces: bool,
}

/// The text between two entries, or between an entry and a bracket.
#[derive(Clone, Copy)]
struct Gap {
    from: usize,
    comma: Option<usize>,
    /// Offset of the first line break after the comma, or `to`.
    line: usize,
    to: usize,
}

impl Gap {
    fn new(layout: Layout<'_>, from: usize, to: usize) -> Gap {
        let bytes = layout.text().as_bytes();
        let (mut at, mut comma) = (from, None);
        while at < to && comma.is_none() {
            match bytes[at] {
                b'#' => at = layout.line_end(at),
                b',' => comma = Some(at),
                _ => {}
            }
            at += 1;
        }
        let line = layout.line_end(comma.map_or(from, |comma| comma + 1));
        Gap { from, comma, line: line.min(to), to }
    }

    /// Offset after the comma.
    fn rest(self) -> usize {
        self.comma.map_or(self.from, |comma| comma + 1)
    }

    fn has_line(self) -> bool {
        self.line < self.to
    }
}

impl<'a> Flow<'a> {
    pub(super) fn new(site: Site, slots: Cow<'a, [Slot]>) -> Flow<'a> {
        Flow {
            of: site.old,
            slots,
            at: 0,
            before: None,
            reached: false,
            place: Place { flow: true, seat: Seat::Item, ..site.place },
            inner: (0, 0),
            braces: false,
        }
    }
}

impl<'a> Printer<'a> {
    /// Goes on to the next written entry, and then into it.
    pub(super) fn walk_flow(&mut self, mut walk: Box<Flow<'a>>) {
        let layout = self.out.layout();
        if walk.at == 0 && !walk.reached {
            self.open_flow(&mut walk);
        }
        let new =
            walk.slots[walk.at..].iter().take_while(|slot| !self.is_written(&walk, slot));
        let new = walk.at..walk.at + new.count();
        if !walk.reached {
            let next = walk.slots.get(new.end).and_then(|slot| slot.was);
            let next = next.map(|was| layout.entry(walk.of, was));
            let tasks = self.cross(&walk, new.clone(), next);
            let (end, close) = (next.is_none() && walk.braces, walk.inner.1);
            (walk.at, walk.reached) = (new.end, true);
            self.tasks.push(Task::Flow(walk));
            if end {
                self.schedule(vec![Task::Copy(close), Task::Text("}".into())]);
            }
            return self.schedule(tasks);
        }
        let Some(&slot) = walk.slots.get(walk.at) else { return };
        let entry = layout.entry(walk.of, slot.was.unwrap_or(walk.of + 1));
        let from = layout.after_indicator(entry.value);
        let seat = if slot.key.is_some() { Seat::Value } else { Seat::Item };
        let site = Site {
            old: entry.value,
            from: from.filter(|_| slot.key.is_some()),
            place: Place { seat, ..walk.place },
        };
        walk.at += 1;
        walk.before = Some(entry);
        walk.reached = false;
        if let Some(Node::Clean(file, key)) = slot.key {
            self.anchors.pass(file, key..entry.value, walk.place.scope);
        }
        self.tasks.push(Task::Flow(walk));
        self.enter(site, slot.value);
    }

    fn open_flow(&mut self, walk: &mut Flow<'a>) {
        let layout = self.out.layout();
        let (start, end) = (layout.content(walk.of), layout.end(walk.of));
        walk.place.scope = self.out.source().scope;
        walk.inner = (start + 1, end - 1);
        if layout.style(walk.of) == Style::FlowPair {
            let start = layout.entry(walk.of, walk.of + 1).start;
            walk.inner = (start, end);
            let [Slot { was: Some(_), .. }] = &*walk.slots else {
                walk.braces = true;
                self.out.copy(start);
                return self.out.push("{");
            };
        }
    }

    /// Whether a slot holds a written entry, in its place.
    fn is_written(&mut self, walk: &Flow<'_>, slot: &Slot) -> bool {
        let arena = self.out.source().arena;
        let after = walk.before.map_or(walk.of + 1, |before| arena.next(before.value));
        let Some(was) = slot.was.filter(|&was| was >= after) else { return false };
        let scope = walk.place.scope;
        was < arena.next(walk.of)
            && slot.key.is_none_or(|key| {
                key == Node::Clean(arena.file, was)
                    && self.anchors.passes(arena.file, was..arena.next(was), scope)
            })
    }

    /// Leads from the entry before, past what is gone and what is new, to `next`.
    fn cross(
        &mut self,
        walk: &Flow<'a>,
        new: std::ops::Range<usize>,
        next: Option<Entry>,
    ) -> Vec<Task<'a>> {
        let layout = self.out.layout();
        let (open, close) = walk.inner;
        let end = layout.arena.next(walk.of);
        let after =
            walk.before.map_or(walk.of + 1, |before| layout.arena.next(before.value));
        let left_end =
            if after < end { layout.entry(walk.of, after).start } else { close };
        let left =
            Gap::new(layout, walk.before.map_or(open, |before| before.end), left_end);
        let last = layout.entries(walk.of).last();
        let tail = Gap::new(layout, last.map_or(open, |last| last.end), close);
        let right = match next {
            Some(next) => {
                let before = self.end_before_entry(walk.of, after, next.first);
                Gap::new(layout, before.unwrap_or(left.from), next.start)
            }
            None => tail,
        };
        if left.from == right.from && new.is_empty() {
            return Vec::new();
        }
        let crossing = Crossing {
            left,
            right,
            first: walk.before.is_none(),
            last: next.is_none(),
            trailing: last.is_some() && tail.comma.is_some(),
            bare: last.is_none(),
        };
        if walk.before.is_none() && next.is_none() && new.is_empty() {
            return vec![Task::Copy(left.from), Task::Skip(right.to)];
        }
        let new: Vec<Task<'a>> = walk.slots[new]
            .iter()
            .map(|&slot| Task::FlowEntry(slot, walk.place))
            .collect();
        if left.has_line() || right.has_line() {
            let column = self.line_column(walk, next);
            crossing.lines(layout, new, column)
        } else {
            let comma = separator(layout, walk.of);
            crossing.line(&comma, new)
        }
    }

    /// Offset after the entry before child `to`, beginning at child `from`.
    fn end_before_entry(&self, of: Index, from: Index, to: Index) -> Option<usize> {
        let layout = self.out.layout();
        let (mut at, mut end) = (from, None);
        while at < to {
            let entry = layout.entry(of, at);
            end = Some(entry.end);
            at = layout.arena.next(entry.value);
        }
        end
    }

    /// The column for a new entry on a line of its own.
    fn line_column(&self, walk: &Flow<'_>, next: Option<Entry>) -> usize {
        let layout = self.out.layout();
        let shift = self.out.source().shift;
        let first = layout.entries(walk.of).next();
        let own = |entry: &Entry| layout.begins_line(entry.start);
        let neighbour = [next, walk.before, first].into_iter().flatten().find(own);
        match neighbour {
            Some(entry) => shift.column(layout.indent(entry.start)),
            None => shift.column(layout.entry_column(layout.start(walk.of))) + 2,
        }
    }
}

/// The way from one entry of a flow collection that stays to the next.
struct Crossing {
    /// What followed the entry before.
    left: Gap,
    /// What stood before the next entry.
    right: Gap,
    /// There is no entry before.
    first: bool,
    /// There is no next entry.
    last: bool,
    /// The last entry is followed by a comma.
    trailing: bool,
    /// There was no entry at all.
    bare: bool,
}

impl Crossing {
    /// Where entries stand on lines of their own.
    fn lines<'a>(
        self,
        layout: Layout<'_>,
        new: Vec<Task<'a>>,
        column: usize,
    ) -> Vec<Task<'a>> {
        let Crossing { left, right, .. } = self;
        let mut tasks = Vec::new();
        let more = !new.is_empty() || !self.last;
        if self.first {
            tasks.push(Task::Copy(left.from));
        } else {
            tasks.push(Task::Copy(left.comma.unwrap_or(left.from)));
            let comma = if more || self.trailing { "," } else { "" };
            tasks.push(Task::Text(comma.into()));
        }
        let mut comment = "";
        if left.has_line() || left.from == right.from {
            comment = layout.slice(left.rest(), left.line).trim_end();
            tasks.push(Task::Text(comment.into()));
        }
        let count = new.len();
        let ends = self.last && (comment.is_empty() || count > 0);
        for (i, entry) in new.into_iter().enumerate() {
            tasks.extend([Task::Line(column), entry]);
            if i + 1 < count || !self.last || self.trailing {
                tasks.push(Task::Text(",".into()));
            }
        }
        let over = if right.has_line() || ends { right } else { left };
        let (from, to) = match over.has_line() {
            true => (over.line, over.to),
            false => (over.rest(), over.to),
        };
        tasks.extend([Task::Skip(from), Task::Copy(to), Task::Skip(right.to)]);
        tasks
    }

    /// Where entries stand side by side.
    fn line<'a>(self, comma: &str, new: Vec<Task<'a>>) -> Vec<Task<'a>> {
        let Crossing { left, right, .. } = self;
        let comma = || Task::Text(comma.to_owned());
        let (empty, mut tasks) = (new.is_empty(), Vec::new());
        let head = self.first && !self.bare;
        tasks.push(Task::Copy(if head { left.to } else { left.from }));
        for (i, entry) in new.into_iter().enumerate() {
            if i > 0 || !self.first {
                tasks.push(comma());
            }
            tasks.push(entry);
        }
        if self.first && !self.last && !empty {
            tasks.push(comma());
        }
        if self.first && !self.last || self.bare {
            tasks.push(Task::Skip(right.to));
        } else {
            let from = if self.last || !empty { right.from } else { left.from };
            let to = if self.last || !empty { right.to } else { left.to };
            tasks.extend([Task::Skip(from), Task::Copy(to), Task::Skip(right.to)]);
        }
        tasks
    }
}

/// What separates two entries of collection `of` on one line.
fn separator(layout: Layout<'_>, of: Index) -> String {
    let mut entries = layout.entries(of);
    let gap = match (entries.next(), entries.next()) {
        (Some(first), Some(second)) => layout.slice(first.end, second.start),
        _ => ", ",
    };
    let plain = gap.trim() == "," && !gap.contains(['\n', '\t']);
    if plain { gap.to_owned() } else { ", ".to_owned() }
}
