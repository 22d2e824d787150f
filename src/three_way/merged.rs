//! The result of a merge; the merge of three texts by lines, as `git merge-file` does it; and the
//! conflicts of a text that is one with ours and another with theirs.

use std::fmt;

use super::arrange::stretches;
use crate::compare::{Numbering, align, common_ends};
use crate::layout::lines;

/// The number of signs in a conflict marker of git.
pub const MARKER_SIZE: usize = 7;

/// The result of a merge.
#[derive(Clone, Debug)]
pub struct Merged {
    pub(super) pieces: Vec<MergedPiece>,
    /// The places that both sides changed differently; of a merge by lines none.
    pub conflicts: Vec<Conflict>,
}

impl Merged {
    /// Returns a result without conflicts.
    pub(super) fn clean(text: &str) -> Merged {
        Merged::new(vec![MergedPiece::Merged(text.to_owned())], Vec::new())
    }

    /// Returns the result that has conflicts at some paths of a document.
    pub(super) fn new(pieces: Vec<MergedPiece>, paths: Vec<String>) -> Merged {
        let conflict = |path| Conflict { document: None, path };
        Merged { pieces, conflicts: paths.into_iter().map(conflict).collect() }
    }

    /// Returns the result in which the whole document is one conflict.
    pub(super) fn conflict(pieces: Vec<MergedPiece>) -> Merged {
        Merged::new(pieces, vec![String::new()])
    }

    /// Returns the merge of base, ours and theirs if it needs no look at what changed: the
    /// sides are the same, or one side is as the base.
    pub(super) fn obvious([base, ours, theirs]: [&str; 3]) -> Option<Merged> {
        if ours == theirs || base == theirs {
            return Some(Merged::clean(ours));
        }
        (base == ours).then(|| Merged::clean(theirs))
    }

    /// Returns true if a part of the text has no merged form.
    pub fn has_conflicts(&self) -> bool {
        let mut pieces = self.pieces.iter();
        !self.conflicts.is_empty()
            || pieces.any(|piece| matches!(piece, MergedPiece::Conflict { .. }))
    }

    /// Returns the merged text with ours at all conflicts.
    pub fn ours(&self) -> String {
        self.pieces.iter().map(MergedPiece::ours).collect()
    }

    /// Returns the merged text with theirs at all conflicts.
    pub fn theirs(&self) -> String {
        self.pieces.iter().map(MergedPiece::theirs).collect()
    }

    /// Returns the merged text with the conflict markers of git around the lines of each conflict.
    pub fn marked(&self, markers: &Markers<'_>) -> String {
        let crlf = self.pieces.iter().any(|piece| piece.ours().contains("\r\n"));
        let newline = if crlf { "\r\n" } else { "\n" };
        let base = markers.base.as_ref().map(|base| BaseLines::new(base.text, self));
        let mut text = String::new();
        // The number of lines before a piece, in ours and in theirs.
        let mut before = [0; 2];
        for piece in &self.pieces {
            let sides = [piece.ours(), piece.theirs()];
            let counts = sides.map(|side| lines(side).len());
            let after = [before[0] + counts[0], before[1] + counts[1]];
            if let MergedPiece::Conflict { ours, theirs } = piece {
                markers.line(&mut text, '<', markers.ours, newline);
                text.push_str(ours);
                if let (Some(marked), Some(base)) = (&markers.base, &base) {
                    markers.line(&mut text, '|', marked.name, newline);
                    text.push_str(&base.between(before, after));
                }
                markers.line(&mut text, '=', "", newline);
                text.push_str(theirs);
                markers.line(&mut text, '>', markers.theirs, newline);
            } else {
                text.push_str(piece.ours());
            }
            before = after;
        }
        text
    }
}

/// The lines of the base, and those of each side that are the same.
struct BaseLines<'b> {
    lines: Vec<&'b str>,
    /// For each side: places of equal lines, in the base and in the side, in order.
    equal: [Vec<(usize, usize)>; 2],
}

impl<'b> BaseLines<'b> {
    fn new(base: &'b str, merged: &Merged) -> BaseLines<'b> {
        let [ours, theirs] = [merged.ours(), merged.theirs()];
        let base = lines(base);
        let [b, o, t] = Numbering::each([&base[..], &lines(&ours), &lines(&theirs)]);
        BaseLines { equal: [align(&b, &o), align(&b, &t)], lines: base }
    }

    /// Returns the lines of the base that stand where both sides have a conflict, which begins
    /// and ends at these lines of theirs.
    fn between(&self, starts: [usize; 2], ends: [usize; 2]) -> String {
        let ranges = [0, 1].map(|side| {
            let equal = &self.equal[side];
            let first = equal.partition_point(|&(_, there)| there < starts[side]);
            let last = equal.partition_point(|&(_, there)| there < ends[side]);
            let start = first.checked_sub(1).map_or(0, |at| equal[at].0 + 1);
            start..equal.get(last).map_or(self.lines.len(), |&(at, _)| at)
        });
        let [ours, theirs] = ranges;
        let start = ours.start.max(theirs.start);
        let end = ours.end.min(theirs.end).max(start);
        self.lines[start..end].concat()
    }
}

/// The markers around the lines of a conflict, as git has them.
#[derive(Clone, Debug)]
pub struct Markers<'m> {
    /// The number of signs in each.
    pub size: usize,
    /// The name of ours.
    pub ours: &'m str,
    /// The name of theirs.
    pub theirs: &'m str,
    /// The base, if its lines are shown, too: the style `diff3`.
    pub base: Option<MarkedBase<'m>>,
}

/// The base of a merge, for markers.
#[derive(Clone, Debug)]
pub struct MarkedBase<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its text.
    pub text: &'m str,
}

impl Default for Markers<'_> {
    fn default() -> Self {
        Markers { size: MARKER_SIZE, ours: "ours", theirs: "theirs", base: None }
    }
}

impl Markers<'_> {
    /// Adds a line with a marker, and the name of a version.
    fn line(&self, text: &mut String, sign: char, name: &str, newline: &str) {
        end_line(text, newline);
        text.extend(std::iter::repeat_n(sign, self.size));
        if !name.is_empty() {
            text.push(' ');
            text.push_str(name);
        }
        text.push_str(newline);
    }
}

/// Ends the last line of a text, if there is one.
pub(super) fn end_line(text: &mut String, newline: &str) {
    if !text.is_empty() && !text.ends_with(['\n', '\r']) {
        text.push_str(newline);
    }
}

/// A place that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// In a stream of documents: which of them, as `where` of an op selects it, or
    /// `document=2` if they have no names.
    pub document: Option<String>,
    /// The path in the document: `/a/name=x/b`; empty for all of it.
    pub path: String,
}

/// Prints the path, behind the document if there are several. An empty path, which nobody
/// would see, prints as `/ (the document)`; `/` alone is the entry with an empty key.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(document) = &self.document {
            write!(f, "{document} ")?;
        }
        f.write_str(if self.path.is_empty() { "/ (the document)" } else { &self.path })
    }
}

/// A part of the merged text, in whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MergedPiece {
    Merged(String),
    Conflict { ours: String, theirs: String },
}

impl MergedPiece {
    pub(super) fn ours(&self) -> &str {
        match self {
            MergedPiece::Merged(text) => text,
            MergedPiece::Conflict { ours, .. } => ours,
        }
    }

    pub(super) fn theirs(&self) -> &str {
        match self {
            MergedPiece::Merged(text) => text,
            MergedPiece::Conflict { theirs, .. } => theirs,
        }
    }
}

/// Merges three texts by lines. Lines that both sides changed, or that touch such lines,
/// are a conflict, unless both changed them in the same way.
pub fn merge_lines(base: &str, ours: &str, theirs: &str) -> Merged {
    let [base, ours, theirs] = [base, ours, theirs].map(lines);
    let [b, o, t] = Numbering::each([&base[..], &ours, &theirs]);
    let mut pieces: Vec<MergedPiece> = Vec::new();
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
    Merged::new(pieces, Vec::new())
}

/// Returns the merged text if nothing conflicts.
pub(super) fn merge_cleanly(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let merged = merge_lines(base, ours, theirs);
    (!merged.has_conflicts()).then(|| merged.ours())
}

/// Returns two texts as one, with a conflict for all lines between those that begin both and
/// those that end both.
pub(super) fn difference(ours: &str, theirs: &str) -> Vec<MergedPiece> {
    let mut pieces = Vec::new();
    push_conflict(&mut pieces, &lines(ours), &lines(theirs), true);
    pieces
}

/// Returns two texts as one. The outlines are the same text with something else at each
/// conflict.
// Without outlines a line of one conflict could be taken for an equal one of another.
pub(super) fn difference_by(
    outlines: [&str; 2],
    ours: &str,
    theirs: &str,
) -> Vec<MergedPiece> {
    let [outline, other] = outlines.map(lines);
    let [ours, theirs] = [ours, theirs].map(lines);
    let [mut p, o, t] = Numbering::each([&outline[..], &ours, &theirs]);
    for (at, number) in p.iter_mut().enumerate() {
        if other.get(at) != outline.get(at) {
            *number = u32::MAX;
        }
    }
    let mut pieces = Vec::new();
    for ([base, os, ts], equal) in stretches([&p, &o, &t]) {
        if equal || o[os.clone()] == t[ts.clone()] {
            push(&mut pieces, &ours[os]);
            continue;
        }
        let trims = p[base].iter().filter(|&&number| number == u32::MAX).count() == 1;
        push_conflict(&mut pieces, &ours[os], &theirs[ts], trims);
    }
    pieces
}

/// Adds a conflict; with `trims`, without the lines that both begin or end with.
fn push_conflict(
    pieces: &mut Vec<MergedPiece>,
    ours: &[&str],
    theirs: &[&str],
    trims: bool,
) {
    let [first, last] = common_ends(ours, theirs, |a, b| trims && a == b);
    push(pieces, &ours[..first]);
    let [here, there] = [ours, theirs].map(|it| it[first..it.len() - last].concat());
    if !here.is_empty() || !there.is_empty() {
        pieces.push(MergedPiece::Conflict { ours: here, theirs: there });
    }
    push(pieces, &ours[ours.len() - last..]);
}

fn push(pieces: &mut Vec<MergedPiece>, lines: &[&str]) {
    if lines.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(MergedPiece::Merged(text)) => text.push_str(&lines.concat()),
        _ => pieces.push(MergedPiece::Merged(lines.concat())),
    }
}
