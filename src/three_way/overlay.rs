//! Changes of theirs beside the data: lines that go over a merged text.

use super::line_merge::LineNumbers;
use super::piece::Piece;
use super::stretch::Stretch;
use crate::diff::lines;

/// The lines of theirs that go over a merged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    /// All lines that only theirs changed.
    All,
    /// Those of them that are comments or blank.
    Comments,
}

/// A line of the merged text, or a conflict in it.
#[derive(Clone, Copy)]
enum Part<'t> {
    Line(&'t str),
    Conflict(&'t Piece),
}

impl Overlay {
    /// Returns the merged text with lines of theirs where it has those of the base.
    pub(super) fn over<'t>(
        self,
        merged: &'t [Piece],
        base: &'t str,
        theirs: &'t str,
    ) -> Vec<Piece> {
        let (base, theirs) = (lines(base), lines(theirs));
        let mut parts = Vec::new();
        for piece in merged {
            match piece {
                Piece::Merged(text) => {
                    parts.extend(lines(text).into_iter().map(Part::Line));
                }
                Piece::Conflict { .. } => parts.push(Part::Conflict(piece)),
            }
        }
        let mut numbers = LineNumbers::default();
        let [b, t] = [&base, &theirs].map(|lines| numbers.of(lines));
        let number = |part: &Part<'t>| match part {
            Part::Line(line) => numbers.of_line(line),
            // A conflict is no line of the base.
            Part::Conflict(_) => u32::MAX,
        };
        let o: Vec<u32> = parts.iter().map(number).collect();
        let text = |part: &Part<'t>| match part {
            Part::Line(line) => *line,
            Part::Conflict(_) => "",
        };
        let texts: Vec<&str> = parts.iter().map(text).collect();
        let mut pieces = Vec::new();
        for (Stretch { base: bs, ours: os, theirs: ts }, _) in Stretch::all(&b, &o, &t) {
            let takes = b[bs.clone()] == o[os.clone()]
                && (self == Overlay::All
                    || base[bs.clone()]
                        .iter()
                        .chain(&theirs[ts.clone()])
                        .all(|line| is_beside(line)));
            if takes {
                push(&mut pieces, theirs[ts].iter().copied().map(Part::Line));
                continue;
            }
            let parts = &parts[os.clone()];
            if parts.iter().any(|part| matches!(part, Part::Conflict(_))) {
                push(&mut pieces, parts.iter().copied());
                continue;
            }
            let lines = merge_edges(&base[bs], &texts[os], &theirs[ts]);
            push(&mut pieces, lines.into_iter().map(Part::Line));
        }
        pieces
    }
}

fn push<'t>(pieces: &mut Vec<Piece>, parts: impl Iterator<Item = Part<'t>>) {
    for part in parts {
        match (part, pieces.last_mut()) {
            (Part::Conflict(piece), _) => pieces.push(piece.clone()),
            (Part::Line(line), Some(Piece::Merged(text))) => text.push_str(line),
            (Part::Line(line), _) => pieces.push(Piece::Merged(line.to_owned())),
        }
    }
}

/// Returns lines of a merged text that both sides changed. The comments above them and below
/// them are those of theirs, if only theirs changed these.
fn merge_edges<'t>(
    base: &[&'t str],
    merged: &[&'t str],
    theirs: &[&'t str],
) -> Vec<&'t str> {
    let [mut base, mut merged, mut theirs] = [base, merged, theirs].map(Edges::of);
    // Comments without other lines may be those below lines that a side inserted.
    if base.lines.is_empty() {
        let is_below = |side: &Edges<'_, '_>, comments| side.below == comments;
        let keeps = is_below(&merged, base.above) || is_below(&theirs, base.above);
        let has = theirs.lines.is_empty() && is_below(&merged, theirs.above);
        if has || keeps && !base.above.is_empty() {
            for side in [&mut base, &mut merged, &mut theirs] {
                side.lower();
            }
        }
    }
    let first = if base.above == merged.above { theirs.above } else { merged.above };
    let last = if base.below == merged.below { theirs.below } else { merged.below };
    [first, merged.lines, last].concat()
}

/// Lines, and the comments and blank lines at their edges.
struct Edges<'l, 't> {
    above: &'l [&'t str],
    lines: &'l [&'t str],
    below: &'l [&'t str],
}

impl<'l, 't> Edges<'l, 't> {
    fn of(lines: &'l [&'t str]) -> Edges<'l, 't> {
        let above = lines.iter().take_while(|line| is_beside(line)).count();
        let (above, lines) = lines.split_at(above);
        let below = lines.iter().rev().take_while(|line| is_beside(line)).count();
        let (lines, below) = lines.split_at(lines.len() - below);
        Edges { above, lines, below }
    }

    /// Takes comments without other lines for those below.
    fn lower(&mut self) {
        if self.lines.is_empty() {
            (self.above, self.below) = (&[], self.above);
        }
    }
}

/// Returns true for a comment or a blank line.
pub(super) fn is_beside(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with('#')
}
