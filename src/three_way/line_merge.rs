//! The merge of three texts by lines, as `git merge-file` does it.

use hashbrown::HashMap;

use super::merged::Merged;
use super::piece::Piece;
use super::stretch::Stretch;
use crate::diff::lines;

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
    let mut numbers = LineNumbers::default();
    let [b, o, t] = [&base, &ours, &theirs].map(|lines| numbers.of(lines));
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

/// The numbers of lines: equal lines have the same.
#[derive(Default)]
pub(super) struct LineNumbers<'t>(HashMap<&'t str, u32>);

impl<'t> LineNumbers<'t> {
    pub(super) fn of(&mut self, lines: &[&'t str]) -> Vec<u32> {
        lines.iter().map(|line| self.of_line(line)).collect()
    }

    pub(super) fn of_line(&mut self, line: &'t str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(line).or_insert(next)
    }
}
