//! A written flow collection whose children were edited: what stays is copied, commas
//! and lines between the entries are kept as its neighbours have them.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::{Entry, Layout};
use super::line::BREAKS;
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
    /// Whether its value is the one that was written.
    kept: bool,
    /// Whether the entry at `at` was led up to.
    reached: bool,
    place: Place,
    /// The text between its brackets.
    inner: (usize, usize),
    /// What follows its last entry.
    tail: Gap,
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
            kept: false,
            reached: false,
            place: Place { flow: true, seat: Seat::Item, ..site.place },
            inner: (0, 0),
            tail: Gap { from: 0, comma: None, line: 0, to: 0 },
            braces: false,
        }
    }

    /// The written child after the entry before.
    fn after(&self, layout: Layout<'_>) -> Index {
        self.before.map_or(self.of + 1, |before| layout.arena.next(before.value))
    }

    /// The way from the entry before to `next`.
    fn crossing(&self, layout: Layout<'_>, next: Option<Entry>) -> Crossing {
        let (open, close) = self.inner;
        let end = layout.arena.next(self.of);
        let mut at = self.after(layout);
        let beside = if at < end { layout.entry(self.of, at).start } else { close };
        let from = self.before.map_or(open, |before| layout.flow_end(before));
        let left = Gap::new(layout, from, beside);
        let mut right = self.tail;
        if let Some(next) = next {
            let mut from = left.from;
            while at < next.first {
                let gone = layout.entry(self.of, at);
                (at, from) = (layout.arena.next(gone.value), layout.flow_end(gone));
            }
            right = Gap::new(layout, from, next.start);
        }
        let bare = end == self.of + 1;
        Crossing {
            left,
            right,
            first: self.before.is_none(),
            last: next.is_none(),
            trailing: !bare && self.tail.comma.is_some(),
            bare,
            colon: self.kept && self.before.is_some_and(|it| layout.ends_in_colon(it)),
        }
    }
}

impl<'a> Printer<'a> {
    /// Goes on to the next written entry, or into the one that was reached.
    pub(super) fn walk_flow(&mut self, mut walk: Box<Flow<'a>>) {
        if walk.reached {
            return self.enter_flow_entry(walk);
        }
        if walk.before.is_none() {
            self.open_flow(&mut walk);
        }
        let layout = self.out.layout();
        let mut end = walk.at;
        while walk.slots.get(end).is_some_and(|slot| !self.is_written(&walk, slot)) {
            end += 1;
        }
        let next = walk.slots.get(end).and_then(|slot| slot.was);
        let next = next.map(|was| layout.entry(walk.of, was));
        let mut tasks = self.cross(&walk, walk.at..end, next);
        if next.is_none() && walk.braces {
            tasks.extend([Task::Copy(walk.inner.1), Task::Text("}".into())]);
        }
        (walk.at, walk.reached) = (end, true);
        self.tasks.push(Task::Flow(walk));
        self.schedule(tasks);
    }

    fn enter_flow_entry(&mut self, mut walk: Box<Flow<'a>>) {
        let Some(&slot) = walk.slots.get(walk.at) else { return };
        let Some(was) = slot.was else { return };
        let layout = self.out.layout();
        let entry = layout.entry(walk.of, was);
        let (mut place, mut from) = (walk.place, None);
        if let Some(key) = slot.key {
            place.seat = Seat::Value;
            from = layout.after_indicator(entry.value);
            self.anchors.pass(layout.arena.file(), was..entry.value, place.scope);
            self.respell(was, key, place);
        }
        walk.at += 1;
        walk.before = Some(entry);
        walk.kept = slot.value == Node::Clean(layout.arena.file(), entry.value);
        walk.reached = false;
        self.tasks.push(Task::Flow(walk));
        self.enter(Site { old: entry.value, from, place }, slot.value);
    }

    fn open_flow(&mut self, walk: &mut Flow<'a>) {
        let layout = self.out.layout();
        let (start, end) = (layout.content(walk.of), layout.end(walk.of));
        walk.place.scope = self.out.source().scope;
        walk.inner = (start + 1, end - 1);
        let last = layout.entries(walk.of).last();
        let from = last.map_or(start + 1, |last| layout.flow_end(last));
        walk.tail = Gap::new(layout, from, end - 1);
        if layout.style(walk.of) == Style::FlowPair {
            let start = layout.entry(walk.of, walk.of + 1).start;
            walk.inner = (start, end);
            walk.tail = Gap::new(layout, end, end);
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
        let after = walk.after(self.out.layout());
        let Some(was) = slot.was.filter(|&was| was >= after) else { return false };
        let scope = walk.place.scope;
        was < arena.next(walk.of)
            && slot.key.is_none_or(|key| {
                key == Node::Clean(arena.file(), was)
                    && self.anchors.passes(arena.file(), was..arena.next(was), scope)
                    || self.respells(was, key)
            })
    }

    /// Leads from the entry before, past what is gone and what is new, to `next`.
    fn cross(
        &mut self,
        walk: &Flow<'a>,
        new: Range<usize>,
        next: Option<Entry>,
    ) -> Vec<Task<'a>> {
        let layout = self.out.layout();
        let after = walk.after(layout);
        let end = next.map_or(layout.arena.next(walk.of), |next| next.first);
        if after == end && new.is_empty() {
            return Vec::new();
        }
        let crossing = walk.crossing(layout, next);
        if crossing.first && crossing.last && new.is_empty() {
            return vec![Task::Copy(crossing.left.from), Task::Skip(crossing.right.to)];
        }
        let new = walk.slots[new].iter();
        let new = new.map(|&slot| Task::FlowEntry(slot, walk.place)).collect();
        if crossing.left.has_line() || crossing.right.has_line() {
            let indent = self.line_indent(walk, next);
            crossing.lines(layout, new, &indent)
        } else {
            crossing.line(&self.separator(walk.of), new)
        }
    }

    /// What separates two entries of collection `of`: a line break where each has its own
    /// line, the first that of the bracket.
    fn separator(&self, of: Index) -> String {
        let layout = self.out.layout();
        let mut entries = layout.entries(of);
        let (Some(first), Some(second)) = (entries.next(), entries.next()) else {
            return ", ".to_owned();
        };
        let gap = layout.slice(layout.flow_end(first), second.start);
        let plain = gap.trim() == ",";
        if plain && gap.contains(BREAKS) && layout.begins_line(second.start) {
            let column = self.out.source().shift.column(layout.indent(second.start));
            return format!(",{}{}", self.out.line_break(), " ".repeat(column));
        }
        let single = plain && !gap.contains(['\t', '\n', '\r']);
        if single { gap.to_owned() } else { ", ".to_owned() }
    }

    /// The blanks before a new entry on a line of its own.
    fn line_indent(&self, walk: &Flow<'_>, next: Option<Entry>) -> String {
        let layout = self.out.layout();
        let shift = self.out.source().shift;
        let first = layout.entries(walk.of).next();
        let before = |entry: &Entry| layout.slice(layout.line(entry.start), entry.start);
        let own =
            |entry: &Entry| before(entry).bytes().all(|byte| b" \t".contains(&byte));
        let neighbour = [next, walk.before, first].into_iter().flatten().find(own);
        let column = match neighbour {
            Some(entry) if before(&entry).contains('\t') => return before(&entry).into(),
            Some(entry) => shift.column(layout.indent(entry.start)),
            None => shift.column(layout.entry_column(layout.start(walk.of))) + 2,
        };
        " ".repeat(column)
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
    /// The entry before ends in a `:` that needs a blank.
    colon: bool,
}

impl Layout<'_> {
    /// Offset after the last byte of an entry, and after the blank that belongs to its
    /// colon if there is no value.
    fn flow_end(self, entry: Entry) -> usize {
        let after = self.slice(entry.end.saturating_sub(1), entry.end + 1);
        let blank = self.is_empty_value(entry) && after == ": ";
        entry.end + usize::from(blank)
    }

    fn is_empty_value(self, entry: Entry) -> bool {
        entry.value != entry.first && self.style(entry.value) == Style::Empty
    }

    /// Whether a comma right behind an entry would be taken for a part of its key.
    fn ends_in_colon(self, entry: Entry) -> bool {
        let end = self.flow_end(entry);
        self.is_empty_value(entry) && self.slice(end - 1, end) == ":"
    }
}

impl Crossing {
    /// Where entries stand on lines of their own.
    fn lines<'a>(
        self,
        layout: Layout<'_>,
        new: Vec<Task<'a>>,
        indent: &str,
    ) -> Vec<Task<'a>> {
        let Crossing { left, right, .. } = self;
        let mut tasks = Vec::new();
        let more = !new.is_empty() || !self.last;
        if self.first {
            tasks.push(Task::Copy(left.from));
        } else {
            tasks.push(Task::Copy(left.comma.unwrap_or(left.from)));
            if self.colon && left.comma.is_none() {
                tasks.push(Task::Text(" ".into()));
            }
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
            tasks.extend([Task::Line(0), Task::Text(indent.to_owned()), entry]);
            if i + 1 < count || !self.last || self.trailing {
                tasks.push(Task::Text(",".into()));
            }
        }
        let over = if right.has_line() || ends { right } else { left };
        let (from, to) =
            if over.has_line() { (over.line, over.to) } else { (over.rest(), over.to) };
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
        if self.colon && !empty {
            tasks.push(Task::Text(" ".into()));
        }
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
