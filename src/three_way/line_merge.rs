//! The merge of three texts by lines, as `git merge-file` does it.

use super::merged::Merged;
use super::piece::Piece;
use super::stretch::Stretch;
use crate::compare::Numbering;
use crate::layout::lines;

/// Merges three texts by lines. Lines that both sides changed, or that touch such lines,
/// are a conflict, unless both changed them in the same way.
pub fn merge_lines(base: &str, ours: &str, theirs: &str) -> Merged {
    Merged { pieces: pieces(base, ours, theirs), conflicts: Vec::new() }
}

/// Returns the merged text if nothing conflicts.
pub(super) fn merge_cleanly(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let pieces = pieces(base, ours, theirs);
    let clean = |piece: &Piece| matches!(piece, Piece::Merged(_));
    pieces.iter().all(clean).then(|| pieces.iter().map(Piece::ours).collect())
}

fn pieces(base: &str, ours: &str, theirs: &str) -> Vec<Piece> {
    let [base, ours, theirs] = [base, ours, theirs].map(lines);
    let mut numbers = Numbering::default();
    let [b, o, t] =
        [&base, &ours, &theirs].map(|lines| numbers.all(lines.iter().copied()));
    let mut pieces: Vec<Piece> = Vec::new();
    for (Stretch { base: bs, ours: os, theirs: ts }, equal) in Stretch::all(&b, &o, &t) {
        let text = if equal
            || o[os.clone()] == t[ts.clone()]
            || b[bs.clone()] == t[ts.clone()]
        {
            ours[os].concat()
        } else if b[bs] == o[os.clone()] {
            theirs[ts].concat()
        } else {
            let (ours, theirs) = (ours[os].concat(), theirs[ts].concat());
            pieces.push(Piece::Conflict { ours, theirs });
            continue;
        };
        match pieces.last_mut() {
            Some(Piece::Merged(before)) => before.push_str(&text),
            _ => pieces.push(Piece::Merged(text)),
        }
    }
    pieces
}
