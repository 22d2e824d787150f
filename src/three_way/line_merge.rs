//! The merge of three texts by lines, as `git merge-file` does it, and the conflicts of a text
//! that is one with ours and another with theirs.

use super::arrange::stretches;
use super::merged::{Merged, Piece};
use crate::compare::Numbering;
use crate::layout::lines;

/// Merges three texts by lines. Lines that both sides changed, or that touch such lines,
/// are a conflict, unless both changed them in the same way.
pub fn merge_lines(base: &str, ours: &str, theirs: &str) -> Merged {
    Merged::new(pieces(base, ours, theirs), Vec::new())
}

/// Returns the merged text if nothing conflicts.
pub(super) fn merge_cleanly(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let pieces = pieces(base, ours, theirs);
    let clean = |piece: &Piece| matches!(piece, Piece::Merged(_));
    pieces.iter().all(clean).then(|| pieces.iter().map(Piece::ours).collect())
}

fn pieces(base: &str, ours: &str, theirs: &str) -> Vec<Piece> {
    let [base, ours, theirs] = [base, ours, theirs].map(lines);
    let [b, o, t] = Numbering::each([&base[..], &ours, &theirs]);
    let mut pieces: Vec<Piece> = Vec::new();
    for ([bs, os, ts], equal) in stretches([&b, &o, &t]) {
        let (base, [here, there]) = (&b[bs], [&o[os.clone()], &t[ts.clone()]]);
        if equal || here == there || base == there {
            push(&mut pieces, &ours[os]);
        } else if base == here {
            push(&mut pieces, &theirs[ts]);
        } else {
            push_conflict(&mut pieces, &ours[os], &theirs[ts], false);
        }
    }
    pieces
}

/// Returns two texts as one, with a conflict for all lines between those that begin both and
/// those that end both.
pub(super) fn difference(ours: &str, theirs: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    push_conflict(&mut pieces, &lines(ours), &lines(theirs), true);
    pieces
}

/// Returns two texts as one. The outlines are the same text with something else at each
/// conflict.
// Without outlines a line of one conflict could be taken for an equal one of another.
pub(super) fn difference_by(outlines: [&str; 2], ours: &str, theirs: &str) -> Vec<Piece> {
    let [outline, other] = outlines.map(lines);
    let [ours, theirs] = [ours, theirs].map(lines);
    let [mut p, o, t] = Numbering::each([&outline[..], &ours, &theirs]);
    let is_conflict = |at: usize| other.get(at) != outline.get(at);
    for (at, number) in p.iter_mut().enumerate() {
        if is_conflict(at) {
            *number = u32::MAX;
        }
    }
    let mut pieces = Vec::new();
    for ([base, os, ts], equal) in stretches([&p, &o, &t]) {
        if equal || o[os.clone()] == t[ts.clone()] {
            push(&mut pieces, &ours[os]);
            continue;
        }
        let trims = base.filter(|&at| is_conflict(at)).count() == 1;
        push_conflict(&mut pieces, &ours[os], &theirs[ts], trims);
    }
    pieces
}

/// Adds a conflict; with `trims`, without the lines that both begin or end with.
fn push_conflict(pieces: &mut Vec<Piece>, ours: &[&str], theirs: &[&str], trims: bool) {
    let same = |(a, b): &(&&str, &&str)| trims && a == b;
    let first = ours.iter().zip(theirs).take_while(same).count();
    let rest = ours[first..].iter().rev().zip(theirs[first..].iter().rev());
    let last = rest.take_while(same).count();
    let (here, there) = (first..ours.len() - last, first..theirs.len() - last);
    push(pieces, &ours[..first]);
    if !here.is_empty() || !there.is_empty() {
        let (ours, theirs) = (ours[here.clone()].concat(), theirs[there].concat());
        pieces.push(Piece::Conflict { ours, theirs });
    }
    push(pieces, &ours[here.end..]);
}

fn push(pieces: &mut Vec<Piece>, lines: &[&str]) {
    if lines.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(Piece::Merged(text)) => text.push_str(&lines.concat()),
        _ => pieces.push(Piece::Merged(lines.concat())),
    }
}
