//! Written flow collections whose children were edited.

use std::borrow::Cow;
use std::ops::Range;

use super::{EntryWalk, PlaceRole, Placement, PrintTask, TreePrinter, WrittenValue};
use crate::arena::{Index, Style};
use crate::layout::{
    CommonQuotes, Layout, WrittenEntry, bare_lines, begins_with_comment, is_comment,
};
use crate::node::{EntryComments, NodeId, Slot};

/// The way through the entries of a written flow collection, from one that is kept to the next.
pub(super) struct FlowWalk<'a> {
    old: Index,
    slots: Cow<'a, [Slot]>,
    next_slot: usize,
    /// The written entry before the next slot.
    last_entry: Option<WrittenEntry>,
    /// True if its value is the written one.
    kept: bool,
    /// True if the text before the entry of `next_slot` is written.
    reached: bool,
    place: Placement,
    /// The text between its brackets.
    inner: Range<usize>,
    /// The text after its last entry.
    tail: FlowGap,
    /// True if it is a pair that needs braces now.
    braces: bool,
    /// The comment that an edit gave to be behind `last_entry`.
    beside: Option<&'a str>,
}

impl<'a> EntryWalk<'a> for FlowWalk<'a> {
    /// Goes on to the next written entry, or into the one that was reached.
    fn proceed(self: Box<Self>, printer: &mut TreePrinter<'a>) {
        if self.reached {
            self.enter_entry(printer);
        } else {
            self.cross(printer);
        }
    }
}

impl<'a> FlowWalk<'a> {
    pub(super) fn new(
        written: WrittenValue,
        slots: Cow<'a, [Slot]>,
    ) -> Box<FlowWalk<'a>> {
        Box::new(FlowWalk {
            old: written.old,
            slots,
            next_slot: 0,
            last_entry: None,
            kept: false,
            reached: false,
            place: written.place.in_brackets(),
            inner: 0..0,
            tail: FlowGap::default(),
            braces: false,
            beside: None,
        })
    }

    /// Returns the written child after `last_entry`.
    fn after(&self, layout: Layout<'_>) -> Index {
        self.last_entry.map_or(self.old + 1, |before| layout.arena.next(before.value))
    }

    /// Prints what stands before the next entry that is kept.
    fn cross(mut self: Box<Self>, printer: &mut TreePrinter<'a>) {
        if self.last_entry.is_none() {
            self.open(printer);
        }
        let layout = printer.out.layout();
        let after = self.after(layout);
        let provenance = self.place.provenance;
        let new = self.slots[self.next_slot..]
            .iter()
            .take_while(|slot| !printer.is_kept(self.old, after, slot, provenance));
        let end = self.next_slot + new.count();
        let next_slot = self.slots.get(end).copied();
        let next = next_slot.and_then(|slot| slot.was);
        let next = next.map(|was| layout.entry(self.old, was));
        if let Some((entry, slot)) = next.zip(next_slot) {
            self.change_above(printer, &entry, &slot);
        }
        let mut tasks = self.crossing_tasks(printer, self.next_slot..end, next);
        if tasks.is_empty() {
            tasks = self.beside_tasks(layout);
        }
        if next.is_none() && self.braces {
            tasks.extend([PrintTask::Copy(self.inner.end), PrintTask::Text("}".into())]);
        }
        self.next_slot = end;
        self.reached = true;
        printer.tasks.push(PrintTask::Walk(self));
        printer.schedule(tasks);
    }

    fn enter_entry(mut self: Box<Self>, printer: &mut TreePrinter<'a>) {
        let Some(&slot) = self.slots.get(self.next_slot) else { return };
        let Some(was) = slot.was else { return };
        let layout = printer.out.layout();
        let file = layout.arena.file();
        let entry = layout.entry(self.old, was);
        let mut place = self.place;
        let mut from = None;
        if let Some(key) = slot.key {
            place.role = PlaceRole::Value;
            from = layout.after_indicator(entry.value);
            printer.anchors.record_copy(file, was..entry.value, place.provenance);
            printer.replace_key(was, key, place);
        }
        self.next_slot += 1;
        self.last_entry = Some(entry);
        self.kept = slot.value == NodeId::Clean(file, entry.value);
        let beside = printer.comments.given(&slot).trailing.as_deref();
        self.beside = beside.filter(|_| !place.json);
        self.reached = false;
        printer.tasks.push(PrintTask::Walk(self));
        printer.enter(WrittenValue::new(entry.value, from, place), slot.value);
    }

    /// Has the comments written that an edit gave to be above a written entry.
    fn change_above(
        &self,
        printer: &mut TreePrinter<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
    ) {
        let out = &mut printer.out;
        let layout = out.layout();
        if !layout.begins_line(entry.start) {
            return;
        }
        let given = printer.comments.given(slot);
        if let Some(lines) = &given.gap {
            out.replace(layout.gap(self.old, entry), Cow::Borrowed(lines));
        }
        let Some(above) = &given.leading else { return };
        let line = layout.line(entry.start);
        let indent = " ".repeat(out.column(layout.indent(line)));
        let lines = above.lines();
        let lines = lines.map(|text| format!("{indent}{text}{}", out.line_break()));
        let lines = lines.collect::<String>();
        out.replace(layout.lead(entry)..line, lines.into());
    }

    /// Returns the tasks that write the comment that an edit gave to the last entry.
    fn beside_tasks(&self, layout: Layout<'a>) -> Vec<PrintTask<'a>> {
        let given = self.beside.zip(self.last_entry);
        let place = given.and_then(|(_, entry)| layout.beside(self.old, &entry));
        let Some((tail, beside)) = place.zip(self.beside) else { return Vec::new() };
        vec![
            PrintTask::Copy(tail.start),
            PrintTask::Text(beside.into()),
            PrintTask::Skip(tail.end),
        ]
    }

    /// Finds the brackets, and writes those that a pair needs now.
    fn open(&mut self, printer: &mut TreePrinter<'a>) {
        let layout = printer.out.layout();
        self.place.provenance = printer.out.provenance();
        let has_new = self.slots.iter().any(|slot| slot.was.is_none());
        if has_new || printer.document.hints().has_restyled() {
            self.place.quotes = CommonQuotes::of(layout, self.old);
        }
        let end = layout.end(self.old);
        if layout.style(self.old) == Style::FlowPair {
            let start = layout.entry(self.old, self.old + 1).start;
            self.inner = start..end;
            self.tail = FlowGap::new(layout, end, end);
            self.braces = !matches!(&*self.slots, [Slot { was: Some(_), .. }]);
            if self.braces {
                printer.out.copy(start);
                printer.out.push("{");
            }
            return;
        }
        self.inner = layout.content(self.old) + 1..end - 1;
        let last = layout.entries(self.old).last();
        let from = last.map_or(self.inner.start, |last| layout.flow_end(last));
        self.tail = FlowGap::new(layout, from, self.inner.end);
    }

    /// Returns the tasks from the last entry over removed and new ones to `next`.
    fn crossing_tasks(
        &self,
        printer: &mut TreePrinter<'a>,
        new: Range<usize>,
        next: Option<WrittenEntry>,
    ) -> Vec<PrintTask<'a>> {
        let layout = printer.out.layout();
        let end = next.map_or(layout.arena.next(self.old), |next| next.first);
        if self.after(layout) == end && new.is_empty() {
            return Vec::new();
        }
        let crossing = self.crossing(layout, next);
        if crossing.first && crossing.last && new.is_empty() {
            return self.emptied_tasks(printer, &crossing);
        }
        let new = self.slots[new].iter();
        if crossing.left.has_line() || crossing.right.has_line() {
            let indent = self.line_indent(printer, next);
            let place = Placement { column: indent.len(), ..self.place };
            let new = new.map(|slot| {
                let task = self.new_entry(printer, *slot, place);
                let comments = Some(printer.comments.given(slot));
                NewFlowEntry { task, comments: comments.filter(|_| !place.json) }
            });
            crossing.lines(layout, new.collect(), &indent)
        } else {
            new.clone().for_each(|slot| printer.note_unplaced(slot, self.place));
            let new = new.map(|slot| self.new_entry(printer, *slot, self.place));
            crossing.line(&self.separator(printer), new.collect())
        }
    }

    /// Describes the text from `last_entry` to `next`.
    fn crossing(&self, layout: Layout<'_>, next: Option<WrittenEntry>) -> Crossing<'a> {
        let end = layout.arena.next(self.old);
        let mut at = self.after(layout);
        let beside =
            if at < end { layout.entry(self.old, at).start } else { self.inner.end };
        let before = self.last_entry;
        let from = before.map_or(self.inner.start, |before| layout.flow_end(before));
        let left = FlowGap::new(layout, from, beside);
        let mut right = self.tail;
        if let Some(next) = next {
            let mut from = left.from;
            while at < next.first {
                let gone = layout.entry(self.old, at);
                at = layout.arena.next(gone.value);
                from = layout.flow_end(gone);
            }
            right = FlowGap::new(layout, from, next.start);
        }
        let bare = end == self.old + 1;
        let kept = before.filter(|_| self.kept);
        Crossing {
            left,
            right,
            first: before.is_none(),
            last: next.is_none(),
            trailing: !bare && self.tail.comma.is_some(),
            bare,
            colon: kept.is_some_and(|before| layout.ends_in_colon(before)),
            indicator: kept.is_some_and(|before| layout.ends_in_indicator(before)),
            beside: self.beside,
        }
    }

    /// Returns the task that writes an entry where it did not stand.
    fn new_entry(
        &self,
        printer: &TreePrinter<'a>,
        slot: Slot,
        place: Placement,
    ) -> PrintTask<'a> {
        let layout = printer.out.layout();
        let arena = layout.arena;
        let inside = self.old + 1..arena.next(self.old);
        match slot.was.filter(|was| inside.contains(was)) {
            Some(was)
                if slot.key.is_none_or(|key| key == NodeId::Clean(arena.file(), was))
                    && printer.is_without_names(was) =>
            {
                let entry = layout.entry(self.old, was);
                PrintTask::Walk(Box::new(MovedFlowEntry { entry, slot, place }))
            }
            _ => PrintTask::FlowEntry(slot, place),
        }
    }

    /// Returns the tasks for a collection that lost its last entry. The comment behind the
    /// bracket belongs to the entry around it, and stays.
    fn emptied_tasks(
        &self,
        printer: &TreePrinter<'a>,
        crossing: &Crossing<'_>,
    ) -> Vec<PrintTask<'a>> {
        let Crossing { left, right, .. } = crossing;
        if !is_comment(printer.out.layout().slice(left.from, left.line)) {
            return vec![PrintTask::Copy(left.from), PrintTask::Skip(right.to)];
        }
        let mut tasks = vec![PrintTask::Copy(left.line)];
        if right.has_line() {
            tasks.push(PrintTask::Skip(right.line));
        } else {
            let indent = self.line_indent(printer, None);
            tasks.extend([
                PrintTask::Line(0),
                PrintTask::Text(indent.into()),
                PrintTask::Skip(right.to),
            ]);
        }
        tasks
    }

    /// Returns the separator of two entries: with a line break if each has a line of its own,
    /// the first one that of the bracket.
    fn separator(&self, printer: &TreePrinter<'_>) -> String {
        let layout = printer.out.layout();
        let mut entries = layout.entries(self.old);
        if let (Some(first), Some(second)) = (entries.next(), entries.next()) {
            let gap = layout.slice(layout.flow_end(first), second.start);
            let plain = gap.trim() == ",";
            let has_break = gap.contains(['\n', '\r']);
            if plain && has_break && layout.begins_line(second.start) {
                let column = printer.out.column(layout.indent(second.start));
                return format!(",{}{}", printer.out.line_break(), " ".repeat(column));
            }
            if plain && !has_break && !gap.contains('\t') {
                return gap.to_owned();
            }
        }
        ", ".to_owned()
    }

    /// Returns the blanks before a new entry on a line of its own.
    fn line_indent(
        &self,
        printer: &TreePrinter<'_>,
        next: Option<WrittenEntry>,
    ) -> String {
        let layout = printer.out.layout();
        let first = layout.entries(self.old).next();
        for entry in [next, self.last_entry, first].into_iter().flatten() {
            let before = layout.slice(layout.line(entry.start), entry.start);
            if !before.trim_start_matches([' ', '\t']).is_empty() {
                continue;
            }
            if before.contains('\t') {
                return before.to_owned();
            }
            return " ".repeat(printer.out.column(layout.indent(entry.start)));
        }
        let column = layout.entry_column(layout.start(self.old));
        " ".repeat(printer.out.column(column) + 2)
    }
}

/// A written entry of a flow collection that is copied to another place of it.
struct MovedFlowEntry {
    entry: WrittenEntry,
    slot: Slot,
    place: Placement,
}

impl<'a> EntryWalk<'a> for MovedFlowEntry {
    fn proceed(self: Box<Self>, printer: &mut TreePrinter<'a>) {
        let MovedFlowEntry { entry, slot, place } = *self;
        let layout = printer.out.layout();
        let column = layout.indent(entry.start);
        let to = printer.out.column(column);
        printer.out.enter(layout.arena, entry.start, column, to, place.provenance);
        printer
            .schedule([PrintTask::Copy(layout.flow_end(entry)), PrintTask::Leave(None)]);
        let from = slot.key.and_then(|_| layout.after_indicator(entry.value));
        let mut place = place.in_brackets();
        if slot.key.is_some() {
            place.role = PlaceRole::Value;
        }
        printer.enter(WrittenValue::new(entry.value, from, place), slot.value);
    }
}

/// The text between two entries, or between an entry and a bracket.
#[derive(Clone, Copy, Default)]
struct FlowGap {
    from: usize,
    comma: Option<usize>,
    /// Offset of the first line break after the comma, or `to`.
    line: usize,
    to: usize,
}

impl FlowGap {
    fn new(layout: Layout<'_>, from: usize, to: usize) -> FlowGap {
        let bytes = layout.text().as_bytes();
        let comma = layout.comma(from..to);
        let from_line = comma.map_or(from, |comma| comma + 1);
        // The line may be as long as the text.
        let found = memchr::memchr2(b'\n', b'\r', &bytes[from_line.min(to)..to]);
        FlowGap { from, comma, line: found.map_or(to, |at| from_line + at), to }
    }

    fn after_comma(self) -> usize {
        self.comma.map_or(self.from, |comma| comma + 1)
    }

    fn has_line(self) -> bool {
        self.line < self.to
    }
}

/// An entry that is written on a line of its own.
struct NewFlowEntry<'a> {
    task: PrintTask<'a>,
    comments: Option<&'a EntryComments>,
}

impl<'a> NewFlowEntry<'a> {
    /// Returns the comment behind the entry.
    fn beside(&self) -> PrintTask<'a> {
        let beside = self.comments.and_then(|given| given.trailing.as_deref());
        PrintTask::Text(beside.unwrap_or_default().into())
    }

    /// Adds the tasks that write the entry with the lines above it.
    fn push(self, tasks: &mut Vec<PrintTask<'a>>, indent: &str) {
        let gap = self.comments.and_then(|given| given.gap.as_deref());
        let above = self.comments.and_then(|given| given.leading.as_deref());
        let above = above.unwrap_or_default().lines();
        let lines = bare_lines(gap.unwrap_or_default())
            .map(Cow::from)
            .chain(above.map(|line| format!("{indent}{line}").into()))
            .chain([indent.to_owned().into()]);
        tasks.extend(lines.flat_map(|line| [PrintTask::Line(0), PrintTask::Text(line)]));
        tasks.push(self.task);
    }
}

/// The text between two entries of a flow collection that stay.
struct Crossing<'a> {
    /// The text after the entry before.
    left: FlowGap,
    /// The text before the next entry.
    right: FlowGap,
    /// True if there is no entry before.
    first: bool,
    /// True if there is no next entry.
    last: bool,
    /// True if the last entry is followed by a comma.
    trailing: bool,
    /// True if the collection was empty.
    bare: bool,
    /// True if the entry before ends in a `:` that needs a blank.
    colon: bool,
    /// True if the entry before ends in a plain `-` or `?`, which is an indicator before a
    /// blank.
    indicator: bool,
    /// The comment that an edit gave to be behind the entry before.
    beside: Option<&'a str>,
}

impl<'a> Crossing<'a> {
    /// Returns the tasks for entries on lines of their own.
    fn lines(
        self,
        layout: Layout<'_>,
        new: Vec<NewFlowEntry<'a>>,
        indent: &str,
    ) -> Vec<PrintTask<'a>> {
        let Crossing { left, right, .. } = self;
        let mut tasks = Vec::new();
        let more = !new.is_empty() || !self.last;
        let has_comma = !self.first && (more || self.trailing || self.indicator);
        if self.first {
            tasks.push(PrintTask::Copy(left.from));
        } else {
            tasks.push(PrintTask::Copy(left.comma.unwrap_or(left.from)));
            if self.colon && left.comma.is_none() {
                tasks.push(PrintTask::Text(" ".into()));
            }
            let comma = if has_comma { "," } else { "" };
            tasks.push(PrintTask::Text(comma.into()));
        }
        let mut comment = "";
        if left.has_line() || left.from == right.from {
            let written = layout.slice(left.after_comma(), left.line).trim_end();
            comment = self.beside.unwrap_or(written);
            // Behind a comma, a comment needs no blank.
            if !has_comma && !self.first && begins_with_comment(comment) {
                tasks.push(PrintTask::Text(" ".into()));
            }
            tasks.push(PrintTask::Text(comment.to_owned().into()));
        }
        let count = new.len();
        let ends = self.last && (comment.is_empty() || count > 0);
        let over = if right.has_line() || ends { right } else { left };
        for (i, entry) in new.into_iter().enumerate() {
            let beside = entry.beside();
            entry.push(&mut tasks, indent);
            if i + 1 < count || !self.last || self.trailing {
                tasks.push(PrintTask::Text(",".into()));
            }
            if i + 1 < count || over.has_line() {
                tasks.push(beside);
            }
        }
        tasks.extend([
            PrintTask::Skip(if over.has_line() { over.line } else { over.after_comma() }),
            PrintTask::Copy(over.to),
            PrintTask::Skip(right.to),
        ]);
        tasks
    }

    /// Returns the tasks for entries side by side.
    fn line(self, comma: &str, new: Vec<PrintTask<'a>>) -> Vec<PrintTask<'a>> {
        let Crossing { left, right, .. } = self;
        // A blank makes an indicator of a plain `-` or `?` before it.
        let comma_after_left = if self.indicator { comma.trim_start() } else { comma };
        let empty = new.is_empty();
        let mut tasks = Vec::new();
        let head = self.first && !self.bare;
        tasks.push(PrintTask::Copy(if head { left.to } else { left.from }));
        if self.colon && !empty {
            tasks.push(PrintTask::Text(" ".into()));
        }
        let mut before = if self.first { "" } else { comma_after_left };
        for entry in new {
            tasks.push(PrintTask::Text(before.to_owned().into()));
            tasks.push(entry);
            before = comma;
        }
        if self.first && !self.last && !empty {
            tasks.push(PrintTask::Text(comma.to_owned().into()));
        }
        if self.first && !self.last || self.bare {
            tasks.push(PrintTask::Skip(right.to));
            return tasks;
        }
        let over = if self.last || !empty { right } else { left };
        let has_comma = self.last && empty && self.indicator;
        tasks.extend([
            PrintTask::Skip(if has_comma {
                right.comma.unwrap_or(right.to)
            } else {
                over.from
            }),
            PrintTask::Copy(over.to),
            PrintTask::Skip(right.to),
        ]);
        tasks
    }
}
