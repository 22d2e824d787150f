//! Changes of theirs beside the data: lines that go over a merged text.

use super::edges::{Edges, merge_edges};
use super::moved_comments::MovedComments;
use super::piece::Piece;
use super::stretch::Stretch;
use crate::compare::Numbering;
use crate::layout::{each_line, is_comment_or_blank, lines};

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
        let moved = MovedComments::of(merged, base, theirs);
        let (base, theirs) = (lines(base), lines(theirs));
        let mut parts = Vec::new();
        for piece in merged {
            match piece {
                Piece::Merged(text) => {
                    parts.extend(each_line(text).map(Part::Line));
                }
                Piece::Conflict { .. } => parts.push(Part::Conflict(piece)),
            }
        }
        let mut numbers = Numbering::default();
        let [b, t] = [&base, &theirs].map(|lines| numbers.all(lines.iter().copied()));
        let number = |part: &Part<'t>| match part {
            Part::Line(line) => numbers.of(*line),
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
                        .all(|line| is_comment_or_blank(line)));
            if takes {
                let theirs = moved.filter(&theirs[ts], &texts[os]);
                push(&mut pieces, theirs.into_iter().map(Part::Line));
                continue;
            }
            let parts = &parts[os.clone()];
            if parts.iter().any(|part| matches!(part, Part::Conflict(_))) {
                push(&mut pieces, parts.iter().copied());
                continue;
            }
            let edges = Edges::of(&texts[os.clone()]).comments();
            let theirs = moved.filter(&theirs[ts], &edges);
            let lines = merge_edges(&base[bs], &texts[os], &theirs);
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
