//! The text that is being written, from copied and new pieces.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Range, RangeInclusive};

use super::anchor::Provenance;
use super::unplaced::UnplacedComments;
use crate::arena::Arena;
use crate::layout::{Chomping, Layout, bare, begins_with_comment, each_line, is_comment};

/// The line breaks. Those that only YAML 1.1 has are printed within a line.
const BREAKS: [char; 2] = ['\n', '\r'];

struct CopyCursor<'a> {
    arena: &'a Arena,
    /// Offset of the first byte that was neither copied nor skipped.
    at: usize,
    shift: ColumnShift,
    provenance: Provenance,
    /// Pieces that are written in place of others, none of which was reached.
    replacements: Vec<PendingText<'a>>,
}

/// A text that is written in the place of a range of the copied text.
struct PendingText<'a> {
    range: Range<usize>,
    text: Cow<'a, str>,
}

/// A move of lines: column `from` becomes column `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ColumnShift {
    from: usize,
    to: usize,
}

impl ColumnShift {
    /// Returns the column that was moved to `column`.
    fn original(self, column: usize) -> usize {
        (column + self.from).saturating_sub(self.to)
    }

    /// Returns the column to which `column` is moved.
    fn column(self, column: usize) -> usize {
        (column + self.to).saturating_sub(self.from)
    }

    /// Returns the number of spaces before `text` on a line that had `spaces`.
    fn indent(self, spaces: usize, text: &str) -> usize {
        match text.as_bytes().first() {
            None if spaces == 0 => 0,
            None => self.column(spaces),
            Some(_) if begins_with_comment(text) => self.column(spaces),
            // Tabs alone belong to no text, and must not come to stand in the column of one.
            Some(_) if spaces < self.from && text.trim().is_empty() => 0,
            // Nor must a comment behind a tab.
            Some(_) if spaces < self.from && is_comment(text) => spaces.min(self.to),
            // A line that continues a scalar or a flow collection may stand left of
            // `from`, and must be deeper than its parent in any case.
            Some(_) if spaces < self.from => self.to + 1,
            Some(_) => self.column(spaces),
        }
    }
}

/// The text that is being written, and the texts it is copied from.
pub(super) struct PrintOutput<'a> {
    printed: Printed<'a>,
    newline: &'static str,
    source: CopyCursor<'a>,
    /// The texts that are copied from again later; the first one is the base.
    outer: Vec<CopyCursor<'a>>,
    /// Offset of the end of the last block scalar, and its chomping.
    scalar: Option<(usize, Chomping)>,
}

impl<'a> PrintOutput<'a> {
    pub(super) fn new(base: &'a Arena) -> PrintOutput<'a> {
        let source = CopyCursor {
            arena: base,
            at: 0,
            shift: ColumnShift::default(),
            provenance: Provenance { in_place: true, expanded: false },
            replacements: Vec::new(),
        };
        PrintOutput {
            printed: Printed::new(base.text()),
            newline: Layout { arena: base }.newline(),
            source,
            outer: Vec::new(),
            scalar: None,
        }
    }

    /// Begins to copy from `arena` at `at`, with lines moved from one column to another.
    pub(super) fn enter(
        &mut self,
        arena: &'a Arena,
        at: usize,
        from: usize,
        to: usize,
        provenance: Provenance,
    ) {
        let shift = ColumnShift { from, to };
        let source =
            CopyCursor { arena, at, shift, provenance, replacements: Vec::new() };
        self.outer.push(std::mem::replace(&mut self.source, source));
    }

    /// Goes back to the text that was copied from before.
    pub(super) fn leave(&mut self) {
        self.write_replacements(usize::MAX);
        if let Some(outer) = self.outer.pop() {
            self.source = outer;
        }
    }

    pub(super) fn at(&self) -> usize {
        self.source.at
    }

    /// Returns the column to which `column` of the copied text is moved.
    pub(super) fn column(&self, column: usize) -> usize {
        self.source.shift.column(column)
    }

    /// Returns the column of the copied text that is moved to `column`.
    pub(super) fn original_column(&self, column: usize) -> usize {
        self.source.shift.original(column)
    }

    pub(super) fn provenance(&self) -> Provenance {
        self.source.provenance
    }

    pub(super) fn layout(&self) -> Layout<'a> {
        Layout { arena: self.source.arena }
    }

    /// Has `text` written in the place of a range that is not reached yet.
    pub(super) fn replace(&mut self, range: Range<usize>, text: Cow<'a, str>) {
        self.source.replacements.push(PendingText { range, text });
    }

    /// Returns the text that is to be written in the place of a range that begins in
    /// `within`, and copies that range from now on.
    pub(super) fn take_replacement(
        &mut self,
        within: RangeInclusive<usize>,
    ) -> Option<Cow<'a, str>> {
        let pending = &mut self.source.replacements;
        let at = pending.iter().position(|one| within.contains(&one.range.start))?;
        Some(pending.swap_remove(at).text)
    }

    /// Writes the replacements that begin before `to`, and the text before each.
    fn write_replacements(&mut self, to: usize) {
        loop {
            let CopyCursor { at, replacements, .. } = &mut self.source;
            let pending = replacements.iter().enumerate();
            let pending = pending.filter(|(_, one)| one.range.start < to);
            let next = pending.min_by_key(|(_, one)| one.range.start);
            let Some((index, _)) = next else { return };
            let PendingText { range, text } = replacements.swap_remove(index);
            if range.start >= *at {
                self.copy_piece(range.start);
                self.push(&text);
                self.skip(range.end);
            }
        }
    }

    /// Copies up to offset `to` what was neither copied nor skipped.
    pub(super) fn copy(&mut self, to: usize) {
        self.write_replacements(to);
        self.copy_piece(to);
    }

    /// Copies up to offset `to`, and writes the replacements that begin there. Entries that
    /// are added behind an open last line follow its new comment.
    pub(super) fn copy_through(&mut self, to: usize) {
        self.write_replacements(to + 1);
        self.copy_piece(to);
    }

    /// Copies up to a range, and writes a text in its place.
    pub(super) fn substitute(&mut self, range: Range<usize>, text: &str) {
        self.copy(range.start);
        self.push(text);
        self.skip(range.end);
    }

    fn copy_piece(&mut self, to: usize) {
        let CopyCursor { arena, at, shift, .. } = self.source;
        if to <= at {
            return;
        }
        self.source.at = to;
        let layout = Layout { arena };
        let from = self.copy_blanks(layout, at, to);
        if begins_with_comment(layout.slice(from, to)) {
            self.set_off_comment();
        }
        if shift.from == shift.to && self.outer.is_empty() {
            self.printed.copy(from..to);
        } else {
            let fresh = self.begins_line() && layout.opens_line(from);
            self.copy_lines(layout.slice(from, to), shift, fresh);
        }
    }

    /// Copies the blank lines at `from` behind a block scalar. Returns the offset after.
    fn copy_blanks(&mut self, layout: Layout<'_>, from: usize, to: usize) -> usize {
        let Some((_, chomping)) = self.scalar.filter(|_| self.is_behind_scalar()) else {
            return from;
        };
        let mut at = from;
        while at < to {
            let next = layout.next_line(at);
            if next > to || !layout.is_blank(at, next) {
                break;
            }
            // Blanks in these lines would become part of the scalar, and the lines too if
            // it keeps them.
            if chomping != Chomping::Keep && layout.after_break(next) {
                self.newline();
            }
            at = next;
        }
        self.scalar = Some((self.printed.text.len(), chomping));
        at
    }

    fn copy_lines(&mut self, text: &str, shift: ColumnShift, mut fresh: bool) {
        for line in each_line(text) {
            let bare = bare(line);
            let rest = if fresh { bare.trim_start_matches(' ') } else { bare };
            let mut spaces = 0;
            if fresh {
                spaces = shift.indent(bare.len() - rest.len(), rest);
                self.spaces(spaces);
            }
            self.printed.text.push_str(rest);
            // Blanks without a break can be the last line of a block scalar. Without them there
            // has to be a break.
            let is_lost = rest.is_empty() && spaces == 0 && !bare.is_empty();
            if bare.len() < line.len() || is_lost {
                self.newline();
            }
            fresh = true;
        }
    }

    /// Writes a blank before a comment if the text before it needs one.
    fn set_off_comment(&mut self) {
        if !(self.begins_line() || self.printed.text.ends_with([' ', '\t'])) {
            self.push(" ");
        }
    }

    pub(super) fn skip(&mut self, to: usize) {
        self.source.at = self.source.at.max(to);
        self.source.replacements.retain(|one| one.range.start >= to);
    }

    pub(super) fn push(&mut self, text: &str) {
        self.printed.text.push_str(text);
    }

    pub(super) fn spaces(&mut self, count: usize) {
        self.printed.text.extend(std::iter::repeat_n(' ', count));
    }

    pub(super) fn line_break(&self) -> &'static str {
        self.newline
    }

    pub(super) fn newline(&mut self) {
        self.printed.text.push_str(self.newline);
    }

    pub(super) fn begins_line(&self) -> bool {
        // Behind a text the character is no mark of the byte order, but a part of it.
        let text = self.printed.text.trim_end_matches('\u{feff}');
        text.is_empty() || text.ends_with(['\n', '\r'])
    }

    /// Ends the line, unless it has ended.
    pub(super) fn end_line(&mut self) {
        if !self.begins_line() {
            self.newline();
        }
    }

    /// Writes a blank line if it is wanted and would not become part of a block scalar.
    pub(super) fn blank_line(&mut self, wanted: bool) {
        if wanted && !self.keeps() {
            self.newline();
        }
    }

    pub(super) fn trim_line(&mut self) {
        let end = self.printed.text.trim_end_matches([' ', '\t']).len();
        self.printed.text.truncate(end);
    }

    /// Records that a block scalar ends here.
    pub(super) fn ends_scalar(&mut self, chomping: Chomping) {
        let chomping = if self.keeps() { Chomping::Keep } else { chomping };
        self.scalar = Some((self.printed.text.len(), chomping));
    }

    /// Records that a copied block scalar ends here, unless it was replaced.
    pub(super) fn ends_copied_scalar(&mut self, chomping: Chomping) {
        if !self.is_behind_scalar() {
            self.ends_scalar(chomping);
        }
    }

    /// Returns true if a block scalar ends here.
    pub(super) fn is_behind_scalar(&self) -> bool {
        self.scalar.is_some_and(|(end, _)| end == self.printed.text.len())
    }

    /// Returns true if a blank line here would become part of a block scalar.
    fn keeps(&self) -> bool {
        self.scalar == Some((self.printed.text.len(), Chomping::Keep))
    }

    /// Copies the rest. The result ends without a break if the first text does.
    pub(super) fn finish(mut self) -> Printed<'a> {
        if let Some(base) = self.outer.drain(..).next() {
            self.source = base;
        }
        let text = self.source.arena.text();
        self.copy(text.len());
        self.write_replacements(usize::MAX);
        if !text.is_empty() && !text.ends_with(BREAKS) {
            let end = self.printed.text.trim_end_matches(BREAKS).len();
            let scalar = self.scalar.filter(|&(_, how)| how != Chomping::Strip);
            self.printed.text.truncate(end.max(scalar.map_or(0, |(end, _)| end)));
        }
        self.printed
    }
}

/// Minimum length in bytes of a piece that is borrowed.
// A borrowed piece costs a slice of 16 bytes for the write and keeps the text out of memory;
// pieces of a few lines are cheaper to copy.
const MIN_BORROWED: usize = 512;

/// A printed text: new pieces, and long ones borrowed from the text it was read from.
#[derive(Clone, Debug)]
pub struct Printed<'a> {
    base: &'a str,
    /// The new pieces.
    text: String,
    /// Each borrowed range of `base`, with the length of `text` that comes before it.
    copied: Vec<(usize, Range<usize>)>,
    /// The comments that have no place in it.
    pub(super) unplaced: UnplacedComments,
}

impl<'a> Printed<'a> {
    fn new(base: &'a str) -> Printed<'a> {
        let unplaced = UnplacedComments::default();
        Printed { base, text: String::new(), copied: Vec::new(), unplaced }
    }

    /// The comments that the text has no place for, as those of a value that stands in brackets
    /// now.
    pub fn unplaced_comments(&self) -> &UnplacedComments {
        &self.unplaced
    }

    pub(super) fn whole(base: &'a str) -> Printed<'a> {
        let copied = vec![(0, 0..base.len())];
        Printed { copied, ..Printed::new(base) }
    }

    /// Returns the pieces of the text in order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let mut at = 0;
        let copied = self.copied.iter().flat_map(move |(before, range)| {
            let written = &self.text[std::mem::replace(&mut at, *before)..*before];
            [written, &self.base[range.clone()]]
        });
        let rest = self.copied.last().map_or(0, |&(before, _)| before);
        copied.chain([&self.text[rest..]])
    }

    /// Appends a range of `base`, borrowing it if it is long.
    fn copy(&mut self, mut range: Range<usize>) {
        let text = &self.base[range.clone()];
        if text.len() >= MIN_BORROWED
            && let Some(line) = text.trim_end().rfind('\n')
        {
            // The last line is copied, so that `text` shows how the output ends.
            let cut = range.start + line + 1;
            self.copied.push((self.text.len(), range.start..cut));
            range.start = cut;
        }
        self.text.push_str(&self.base[range]);
    }
}

impl From<String> for Printed<'_> {
    fn from(text: String) -> Self {
        Printed { text, ..Printed::new("") }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}
