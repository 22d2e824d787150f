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

impl SequencePart<'_> {
    /// Returns true for a blank line.
    fn is_blank(&self) -> bool {
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

/// Returns what three sequences merge into. Of entries that both sides have at one place, those
/// of the first side in `order` come first.
pub(super) fn merged_tokens<'t>(
    [base, ours, theirs]: [&[SequencePart<'t>]; 3],
    order: [usize; 2],
) -> Vec<SequencePart<'t>> {
    let [b, o, t] = [base, ours, theirs].map(numbers);
    let mut merged = Vec::new();
    for ([bs, os, ts], equal) in stretches([&b, &o, &t]) {
        if equal {
            merged.extend(ours[os].iter().filter(|it| it.line.is_some() || !it.is_gone));
        } else if o[os.clone()] == t[ts.clone()] || b[bs.clone()] == t[ts.clone()] {
            merged.extend(ours[os].iter().filter(|token| !token.is_gone));
        } else if b[bs.clone()] == o[os.clone()] {
            merged.extend(theirs[ts].iter().filter(|token| !token.is_gone));
        } else {
            let sides = [&base[bs], &ours[os], &theirs[ts]];
            merged.extend(merged_conflict(sides, order));
        }
    }
    merged
}

/// Returns where the entries are in each sequence, with the lines above them. The lines before
/// these are empty, unless those of the base stay above the entries that a side added.
fn entry_ranges(sides: [&[SequencePart<'_>]; 3]) -> [Range<usize>; 3] {
    let [base, ours, theirs] = sides;
    let is_above = !base.is_empty() && (follows(ours, base) || follows(theirs, base));
    sides.map(|side| {
        let last = side.iter().rposition(|token| token.line.is_none());
        let end = match last {
            Some(last) => last + 1,
            None if is_above => side.len(),
            None => 0,
        };
        let start = if is_above { first_entry(side).unwrap_or(end) } else { 0 };
        start..end
    })
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
    let last = side.iter().rposition(|token| token.line.is_none());
    &side[last.map_or(0, |last| last + 1)..]
}

fn first_entry(side: &[SequencePart<'_>]) -> Option<usize> {
    side.iter().position(|token| token.line.is_none())
}

/// Returns true if a side put an entry directly below the lines of the base.
fn follows(side: &[SequencePart<'_>], base: &[SequencePart<'_>]) -> bool {
    first_entry(side).is_some_and(|first| is_same(&side[..first], base))
}

pub(super) fn is_same(a: &[SequencePart<'_>], b: &[SequencePart<'_>]) -> bool {
    a.iter().map(|token| token.number).eq(b.iter().map(|token| token.number))
}

/// Returns what sequences merge into that both sides changed. Lines are those of ours, unless
/// only theirs changed them; entries of theirs come with their new lines.
fn merged_conflict<'t>(
    sides: [&[SequencePart<'t>]; 3],
    order: [usize; 2],
) -> Vec<SequencePart<'t>> {
    let [base, ours, theirs] = sides;
    let ranges = entry_ranges(sides);
    let above = [0, 1, 2].map(|side| &sides[side][..ranges[side].start]);
    let below = [0, 1, 2].map(|side| &sides[side][ranges[side].end..]);
    let in_ours = kept(base, ours);
    let in_theirs = kept(base, theirs);
    let old: HashSet<usize> = in_theirs.iter().map(|&(_, at)| at).collect();
    let known: HashSet<u32> = ours.iter().map(|token| token.number).collect();
    let is_new = |at: &usize| {
        let SequencePart { number, .. } = theirs[*at];
        let is_blank = theirs[*at].is_blank();
        let is_changed = !old.contains(at) || is_above_added(base, &theirs[*at]);
        is_changed && (is_blank || !known.contains(&number))
    };
    let left: HashSet<usize> = in_theirs.iter().map(|&(at, _)| at).collect();
    let removed = in_ours.iter().filter(|(at, _)| !left.contains(at));
    let removed: HashSet<usize> = removed.map(|&(_, at)| at).collect();
    let stays = |at: &usize| {
        let part = &ours[*at];
        part.line.is_none() || !removed.contains(at) || is_above_added(base, part)
    };
    let mut merged = merged_lines(above);
    for side in order {
        let there = ranges[side].clone();
        match side {
            OURS => merged.extend(there.filter(stays).map(|at| ours[at])),
            _ => merged.extend(there.filter(is_new).map(|at| theirs[at])),
        }
    }
    merged.extend(merged_lines(below));
    merged.retain(|token| !token.is_gone);
    merged
}

/// Returns true for a line above an entry that a side renamed or added. A comment that the
/// other side removed stays there.
fn is_above_added(base: &[SequencePart<'_>], part: &SequencePart<'_>) -> bool {
    let is_new = part.child.is_some() && base.iter().all(|it| it.child != part.child);
    part.line.is_some() && is_new
}

/// Returns the places of what a side has of the base, in both.
fn kept(base: &[SequencePart<'_>], side: &[SequencePart<'_>]) -> Vec<(usize, usize)> {
    let count = side.len().saturating_sub(base.len());
    if is_same(&side[count..], base) {
        return (0..base.len()).zip(count..).collect();
    }
    if is_same(&side[..side.len() - count], base) {
        return (0..base.len()).zip(0..).collect();
    }
    align(&numbers(base), &numbers(side))
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

/// Returns the merged lines, with what either side added and without what one of them removed.
/// Where both sides replaced a comment, the lines are those of ours.
fn merged_lines<'t>(
    [base, ours, theirs]: [&[SequencePart<'t>]; 3],
) -> Vec<SequencePart<'t>> {
    if is_same(base, ours) {
        return theirs.to_vec();
    }
    if is_same(base, theirs) || is_same(ours, theirs) {
        return ours.to_vec();
    }
    let here = LineChanges::new(base, ours);
    let mut there = LineChanges::new(base, theirs);
    there.give_way(base, &here);
    // What both sides added at two places is there once, and so is what one side moved and the
    // other one replaced.
    let removed = base.iter().zip(&here.kept).filter(|(_, kept)| kept.is_none());
    let changed = removed.map(|(line, _)| line).chain(here.added.iter().flatten());
    let known = changed.filter(|line| !line.is_blank()).map(|line| line.number).collect();
    let mut merged = Vec::new();
    for (at, before) in base.iter().enumerate() {
        // What is put above a line stays above what the other side has in the place of this.
        let is_replaced = here.kept[at].is_none() && there.kept[at].is_some();
        let order = if is_replaced { [THEIRS, OURS] } else { [OURS, THEIRS] };
        merged.extend(joined([&here.added[at], &there.added[at]], &known, order));
        if let (Some(ours), Some(theirs)) = (here.kept[at], there.kept[at]) {
            // Only the blanks behind a comment may differ.
            merged.push(if ours.number == before.number { theirs } else { ours });
        }
    }
    // A comment that one side sets apart stands above those that the entry below owns.
    let last = [here, there].map(|mut side| side.added.pop().unwrap_or_default());
    let [ours, theirs] = last.each_ref().map(|last| last.split_at(gap_length(last)));
    merged.extend(joined([ours.0, theirs.0], &known, [OURS, THEIRS]));
    merged.extend(joined([ours.1, theirs.1], &known, [OURS, THEIRS]));
    merged
}

/// The changes of a side to lines of the base.
struct LineChanges<'t> {
    /// The line of the side that each line of the base became; `None` for a removed one.
    kept: Vec<Option<SequencePart<'t>>>,
    /// The lines that the side put before each line of the base, and at the end. Those in the
    /// place of removed lines stand before the first of these.
    added: Vec<Vec<SequencePart<'t>>>,
}

impl<'t> LineChanges<'t> {
    fn new(base: &[SequencePart<'t>], side: &[SequencePart<'t>]) -> LineChanges<'t> {
        let mut kept = vec![None; base.len()];
        let mut added = vec![Vec::new(); base.len() + 1];
        let mut from = [0; 2];
        for to in aligned(base, side).into_iter().chain([[base.len(), side.len()]]) {
            added[from[0]].extend_from_slice(&side[from[1]..to[1]]);
            if let Some(kept) = kept.get_mut(to[0]) {
                *kept = Some(side[to[1]]);
            }
            from = to.map(|at| at + 1);
        }
        LineChanges { kept, added }
    }

    /// Takes back what was put in the place of comments that ours removed or replaced.
    fn give_way(&mut self, base: &[SequencePart<'t>], ours: &LineChanges<'t>) {
        let mut from = 0;
        while from < base.len() {
            let removed = self.kept[from..].iter().take_while(|line| line.is_none());
            let removed = from..from + removed.count();
            let is_changed = |at: usize| ours.kept[at].is_none() && !base[at].is_blank();
            if !self.added[from].is_empty() && removed.clone().any(is_changed) {
                self.added[from].clear();
                for at in removed.clone() {
                    self.kept[at] = Some(base[at]);
                }
            }
            from = removed.end + 1;
        }
    }
}

/// Returns the lines that both sides added at one place, in the order of the sides, and those
/// that both have once. Theirs brings no comment that is known.
fn joined<'t>(
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

/// Returns the ascending positions of the lines that two sequences have in common, but for
/// blanks behind comments.
fn aligned(a: &[SequencePart<'_>], b: &[SequencePart<'_>]) -> Vec<[usize; 2]> {
    let [comments_a, comments_b] = [a, b].map(|side| {
        let comments = (0..side.len()).filter(|&at| !side[at].is_blank());
        comments.collect::<Vec<usize>>()
    });
    let mut words = Numbering::default();
    let mut number = |line| words.of(Option::map(line, SurroundingLine::words));
    let numbers_a: Vec<u32> = comments_a.iter().map(|&at| number(a[at].line)).collect();
    let numbers_b: Vec<u32> = comments_b.iter().map(|&at| number(b[at].line)).collect();
    let common = align(&numbers_a, &numbers_b);
    let common =
        common.into_iter().map(|(at_a, at_b)| [comments_a[at_a], comments_b[at_b]]);
    let mut pairs = Vec::new();
    let mut from = [0; 2];
    for to in common.chain([[a.len(), b.len()]]) {
        // Equal blank lines would be aligned with others if the comments did not come first.
        let [a, b] = [&a[from[0]..to[0]], &b[from[1]..to[1]]];
        let [first, last] = common_ends(a, b, |a, b| a.is_blank() && b.is_blank());
        pairs.extend((0..first).map(|at| from.map(|from| from + at)));
        pairs.extend((0..last).rev().map(|at| to.map(|to| to - 1 - at)));
        pairs.push(to);
        from = to.map(|at| at + 1);
    }
    // The ends are no lines.
    pairs.pop();
    pairs
}
