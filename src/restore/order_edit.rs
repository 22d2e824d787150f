//! The order of keys of an edited text, taken into the saved document.

use std::ops::Range;

use hashbrown::HashMap;

use super::entries_by_key::key;
use super::matched_nodes::MatchedNodes;
use crate::arena::{Arena, Index, Style};
use crate::layout::LinedText;
use crate::scalar::Identity;
use crate::source::replace_ranges;

/// The texts between which the order of keys is compared. `expanded` is the expansion of
/// `saved`: where `edited` differs from it, somebody moved a key.
pub(super) struct OrderEdit<'a> {
    pub saved: &'a LinedText<'a>,
    pub expanded: &'a LinedText<'a>,
    pub edited: &'a LinedText<'a>,
}

impl OrderEdit<'_> {
    /// Returns the saved document with the keys of its mappings in the edited order;
    /// `None` if no key has to move. Of nested mappings only the outermost is changed.
    pub(super) fn apply(&self, mappings: &[MatchedNodes]) -> Option<String> {
        let text = self.saved.arena.text();
        let moved = mappings.iter().filter_map(|nodes| {
            let saved = nodes.saved?;
            Some((saved, self.new_order(saved, nodes.expanded, nodes.edited)?))
        });
        let mut moved: Vec<(Index, Vec<usize>)> = moved.collect();
        moved.sort_unstable();
        let (mut edits, mut at) = (Vec::new(), 0);
        for (saved, order) in moved {
            let Some(pieces) = self.pieces(saved) else { continue };
            if pieces.first().is_none_or(|first| first.start() < at) {
                continue;
            }
            for (place, &from) in pieces.iter().zip(&order) {
                let new = pieces[from].text_at(place, text);
                edits.push((place.start()..place.body.end, new));
                at = place.body.end;
            }
        }
        let out = replace_ranges(text, edits);
        (out != text).then_some(out)
    }

    /// Returns for each place in a mapping the entry that is to stand there; `None` if
    /// nobody moved a key.
    fn new_order(
        &self,
        saved: Index,
        expanded: Index,
        edited: Index,
    ) -> Option<Vec<usize>> {
        if has_same_keys((self.expanded.arena, expanded), (self.edited.arena, edited)) {
            return None;
        }
        let was = keys(self.expanded.arena, expanded);
        let is = keys(self.edited.arena, edited);
        if was == is {
            return None;
        }
        let here = keys(self.saved.arena, saved);
        let positions = |keys| -> Vec<Option<usize>> {
            let there = places(keys);
            here.iter().map(|key| there.get(key.as_ref()?).copied()).collect()
        };
        let (was, is) = (positions(was), positions(is));
        let own: Vec<usize> =
            (0..was.len()).filter(|&i| was[i].is_some() && is[i].is_some()).collect();
        let sorted_by = |places: &[Option<usize>]| {
            let mut own = own.clone();
            own.sort_by_key(|&i| places[i]);
            own
        };
        let target = sorted_by(&is);
        if sorted_by(&was) == target || own == target {
            return None;
        }
        // Entries that are no keys of the expansion, as directives are, keep their places.
        let mut order: Vec<usize> = (0..was.len()).collect();
        for (&place, &entry) in own.iter().zip(&target) {
            order[place] = entry;
        }
        Some(order)
    }

    /// Returns the text of each entry of a mapping; `None` if they cannot change places.
    fn pieces(&self, saved: Index) -> Option<Vec<Piece>> {
        let (arena, lines) = (self.saved.arena, &self.saved.lines);
        let bounds: Vec<Range<usize>> =
            arena.entries(saved).map(|entry| self.saved.extent(entry)).collect();
        if arena.style(saved) != Style::BlockMapping {
            // Nothing tells which of two entries a comment between them belongs to.
            let (first, last) = (bounds.first()?.start, bounds.last()?.end);
            let mut inside = lines.at(first)..lines.at(last);
            if inside.any(|line| lines.line(line).contains('#')) {
                return None;
            }
            let piece = |body| Piece { above: None, body };
            return Some(bounds.into_iter().map(piece).collect());
        }
        // An entry takes its lines and the comments directly above them.
        let mut pieces: Vec<Piece> = Vec::new();
        for Range { start, .. } in &bounds {
            let above = lines.begun_by(*start).map(|line| {
                let comments = lines.above(line).rev();
                let comments =
                    comments.take_while(|&line| !lines.line(line).trim().is_empty());
                let first = lines.start(line - comments.count());
                (first..lines.start(line), start - lines.start(line))
            });
            if above.is_none() && !pieces.is_empty() {
                return None;
            }
            pieces.push(Piece { above, body: *start..*start });
        }
        let last = lines.start(lines.at(bounds.last()?.end.saturating_sub(1)) + 1);
        // A text without a break at its end has no line to move.
        if !arena.text()[..last].ends_with('\n') {
            return None;
        }
        let mut ends: Vec<usize> = pieces.iter().skip(1).map(Piece::start).collect();
        ends.push(last);
        for (piece, end) in pieces.iter_mut().zip(ends) {
            piece.body.end = end;
        }
        Some(pieces)
    }
}

/// The text of an entry.
struct Piece {
    /// The comments above it, and the number of blanks before it; `None` if it does not
    /// begin a line.
    above: Option<(Range<usize>, usize)>,
    /// The entry up to the next one.
    body: Range<usize>,
}

impl Piece {
    fn start(&self) -> usize {
        self.above.as_ref().map_or(self.body.start, |above| above.0.start)
    }

    /// Returns the entry with its comments as it stands in the place of another one.
    fn text_at(&self, place: &Piece, text: &str) -> String {
        let mut out = String::new();
        // An entry beside a `-` has no line above it.
        if let Some((_, column)) = &place.above {
            if let Some((comments, _)) = &self.above {
                out.push_str(&text[comments.clone()]);
            }
            out.extend(std::iter::repeat_n(' ', *column));
        }
        out.push_str(&text[self.body.clone()]);
        out
    }
}

/// Returns true if two mappings surely have the same scalar keys in the same order, and
/// collections for keys at the same positions.
fn has_same_keys((x, a): (&Arena, Index), (y, b): (&Arena, Index)) -> bool {
    let (mut keys, mut others) = (x.entries(a), y.entries(b));
    let is_same = |(key, _), (other, _)| x.is_surely_same(key, (y, other));
    loop {
        match (keys.next(), others.next()) {
            (None, None) => return true,
            (Some(key), Some(other)) if is_same(key, other) => {}
            _ => return false,
        }
    }
}

/// Returns the keys of a mapping, `None` for those that are not scalars.
fn keys(arena: &Arena, mapping: Index) -> Vec<Option<Identity<'_>>> {
    arena.entries(mapping).map(|(name, _)| key(arena, name)).collect()
}

/// Returns the position of each key of a mapping.
fn places(keys: Vec<Option<Identity<'_>>>) -> HashMap<Identity<'_>, usize> {
    keys.into_iter().zip(0..).filter_map(|(key, at)| Some((key?, at))).collect()
}
