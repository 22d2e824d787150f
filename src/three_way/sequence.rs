//! The lines and entries of a stretch of a block collection as a sequence, and what three
//! versions of it merge into.

use std::ops::Range;

use hashbrown::HashSet;

use super::arrange::{OURS, THEIRS, stretches};
use crate::compare::{Numbering, align, common_ends};
use crate::layout::is_comment;

/// A comment or a blank line, or an entry, of one version.
#[derive(Clone, Copy)]
pub(super) struct SequencePart<'t> {
    /// Equal for what is the same in several versions.
    pub number: u32,
    /// The line; `None` for an entry.
    pub line: Option<SurroundingLine<'t>>,
    /// The entry, or the one that owns the line; `None` for a line that no entry owns.
    pub child: Option<usize>,
    /// True for an entry that is not in the result, or not at this place, and its lines.
    pub is_gone: bool,
    /// True for an entry of a side that the other side does not have, and its lines.
    pub is_own: bool,
}

/// A comment or a blank line.
#[derive(Clone, Copy)]
pub(super) struct SurroundingLine<'t> {
    pub text: &'t str,
    /// The column of the entries around it.
    pub column: usize,
}

/// The sign by which lines and entries are told apart.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Sign<'t> {
    /// A comment without the blanks around it, and how much deeper than the entries it is.
    Line(&'t str, isize),
    Child(usize),
    /// An entry that stands at another place in this version.
    Moved(usize, usize),
}

impl<'t> SequencePart<'t> {
    /// Returns the sign without the blanks behind a comment.
    fn words(&self) -> Sign<'t> {
        self.line.map_or(Sign::Child(self.number as usize), SurroundingLine::words)
    }

    /// Returns true for a blank line.
    pub(super) fn is_blank(&self) -> bool {
        self.line.is_some_and(|line| line.text.trim().is_empty())
    }
}

impl<'t> SurroundingLine<'t> {
    fn indent(self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    pub(super) fn sign(self) -> Sign<'t> {
        if self.text.trim().is_empty() {
            return Sign::Line("", 0);
        }
        let deeper = self.indent() as isize - self.column as isize;
        Sign::Line(self.text.trim_start(), deeper)
    }

    /// Returns the sign without the blanks behind a comment.
    fn words(self) -> Sign<'t> {
        SurroundingLine { text: self.text.trim_end(), ..self }.sign()
    }

    /// Returns the line between entries that stand in a column.
    pub(super) fn at(self, column: usize) -> String {
        let text = self.text.trim_start_matches(' ');
        let indent = match self.indent().checked_sub(self.column) {
            _ if text.trim().is_empty() => 0,
            Some(deeper) => column + deeper,
            None => self.indent(),
        };
        format!("{}{text}", " ".repeat(indent))
    }

    /// Returns true for a comment that an entry directly below it owns.
    pub(super) fn is_leading(self) -> bool {
        is_comment(self.text) && self.indent() == self.column
    }
}

/// The place of entries that both sides have between the same parts of the base.
#[derive(Clone, Copy)]
pub(super) struct EntryOrder {
    /// The side whose entries come first.
    pub first: usize,
    /// True if the entries that a side has in the place of parts that it removed stand behind
    /// all of these, which the other side may keep.
    pub is_behind: bool,
}

impl EntryOrder {
    /// Returns both sides, the first one first.
    fn sides(self) -> [usize; 2] {
        [self.first, OURS + THEIRS - self.first]
    }
}

/// Returns what three sequences merge into.
pub(super) fn merged_tokens<'t>(
    [base, ours, theirs]: [&[SequencePart<'t>]; 3],
    order: EntryOrder,
) -> Vec<SequencePart<'t>> {
    let [b, o, t] = [base, ours, theirs].map(numbers);
    let mut merged = Vec::new();
    for ([bs, os, ts], equal) in stretches([&b, &o, &t]) {
        // An entry that the other side removed is left where the removal is a conflict.
        let stays = ours[os.clone()].iter().any(|it| it.line.is_none() && !it.is_gone);
        if equal {
            merged.extend(ours[os].iter().filter(|it| it.line.is_some() || !it.is_gone));
        } else if o[os.clone()] == t[ts.clone()] || b[bs.clone()] == t[ts.clone()] {
            merged.extend(ours[os].iter().filter(|token| !token.is_gone));
        } else if b[bs.clone()] == o[os.clone()] && !stays {
            merged.extend(theirs[ts].iter().filter(|token| !token.is_gone));
        } else {
            let sides = [&base[bs], &ours[os], &theirs[ts]];
            merged.extend(merged_conflict(sides, order));
        }
    }
    merged
}

/// Returns true if lines differ in nothing but the blanks around them.
pub(super) fn are_alike(a: &[SurroundingLine<'_>], b: &[SurroundingLine<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.sign() == b.sign())
}

pub(super) fn blank_lines(side: &[SequencePart<'_>]) -> usize {
    side.iter().filter(|token| token.is_blank()).count()
}

/// Returns the lines behind the last entry.
pub(super) fn lines_at_end<'s, 't>(
    side: &'s [SequencePart<'t>],
) -> &'s [SequencePart<'t>] {
    side.split_at(entries_end(side)).1
}

/// Returns the number of parts up to the last entry.
fn entries_end(side: &[SequencePart<'_>]) -> usize {
    side.iter().rposition(|token| token.line.is_none()).map_or(0, |last| last + 1)
}

pub(super) fn is_same(a: &[SequencePart<'_>], b: &[SequencePart<'_>]) -> bool {
    a.iter().map(|token| token.number).eq(b.iter().map(|token| token.number))
}

/// Returns the number of lines that the entry below them does not own.
fn gap_length(lines: &[SequencePart<'_>]) -> usize {
    let owned = lines.iter().rev().map(|token| token.line);
    lines.len()
        - owned.take_while(|it| it.is_some_and(SurroundingLine::is_leading)).count()
}

fn numbers(tokens: &[SequencePart<'_>]) -> Vec<u32> {
    tokens.iter().map(|token| token.number).collect()
}

/// Returns what sequences merge into that both sides changed: with what either side added, and
/// without what one of them removed. A line that a side replaced is one that it removed and
/// one that it added.
fn merged_conflict<'t>(
    [base, ours, theirs]: [&[SequencePart<'t>]; 3],
    order: EntryOrder,
) -> Vec<SequencePart<'t>> {
    let mut here = PartChanges::new(base, ours);
    let mut there = PartChanges::new(base, theirs);
    // If a side removed an entry that the other one keeps, the lines beside it stay, too.
    let runs = here.contested(&there).chain(there.contested(&here));
    let contested: HashSet<usize> = runs.flatten().collect();
    if order.is_behind {
        here.put_behind(&there);
        there.put_behind(&here);
    }
    // A line that both sides added at two places is there once, and so is a line that one side
    // moved and the other one replaced.
    let removed = base.iter().zip(&here.kept).filter(|(_, kept)| kept.is_none());
    let changed = removed.map(|(line, _)| line).chain(here.added.iter().flatten());
    let known = changed.filter(|line| !line.is_blank()).map(|line| line.number).collect();
    let mut merged = Vec::new();
    for at in 0..=base.len() {
        let added = [&here, &there].map(|side| side.addition(at));
        merged.extend(joined_additions(added, &known, order));
        if at < base.len() {
            let part = merged_part(&base[at], here.kept[at], there.kept[at]);
            let left = here.kept[at].or(there.kept[at]);
            merged.extend(part.or(left.filter(|_| contested.contains(&at))));
        }
    }
    merged.retain(|token| !token.is_gone);
    merged
}

/// Returns what becomes of a part of the base.
fn merged_part<'t>(
    base: &SequencePart<'t>,
    ours: Option<SequencePart<'t>>,
    theirs: Option<SequencePart<'t>>,
) -> Option<SequencePart<'t>> {
    match (ours, theirs) {
        // Only the blanks behind a comment may differ.
        (Some(ours), Some(theirs)) if ours.number == base.number => {
            Some(if ours.line.is_some() { theirs } else { ours })
        }
        (Some(ours), Some(_)) => Some(ours),
        // The lines above an entry that the other side does not have stay there.
        (Some(part), None) | (None, Some(part)) if part.line.is_none() || part.is_own => {
            Some(part)
        }
        _ => None,
    }
}

/// The changes of a side to parts of the base.
struct PartChanges<'t> {
    /// The part of the side that each part of the base became; `None` for a removed one.
    kept: Vec<Option<SequencePart<'t>>>,
    /// The parts that the side put before each part of the base, and at the end. Those in the
    /// place of removed parts stand before the first of these.
    added: Vec<Vec<SequencePart<'t>>>,
    /// The runs of parts of the base that the side removed.
    removed: Vec<Range<usize>>,
}

impl<'t> PartChanges<'t> {
    fn new(base: &[SequencePart<'t>], side: &[SequencePart<'t>]) -> PartChanges<'t> {
        let mut kept = vec![None; base.len()];
        let mut added = vec![Vec::new(); base.len() + 1];
        let mut removed = Vec::new();
        let mut from = [0; 2];
        for to in aligned(base, side).into_iter().chain([[base.len(), side.len()]]) {
            added[from[0]].extend_from_slice(&side[from[1]..to[1]]);
            removed.extend((from[0] < to[0]).then_some(from[0]..to[0]));
            if let Some(kept) = kept.get_mut(to[0]) {
                *kept = Some(side[to[1]]);
            }
            from = to.map(|at| at + 1);
        }
        PartChanges { kept, added, removed }
    }

    /// Returns what the side added before a part of the base, or at the end.
    fn addition(&self, at: usize) -> Addition<'_, 't> {
        let parts = &self.added[at];
        let (entries, lines) = parts.split_at(entries_end(parts));
        let replaces = self.kept.get(at).is_some_and(Option::is_none);
        let is_last = at == self.kept.len();
        Addition { entries, lines, replaces, is_below: at > 0 && !replaces, is_last }
    }

    /// Returns the runs of removed parts in which the other side keeps an entry.
    fn contested<'s>(
        &'s self,
        other: &'s PartChanges<'_>,
    ) -> impl Iterator<Item = Range<usize>> + use<'s, 't> {
        let runs = self.removed.iter().filter(|run| other.entries_end(run).is_some());
        runs.cloned()
    }

    /// Returns the position behind the last entry of the result in a run of parts of the base.
    fn entries_end(&self, run: &Range<usize>) -> Option<usize> {
        let is_entry = |part: &Option<SequencePart<'_>>| {
            part.is_some_and(|part| part.line.is_none() && !part.is_gone)
        };
        let last = self.kept[run.clone()].iter().rposition(is_entry)?;
        Some(run.start + last + 1)
    }

    /// Puts what stands in the place of removed parts behind the entries of these that the
    /// other side keeps, and the first entry of it, with what follows, behind all of them.
    fn put_behind(&mut self, other: &PartChanges<'_>) {
        for run in &self.removed {
            let mut lines = std::mem::take(&mut self.added[run.start]);
            let first = lines.iter().position(|part| part.line.is_none());
            let entries = lines.split_off(first.unwrap_or(lines.len()));
            self.added[run.end].splice(0..0, entries);
            let behind = other.entries_end(run).unwrap_or(run.start);
            self.added[behind].splice(0..0, lines);
        }
    }
}

/// The parts that a side added at one place of the base.
#[derive(Clone, Copy)]
struct Addition<'s, 't> {
    /// The entries with the lines above them.
    entries: &'s [SequencePart<'t>],
    /// The lines below the last entry.
    lines: &'s [SequencePart<'t>],
    /// True if the side removed the part of the base that follows.
    replaces: bool,
    /// True if a line that is added stands directly below a part that the side has, too.
    is_below: bool,
    /// True at the end of the base.
    is_last: bool,
}

/// Returns the parts that both sides added at one place.
fn joined_additions<'t>(
    added: [Addition<'_, 't>; 2],
    known: &HashSet<u32>,
    order: EntryOrder,
) -> Vec<SequencePart<'t>> {
    let [ours, theirs] = added;
    let mut joined = Vec::new();
    let mut lines = [ours.lines, theirs.lines];
    // Lines below a part of the base stay there if the other side adds entries.
    for side in [OURS, THEIRS] {
        let (own, other) = (added[side - 1], added[THEIRS - side]);
        if own.is_below && own.entries.is_empty() && !other.entries.is_empty() {
            let above = std::mem::take(&mut lines[side - 1]);
            let is_new =
                |it: &&SequencePart<'_>| side == OURS || !known.contains(&it.number);
            joined.extend(above.iter().filter(is_new));
        }
    }
    for side in order.sides() {
        let is_new = |it: &&SequencePart<'_>| {
            let is_comment = it.line.is_some() && !it.is_blank();
            side == OURS || !is_comment || !known.contains(&it.number)
        };
        joined.extend(added[side - 1].entries.iter().filter(is_new));
    }
    // Lines put above a line stay above the lines that the other side has in its place.
    let is_replaced = ours.replaces && !theirs.replaces;
    let sides = if is_replaced { [THEIRS, OURS] } else { [OURS, THEIRS] };
    // A comment that one side sets apart stands above those that the entry below owns.
    let gaps =
        lines.map(|lines| if ours.is_last { gap_length(lines) } else { lines.len() });
    let [ours, theirs] = [0, 1].map(|side| lines[side].split_at(gaps[side]));
    joined.extend(joined_lines([ours.0, theirs.0], known, sides));
    joined.extend(joined_lines([ours.1, theirs.1], known, sides));
    joined
}

/// Returns the lines that both sides added at one place, in the order of the sides, and those
/// that both have once. Theirs brings no comment that is known.
fn joined_lines<'t>(
    [ours, theirs]: [&[SequencePart<'t>]; 2],
    known: &HashSet<u32>,
    order: [usize; 2],
) -> Vec<SequencePart<'t>> {
    let mut joined = Vec::new();
    let mut from = [0; 2];
    for to in aligned(ours, theirs).into_iter().chain([[ours.len(), theirs.len()]]) {
        for side in order {
            let new = theirs[from[1]..to[1]].iter();
            match side {
                OURS => joined.extend_from_slice(&ours[from[0]..to[0]]),
                _ => joined.extend(new.filter(|line| !known.contains(&line.number))),
            }
        }
        joined.extend(ours.get(to[0]));
        from = to.map(|at| at + 1);
    }
    joined
}

/// Returns the ascending positions of the parts that two sequences have in common, but for
/// blanks behind comments.
fn aligned(a: &[SequencePart<'_>], b: &[SequencePart<'_>]) -> Vec<[usize; 2]> {
    let [places_a, places_b] = [a, b].map(|side| {
        let places = (0..side.len()).filter(|&at| !side[at].is_blank());
        places.collect::<Vec<usize>>()
    });
    let mut words = Numbering::default();
    let numbers_a: Vec<u32> =
        places_a.iter().map(|&at| words.of(a[at].words())).collect();
    let numbers_b: Vec<u32> =
        places_b.iter().map(|&at| words.of(b[at].words())).collect();
    let common = align(&numbers_a, &numbers_b).into_iter();
    let common = common.map(|(at_a, at_b)| [places_a[at_a], places_b[at_b]]);
    let mut pairs = Vec::new();
    let mut from = [0; 2];
    for to in common.chain([[a.len(), b.len()]]) {
        // Equal blank lines would be aligned with others if the rest did not come first.
        let [a, b] = [&a[from[0]..to[0]], &b[from[1]..to[1]]];
        let [first, last] = common_ends(a, b, |a, b| a.is_blank() && b.is_blank());
        pairs.extend((0..first).map(|at| from.map(|from| from + at)));
        pairs.extend((0..last).rev().map(|at| to.map(|to| to - 1 - at)));
        pairs.push(to);
        from = to.map(|at| at + 1);
    }
    // The ends are no parts.
    pairs.pop();
    pairs
}
