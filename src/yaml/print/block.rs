//! A written block collection whose children were edited: what stays is copied in one
//! piece, what is gone takes its comments along, what is new follows its neighbour.

use std::borrow::Cow;
use std::ops::Range;

use super::comment::Surplus;
use super::hint::Hints;
use super::layout::{Entry, Layout};
use super::output::{Shift, Source};
use super::{Place, Printer, Seat, Site, Task};
use crate::arena::Index;
use crate::node::{Node, Slot};

/// What is left of a block collection.
pub(super) struct Block<'a> {
    /// The collection.
    pub(super) of: Index,
    pub(super) slots: Cow<'a, [Slot]>,
    /// The next slot.
    at: usize,
    /// The next written child.
    next: Index,
    /// The written entry before the next slot, until something is put after it.
    before: Option<Entry>,
    /// Nothing stands before the next slot.
    fresh: bool,
    /// The first entry stands on the line of an indicator.
    compact: bool,
    /// Blank lines stand between the neighbours of what is new.
    spaced: bool,
    /// How much deeper it stands than the key it belongs to.
    deeper: Option<usize>,
    /// What its entries have in common; hints only once they are asked for.
    place: Place,
    asked: bool,
    /// The comments that new entries may bring, once they are asked for.
    pub(super) surplus: Option<Surplus<'a>>,
}

impl<'a> Block<'a> {
    /// Walks the written collection of `site`, which comes to stand in `column`; with
    /// `compact`, where the line is indented.
    pub(super) fn new(
        site: Site,
        slots: Cow<'a, [Slot]>,
        (column, compact): (usize, bool),
    ) -> Block<'a> {
        let below = site.place.seat == Seat::Value;
        Block {
            of: site.old,
            deeper: column.checked_sub(site.place.column).filter(|_| below),
            slots,
            at: 0,
            next: site.old + 1,
            before: None,
            fresh: true,
            compact,
            spaced: false,
            place: Place { column, flow: false, gap: 1, ..site.place },
            asked: false,
            surplus: None,
        }
    }
}

impl<'a> Printer<'a> {
    /// Goes on until an entry needs other tasks.
    pub(super) fn walk_block(&mut self, mut walk: Box<Block<'a>>) {
        let layout = self.out.layout();
        let end = layout.arena.next(walk.of);
        if walk.at == 0 {
            let first = layout.entry(walk.of, walk.of + 1);
            walk.compact |= !layout.begins_line(first.start);
            let mapping = layout.is_mapping(walk.of);
            walk.place.seat = if mapping { Seat::Value } else { Seat::Item };
            walk.place.scope = self.out.source().scope;
        }
        while let Some(&slot) = walk.slots.get(walk.at) {
            walk.at += 1;
            let depth = self.tasks.len();
            if self.stays(&walk, &slot) {
                self.keep_entry(&mut walk, &slot);
            } else {
                self.insert_entry(&mut walk, slot);
            }
            if self.tasks.len() > depth {
                return self.tasks.insert(depth, Task::Block(walk));
            }
        }
        if walk.next < end {
            self.drop_entries(walk.of, walk.next..end, walk.fresh);
        }
    }

    /// Whether a slot holds a written entry, in its place.
    fn stays(&mut self, walk: &Block<'_>, slot: &Slot) -> bool {
        let arena = self.out.source().arena;
        let Some(was) = slot.was.filter(|&was| was >= walk.next) else { return false };
        was < arena.next(walk.of)
            && slot.key.is_none_or(|key| {
                key == Node::Clean(arena.file(), was)
                    && self.anchors.passes(
                        arena.file(),
                        was..arena.next(was),
                        walk.place.scope,
                    )
                    || self.respells(was, key)
            })
    }

    fn keep_entry(&mut self, walk: &mut Block<'a>, slot: &Slot) {
        let layout = self.out.layout();
        let Some(was) = slot.was else { return };
        if was > walk.next {
            self.drop_before(walk, was);
        }
        let entry = layout.entry(walk.of, was);
        if !walk.fresh && was == walk.of + 1 {
            self.out.blank_line(walk.spaced);
            self.out.spaces(if walk.compact { walk.place.column } else { 0 });
        }
        walk.next = layout.arena.next(entry.value);
        walk.before = Some(entry);
        walk.fresh = false;
        let file = layout.arena.file();
        if let Some(key) = slot.key {
            self.anchors.pass(file, was..entry.value, walk.place.scope);
            self.respell(was, key, walk.place);
        }
        if slot.value == Node::Clean(file, entry.value) && self.is_quiet(entry.value) {
            return;
        }
        let place = self.place(walk);
        let from = layout.after_indicator(entry.value);
        self.enter(Site { old: entry.value, from, place }, slot.value);
    }

    /// Whether a written node holds neither anchors nor aliases.
    fn is_quiet(&self, i: Index) -> bool {
        use crate::arena::flag::{HAS_ALIAS, HAS_ANCHOR};
        !self.out.source().arena.has(i, HAS_ALIAS | HAS_ANCHOR)
    }

    /// The place of an entry, with what its neighbours tell.
    fn place(&mut self, walk: &mut Block<'a>) -> Place {
        if !walk.asked {
            walk.asked = true;
            let layout = self.out.layout();
            let outer = walk.place.hints;
            let own = if layout.is_mapping(walk.of) {
                Hints { step: walk.deeper, sequence: None }
            } else {
                Hints { step: None, sequence: walk.deeper }
            };
            walk.place.hints = layout.hints(walk.of).or(|| own.or(|| outer));
        }
        walk.place
    }

    fn insert_entry(&mut self, walk: &mut Block<'a>, slot: Slot) {
        let layout = self.out.layout();
        let column = layout.column(walk.of);
        let first = layout.entry(walk.of, walk.of + 1);
        if let Some(before) = walk.before.take() {
            let stop = layout.stop(before.end, column);
            self.seal(stop);
            self.out.copy(stop);
            walk.spaced = layout.is_spaced(walk.of, &before);
        } else if walk.fresh {
            self.out.copy(layout.lead(&first));
            walk.spaced = layout.is_spaced(walk.of, &first);
        }
        if !(walk.fresh && walk.compact) {
            self.out.end_line();
            self.out.blank_line(walk.spaced && !walk.fresh);
        }
        let opens = walk.fresh && walk.compact;
        walk.fresh = false;
        if let Some(was) = self.moved(walk, &slot) {
            return self.move_item(walk, was, slot.value, opens);
        }
        if !opens {
            self.out.spaces(walk.place.column);
        }
        let mut place = self.place(walk);
        place.hints = self.settled(place.hints);
        place.gap = gap(layout.slice(first.start, layout.start(first.value)));
        self.lead_among(walk, &slot, place);
        self.new_entry(slot, place);
    }

    /// The item of the collection that a new slot holds, from another place in it.
    fn moved(&self, walk: &Block<'_>, slot: &Slot) -> Option<Index> {
        let arena = self.out.source().arena;
        let (file, was) = match slot.value {
            Node::Clean(file, i) => (file, i),
            Node::Opened(id) => self.document.origin(id)?,
        };
        let inside =
            file == arena.file() && (walk.of..arena.next(walk.of)).contains(&was);
        // An indicator and a column tell the items from what is in them.
        let layout = self.out.layout();
        let is_item = || {
            let start = layout.after_indicator(was)? - 1;
            (layout.slice(start, start + 1) == "-").then_some(())?;
            (start - layout.line(start) == layout.column(walk.of)).then_some(was)
        };
        (inside && slot.key.is_none()).then(is_item)?
    }

    /// Copies an item from another place of its collection, with all that belongs to it.
    fn move_item(&mut self, walk: &mut Block<'a>, was: Index, value: Node, opens: bool) {
        let layout = self.out.layout();
        let entry = layout.entry(walk.of, was);
        let (lead, column) = (layout.lead(&entry), layout.column(walk.of));
        let at = match layout.begins_line(entry.start) {
            true if opens => lead + layout.indent(lead),
            true => lead,
            false => entry.start,
        };
        if !opens && at == entry.start {
            self.out.spaces(walk.place.column);
        }
        let mut place = self.place(walk);
        let arena = layout.arena;
        let shift = Shift { from: column, to: place.column };
        self.out.enter(Source { arena, at, shift, scope: place.scope });
        let stop = layout.stop(entry.end, column);
        self.schedule(vec![
            Task::CopyEnd(stop),
            Task::Leave(Some(arena.next(was) - 1)),
            Task::EndLine,
        ]);
        place.hints = self.settled(place.hints);
        let from = layout.after_indicator(was);
        self.enter(Site { old: was, from, place }, value);
    }

    /// Leaves out the entries before the written entry `was`.
    fn drop_before(&mut self, walk: &mut Block<'a>, was: Index) {
        let layout = self.out.layout();
        if !(walk.fresh && walk.compact) {
            return self.drop_entries(walk.of, walk.next..was, walk.fresh);
        }
        let (first, next) =
            (layout.entry(walk.of, walk.of + 1), layout.entry(walk.of, was));
        self.out.copy(first.start);
        if self.only_blanks(walk.of, first, next) {
            self.out.skip(next.start);
        } else {
            self.out.trim_line();
            self.out.newline();
            self.out.skip(layout.stop(first.end, layout.column(walk.of)));
            self.drop_entries(walk.of, layout.arena.next(first.value)..was, true);
        }
    }

    /// Whether nothing but blank lines would be left between two entries of a collection.
    fn only_blanks(&self, of: Index, first: Entry, next: Entry) -> bool {
        let layout = self.out.layout();
        let mut from = layout.stop(first.end, layout.column(of));
        let mut at = layout.arena.next(first.value);
        while at < next.first {
            let entry = layout.entry(of, at);
            if !layout.is_blank(from, layout.lead(&entry)) {
                return false;
            }
            from = layout.stop(entry.end, layout.column(of));
            at = layout.arena.next(entry.value);
        }
        layout.is_blank(from, next.start)
    }

    /// Leaves out some entries of block collection `of`, each with the blank lines on one
    /// side of it; `fresh` if nothing stands before them.
    pub(super) fn drop_entries(&mut self, of: Index, gone: Range<Index>, fresh: bool) {
        let layout = self.out.layout();
        let last = gone.end == layout.arena.next(of);
        let mut at = gone.start;
        while at < gone.end {
            let entry = layout.entry(of, at);
            let lead = layout.lead(&entry);
            let gap = layout.gap_above(lead, &entry);
            self.out.copy(if last { gap } else { lead });
            if at > 0 && at == gone.start && layout.is_block_scalar(at - 1) {
                self.out.ends_copied_scalar(layout.chomping(at - 1));
            }
            let stop = layout.stop(entry.end, layout.column(of));
            let below = gap < lead || fresh && !layout.is_below_comment(lead);
            self.out.skip(if below && !last { layout.gap_below(stop) } else { stop });
            at = layout.arena.next(entry.value);
        }
    }
}

impl Layout<'_> {
    /// Offset of the first of the blank lines above an entry that begins at `lead`.
    fn gap_above(self, lead: usize, entry: &Entry) -> usize {
        let floor = self.end_before(entry.first);
        let mut at = lead;
        while at > floor {
            let above = self.line(at - 1);
            if above < floor || !self.is_blank(above, at) {
                break;
            }
            at = above;
        }
        at
    }

    /// Offset after the blank lines at `at`.
    fn gap_below(self, mut at: usize) -> usize {
        while at < self.text().len() && self.is_blank(at, self.next_line(at)) {
            at = self.next_line(at);
        }
        at
    }

    /// Whether the line above the one at `line` is a comment.
    fn is_below_comment(self, line: usize) -> bool {
        line > 0 && self.slice(self.line(line - 1), line).trim_start().starts_with('#')
    }

    /// Whether a blank line stands between an entry of a collection and the one before
    /// or, if it is the first, after it; and one more would do no harm.
    fn is_spaced(self, of: Index, entry: &Entry) -> bool {
        if self.keeps(self.arena.next(entry.value) - 1) {
            return false;
        }
        let lead = self.lead(entry);
        if entry.first > of + 1 {
            return lead > 0 && self.is_blank(self.line(lead - 1), lead);
        }
        let stop = self.stop(entry.end, self.column(of));
        let more = self.arena.next(entry.value) < self.arena.next(of);
        more && stop < self.text().len() && self.is_blank(stop, self.next_line(stop))
    }
}

/// The spaces between the `-` of a neighbour and what follows.
fn gap(item: &str) -> usize {
    let blanks = item.strip_prefix('-').unwrap_or_default();
    let spaces = blanks.bytes().take_while(|&byte| byte == b' ').count();
    if spaces == blanks.len() { spaces.clamp(1, 8) } else { 1 }
}
