//! Written block collections whose children were edited.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use hashbrown::HashSet;

use super::{
    EntryWalk, LinesBelow, MAX_DASH_SPACES, PlaceRole, Placement, PrintTask, TreePrinter,
    WrittenValue,
};
use crate::arena::{Arena, Index, flag};
use crate::layout::{CommonQuotes, IndentHints, Layout, WrittenEntry, is_comment};
use crate::node::{NodeId, Slot, entry_comments};
use crate::source::FileId;
use crate::yaml::print::comment::CommentSurplus;
use crate::yaml::print::output::PrintOutput;

/// The way through the entries of a written block collection: those that are kept are copied,
/// others are left out, moved or inserted between them.
pub(super) struct BlockWalk<'a> {
    old: Index,
    slots: Cow<'a, [Slot]>,
    next_slot: usize,
    next_child: Index,
    /// The written entry before the next slot, until something is written after it.
    last_entry: Option<WrittenEntry>,
    /// True if nothing stands before the next slot.
    at_start: bool,
    /// True if the first entry stands on the line of an indicator.
    compact: bool,
    /// True if blank lines stand between the neighbours of a new entry.
    spaced: bool,
    /// Number of columns between the key and the entries.
    deeper: Option<usize>,
    /// The place that its entries have in common, with hints once they are needed.
    place: Placement,
    hints_known: bool,
    /// The quotes that its entries have in common, once they are needed.
    quotes: Option<CommonQuotes>,
    /// True if an edit has the lines below it written.
    closes: bool,
    /// The comments that new entries may bring, counted when they are needed first.
    surplus: Option<CommentSurplus<'a>>,
    /// True if written entries changed places.
    is_reordered: bool,
    /// The written nodes of the entries that stay, once a moved item asks for them.
    stays: OnceCell<HashSet<Index>>,
}

impl<'a> EntryWalk<'a> for BlockWalk<'a> {
    /// Prints entries until one needs other tasks first.
    fn proceed(mut self: Box<Self>, printer: &mut TreePrinter<'a>) {
        let provenance = self.place.provenance;
        while let Some(&slot) = self.slots.get(self.next_slot) {
            self.next_slot += 1;
            let depth = printer.tasks.len();
            if !printer.is_kept(self.old, self.next_child, &slot, provenance) {
                self.insert_entry(printer, slot);
            } else if self.is_reordered {
                self.move_entry(printer, &slot);
            } else {
                self.keep_entry(printer, &slot);
            }
            if printer.tasks.len() > depth {
                // Below the tasks of the entry, which come first.
                return printer.tasks.insert(depth, PrintTask::Walk(self));
            }
        }
        self.finish(printer);
    }
}

impl<'a> BlockWalk<'a> {
    /// Returns a walk over a written collection of the copied text that is moved to `column`.
    /// `compact`: its first line is indented already.
    pub(super) fn new(
        written: WrittenValue,
        slots: Cow<'a, [Slot]>,
        column: usize,
        compact: bool,
        out: &PrintOutput<'a>,
    ) -> Box<BlockWalk<'a>> {
        let WrittenValue { old, place, closes, .. } = written;
        let layout = out.layout();
        let first = layout.entry(old, old + 1);
        let below = place.role == PlaceRole::Value;
        let is_mapping = layout.is_mapping(old);
        let role = if is_mapping { PlaceRole::Value } else { PlaceRole::Item };
        let provenance = out.provenance();
        Box::new(BlockWalk {
            old,
            is_reordered: has_new_order(layout.arena, old, &slots),
            slots,
            next_slot: 0,
            next_child: old + 1,
            last_entry: None,
            at_start: true,
            compact: compact || !layout.begins_line(first.start),
            spaced: false,
            deeper: column.checked_sub(place.column).filter(|_| below),
            place: Placement { role, column, flow: false, gap: 1, provenance, ..place },
            hints_known: false,
            quotes: None,
            closes,
            surplus: None,
            stays: OnceCell::new(),
        })
    }

    /// Returns true if the next entry stands beside an indicator.
    fn opens(&self) -> bool {
        self.at_start && self.compact
    }

    /// Leaves out the entries behind the last one that stays.
    fn finish(&self, printer: &mut TreePrinter<'a>) {
        let layout = printer.out.layout();
        let end = layout.arena.next(self.old);
        if !self.is_reordered {
            if self.next_child == end {
                return;
            }
            if !self.closes {
                let gone = self.next_child..end;
                return printer.out.drop_entries(self.old, gone, self.at_start);
            }
            let first = layout.entry(self.old, self.next_child);
            printer.out.copy_to_gap(layout.gap(self.old, &first).start, first.first);
        }
        let stop = layout.entry_stop(layout.end(self.old), layout.column(self.old));
        printer.out.skip(stop);
    }

    fn keep_entry(&mut self, printer: &mut TreePrinter<'a>, slot: &Slot) {
        let layout = printer.out.layout();
        let Some(was) = slot.was else { return };
        let entry = layout.entry(self.old, was);
        let is_line = layout.begins_line(entry.start) && !self.opens();
        let gap = printer.comments.given(slot).gap.as_deref().filter(|_| is_line);
        if was > self.next_child && gap.is_none() {
            self.drop_before(printer, was);
        }
        let column = self.place.column;
        if let Some(lines) = gap {
            let first = layout.entry(self.old, self.next_child);
            let start = layout.gap(self.old, &first).start;
            let written = start..layout.lead(&entry);
            printer.out.change_gap(written, lines, first.first, column);
        } else if !self.at_start && was == self.old + 1 {
            printer.out.blank_line(self.spaced);
            printer.out.spaces(if self.compact { column } else { 0 });
        }
        self.next_child = layout.arena.next(entry.value);
        let before = self.last_entry.replace(entry);
        self.at_start = false;
        self.change_comments(printer, &entry, slot);
        if before.is_some_and(|before| layout.may_take_colon(&before, &entry)) {
            printer.out.copy(entry.start);
            if layout.is_compact(&entry) {
                // Behind a key of one line, a block collection begins on a new line.
                printer.out.push("?");
                printer.out.newline();
                printer.out.spaces(column);
            } else {
                printer.out.push("null");
            }
        }
        self.enter_entry(printer, &entry, slot);
    }

    /// Prints the key, the value and the lines below a written entry.
    fn enter_entry(
        &mut self,
        printer: &mut TreePrinter<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
    ) {
        let layout = printer.out.layout();
        let file = layout.arena.file();
        if let Some(key) = slot.key {
            let nodes = entry.first..entry.value;
            printer.anchors.record_copy(file, nodes, self.place.provenance);
            printer.replace_key(entry.first, key, self.place);
        }
        let dangling = printer.comments.given(slot).dangling.as_deref();
        let dangling = dangling.map(|lines| LinesBelow {
            written: layout.parts(self.old, entry).dangling,
            lines,
            next: layout.arena.next(entry.value),
            column: self.place.column,
        });
        let closes = dangling.is_some();
        printer.tasks.extend(dangling.map(PrintTask::Dangling));
        if self.joins(printer, entry, slot) {
            printer.out.join(entry);
        }
        if slot.value == NodeId::Clean(file, entry.value)
            && printer.is_without_names(entry.value)
            && !printer.has_other_lists(layout, entry.value)
        {
            return;
        }
        let mut place = self.entry_place(layout);
        if printer.document.hints().has_restyled() {
            place.quotes = self.quotes(layout);
        }
        let from = layout.after_indicator(entry.value);
        let written = WrittenValue { old: entry.value, from, place, closes };
        printer.enter(written, slot.value);
    }

    /// Returns true if the block of an item stands below its `-` only because of a comment
    /// there, which an edit removed.
    fn joins(
        &self,
        printer: &TreePrinter<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
    ) -> bool {
        let layout = printer.out.layout();
        let is_removed = printer.comments.given(slot).trailing.as_deref() == Some("");
        if !is_removed || slot.key.is_some() || !printer.document.hints().is_verbatim() {
            return false;
        }
        let tail = layout.beside(self.old, entry).unwrap_or_default();
        is_comment(layout.slice(tail.start, tail.end))
            && layout.style(entry.value).is_block_collection()
            && layout.after_props(entry.value).is_none()
            && !layout.is_compact(entry)
            && !has_lines_above(printer, entry.value, slot.value)
    }

    /// Has the comments written that an edit gave to a written entry.
    fn change_comments(
        &self,
        printer: &mut TreePrinter<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
    ) {
        let given = printer.comments.given(slot);
        let out = &mut printer.out;
        if let Some(above) = &given.leading {
            out.change_above(entry, above, self.place.column, given.gap.is_some());
        }
        if let Some(trailing) = &given.trailing
            && let Some(tail) = out.layout().beside(self.old, entry)
        {
            out.copy(entry.start);
            out.replace(tail, (&**trailing).into());
        }
    }

    /// Copies a written entry of a collection in which entries changed places, with its
    /// comments and its gap.
    fn move_entry(&mut self, printer: &mut TreePrinter<'a>, slot: &Slot) {
        let layout = printer.out.layout();
        let Some(was) = slot.was else { return };
        let entry = layout.entry(self.old, was);
        let given = printer.comments.given(slot);
        let opens = self.opens();
        if self.at_start {
            let first = layout.entry(self.old, self.old + 1);
            let above = layout.gap(self.old, &first).start;
            printer.out.copy(if opens { first.start } else { above });
        } else {
            printer.out.end_line();
        }
        if !opens {
            let gap = layout.gap(self.old, &entry);
            let written = layout.slice(gap.start, gap.end);
            printer.out.write_lines(given.gap.as_deref().unwrap_or(written), usize::MAX);
        }
        self.at_start = false;
        self.last_entry = None;
        self.begin_copy(printer, &entry, opens, given.leading.is_some());
        self.change_comments(printer, &entry, slot);
        self.enter_entry(printer, &entry, slot);
    }

    /// Begins to copy a written entry with its comments to another place. `opens`: it stands
    /// beside an indicator there, and with `bare` without the comments above it.
    fn begin_copy(
        &self,
        printer: &mut TreePrinter<'a>,
        entry: &WrittenEntry,
        opens: bool,
        bare: bool,
    ) {
        let layout = printer.out.layout();
        let lead = layout.lead(entry);
        let column = layout.column(self.old);
        let at = if !layout.begins_line(entry.start) || opens && bare {
            entry.start
        } else if opens {
            lead + layout.indent(lead)
        } else {
            lead
        };
        let Placement { column: to, provenance, .. } = self.place;
        if !opens && at == entry.start && !layout.opens_line(at) {
            printer.out.spaces(to);
        }
        printer.out.enter(layout.arena, at, column, to, provenance);
        printer.schedule([
            PrintTask::CopyEnd(layout.entry_stop(entry.end, column)),
            PrintTask::Leave(Some(layout.arena.next(entry.value))),
            PrintTask::EndLine,
        ]);
    }

    /// Returns the place of an entry, with hints from its neighbours.
    fn entry_place(&mut self, layout: Layout<'_>) -> Placement {
        if !self.hints_known {
            self.hints_known = true;
            let outer = self.place.hints;
            let own = if layout.is_mapping(self.old) {
                IndentHints { step: self.deeper, sequence: None }
            } else {
                IndentHints { step: None, sequence: self.deeper }
            };
            self.place.hints = IndentHints::of(layout, self.old).or(|| own.or(|| outer));
        }
        self.place
    }

    /// Returns the quotes that all keys and texts of the collection have.
    fn quotes(&mut self, layout: Layout<'_>) -> CommonQuotes {
        *self.quotes.get_or_insert_with(|| CommonQuotes::of(layout, self.old))
    }

    fn insert_entry(&mut self, printer: &mut TreePrinter<'a>, slot: Slot) {
        let layout = printer.out.layout();
        let first = layout.entry(self.old, self.old + 1);
        let lines = printer.comments.given(&slot).gap.as_deref();
        if let Some(before) = self.last_entry.take() {
            let stop = layout.entry_stop(before.end, layout.column(self.old));
            printer.out.seal_last_scalar(stop);
            printer.out.copy_to_gap(stop, layout.arena.next(before.value));
            self.spaced = layout.is_spaced(self.old, &before);
        } else if self.at_start {
            let above = layout.gap(self.old, &first);
            let is_given = lines.is_some() || self.is_reordered;
            printer.out.copy(if is_given { above.start } else { above.end });
            self.spaced = layout.is_spaced(self.old, &first);
        }
        let opens = self.opens();
        if !opens {
            printer.out.end_line();
            match lines {
                Some(lines) => printer.out.write_lines(lines, self.place.column),
                None => printer.out.blank_line(self.spaced && !self.at_start),
            }
        }
        self.at_start = false;
        let mut place = self.entry_place(layout);
        place.hints = printer.complete_hints(place.hints);
        place.quotes = self.quotes(layout);
        if let Some(was) = self.moved_item(printer, &slot) {
            let entry = layout.entry(self.old, was);
            self.begin_copy(
                printer,
                &entry,
                opens,
                printer.document.hints().is_verbatim(),
            );
            let from = layout.after_indicator(was);
            return printer.enter(WrittenValue::new(was, from, place), slot.value);
        }
        if !opens {
            printer.out.spaces(place.column);
        }
        place.gap = dash_gap(layout.slice(first.start, layout.start(first.value)));
        self.new_lead_comments(printer, &slot);
        printer.new_entry(slot, place);
    }

    /// Returns the item of the same collection that a new slot holds with its comments.
    fn moved_item(&self, printer: &TreePrinter<'a>, slot: &Slot) -> Option<Index> {
        let layout = printer.out.layout();
        let (file, was) = printer.document.origin_of(slot.value)?;
        let inside = self.old..layout.arena.next(self.old);
        if slot.key.is_some() || file != layout.arena.file() || !inside.contains(&was) {
            return None;
        }
        if layout.arena.has(was, flag::HAS_ANCHOR) && self.is_copy(printer, file, was) {
            return None;
        }
        // An item has its `-` in the column of the collection; deeper nodes have not.
        let start = layout.after_indicator(was)? - 1;
        let is_item = layout.slice(start, start + 1) == "-"
            && start - layout.line(start) == layout.column(self.old);
        (is_item && self.has_own_comments(printer, was, slot)).then_some(was)
    }

    /// Returns true if item `was` stands in its own place, too, or was moved to another one
    /// before. A copy is written without its anchors.
    fn is_copy(&self, printer: &TreePrinter<'a>, file: FileId, was: Index) -> bool {
        let is_written = printer.anchors.has_name(NodeId::Clean(file, was));
        let stays = || self.slots.iter().filter_map(|slot| slot.was).collect();
        is_written || self.stays.get_or_init(stays).contains(&was)
    }

    /// Returns true if a slot that holds item `was` of the same collection has its comments.
    fn has_own_comments(
        &self,
        printer: &TreePrinter<'a>,
        was: Index,
        slot: &Slot,
    ) -> bool {
        let document = printer.document;
        let node = NodeId::Clean(printer.out.layout().arena.file(), self.old);
        let item = Slot { was: Some(was), ..Slot::new(None, slot.value, None) };
        document.comments(slot).is_none_or(|given| {
            let own = entry_comments(document, node, &item);
            given.clone().or(own.clone()) == own.or(given.clone())
        })
    }

    /// Writes the comments above a new entry, unless entries that stay have them.
    fn new_lead_comments(&mut self, printer: &mut TreePrinter<'a>, slot: &Slot) {
        let column = self.place.column;
        if printer.given_above(slot, column) {
            return;
        }
        let comments = printer.comments.above(slot);
        if comments.is_empty() {
            return;
        }
        let surplus = self.surplus.get_or_insert_with(|| {
            let layout = printer.out.layout();
            printer.comments.surplus(slot, layout, self.old, &self.slots)
        });
        if surplus.takes(&comments) {
            printer.out.lead_with(&comments, column);
        }
    }

    /// Leaves out the entries before the written entry `was`.
    fn drop_before(&self, printer: &mut TreePrinter<'a>, was: Index) {
        let layout = printer.out.layout();
        if !self.opens() {
            let gone = self.next_child..was;
            return printer.out.drop_entries(self.old, gone, self.at_start);
        }
        let first = layout.entry(self.old, self.old + 1);
        let next = layout.entry(self.old, was);
        printer.out.copy(first.start);
        if printer.document.hints().is_verbatim()
            || layout.only_blanks(self.old, &first, &next)
        {
            return printer.out.skip(next.start);
        }
        printer.out.trim_line();
        printer.out.newline();
        printer.out.skip(layout.entry_stop(first.end, layout.column(self.old)));
        printer.out.drop_entries(self.old, layout.arena.next(first.value)..was, true);
    }
}

/// Returns true if written entries are printed in another order than they stand in.
fn has_new_order(arena: &Arena, of: Index, slots: &[Slot]) -> bool {
    let inside = of..arena.next(of);
    let stays = slots.iter().filter_map(|slot| slot.was);
    !stays.filter(|was| inside.contains(was)).is_sorted()
}

/// Returns true if blank lines or comments stand above the first entry of written collection
/// `of`, which is now `node`.
fn has_lines_above(printer: &TreePrinter<'_>, of: Index, node: NodeId) -> bool {
    let layout = printer.out.layout();
    let slots = printer.document.slots(node);
    let given = slots.first().map(|slot| printer.comments.given(slot));
    let Some(first) = layout.entries(of).next() else { return false };
    let parts = layout.parts(of, &first);
    has_lines(given.and_then(|it| it.gap.as_deref()), &parts.gap)
        || has_lines(given.and_then(|it| it.leading.as_deref()), &parts.leading)
}

/// Returns true if there are lines: those that an edit gave, else the written ones.
fn has_lines(given: Option<&str>, written: &Range<usize>) -> bool {
    given.map_or(!written.is_empty(), |given| !given.is_empty())
}

/// Returns the number of spaces between the `-` of a neighbour and its content.
fn dash_gap(item: &str) -> usize {
    let blanks = item.strip_prefix('-').unwrap_or_default();
    let spaces = blanks.bytes().take_while(|&byte| byte == b' ').count();
    if spaces == blanks.len() { spaces.clamp(1, MAX_DASH_SPACES) } else { 1 }
}
