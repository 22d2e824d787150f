//! Changes of theirs beside the data: lines that go over a merged text.

use hashbrown::{HashMap, HashSet};

use super::comments::{comment_counts, is_comment_or_blank};
use super::edges::{Edges, merge_edges};
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
        let known = moved_comments(merged, base, theirs);
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
                        .all(|line| is_comment_or_blank(line)));
            // Comments that are elsewhere already would be there twice.
            let replaced = if takes {
                texts[os.clone()].to_vec()
            } else {
                Edges::of(&texts[os.clone()]).comments()
            };
            let replaced = replaced.into_iter().filter(|_| !known.is_empty());
            let replaced: HashSet<&str> = replaced.map(str::trim).collect();
            let is_new = |line: &&str| {
                let line = line.trim();
                !known.contains(line) || replaced.contains(line)
            };
            let theirs: Vec<&str> = theirs[ts].iter().copied().filter(is_new).collect();
            if takes {
                push(&mut pieces, theirs.into_iter().map(Part::Line));
                continue;
            }
            let parts = &parts[os.clone()];
            if parts.iter().any(|part| matches!(part, Part::Conflict(_))) {
                push(&mut pieces, parts.iter().copied());
                continue;
            }
            let lines = merge_edges(&base[bs], &texts[os], &theirs);
            push(&mut pieces, lines.into_iter().map(Part::Line));
        }
        pieces
    }
}

/// Returns the comments of theirs that the merged text has already, above entries that theirs
/// added or gave them to.
fn moved_comments<'t>(
    merged: &'t [Piece],
    base: &str,
    theirs: &'t str,
) -> HashSet<&'t str> {
    let mut counts = HashMap::new();
    for piece in merged {
        for (line, count) in comment_counts(piece.ours()) {
            *counts.entry(line).or_insert(0) += count;
        }
    }
    let base = comment_counts(base);
    let is_moved = |(line, most): &(&'t str, usize)| {
        let count = counts.get(line).copied().unwrap_or(0);
        count >= *most && count > base.get(line).copied().unwrap_or(0)
    };
    comment_counts(theirs).into_iter().filter(is_moved).map(|(line, _)| line).collect()
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
