//! Rows of children of three collections that belong together, and their order in the result;
//! stretches of lines.

use std::hash::Hash;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::compare::{align, ascending, pair_renamed};

/// Arranges what is known by its key, which no two of a version share. What theirs added
/// follows the same child as there; what ours added or moved to the same place comes first.
/// In a mapping, what theirs has in place of a removed entry stands where that was.
///
/// With `ordered`, the order is that of the side that changed it; `None` if both sides did,
/// in two ways. Else it is that of ours.
pub(super) fn by_key(
    [base, ours, theirs]: [&[u32]; 3],
    ordered: bool,
) -> Option<Vec<Row>> {
    let places = [base, ours, theirs].map(places);
    let [in_base, in_ours, in_theirs] = &places;
    let reordered = [ours, theirs].map(|side| ordered && !ascends(side, in_base));
    if reordered == [true, true] && !is_same_order(ours, theirs, in_base) {
        return None;
    }
    let follows_theirs = reordered == [false, true];
    let (main, other) = if follows_theirs { (theirs, ours) } else { (ours, theirs) };
    let in_main = if follows_theirs { in_theirs } else { in_ours };
    let in_other = if follows_theirs { in_ours } else { in_theirs };
    // In a list, what moved is a place as well.
    let [moved_here, moved_there] = [main, other]
        .map(|side| if ordered { HashSet::new() } else { moved(side, in_base) });
    // Children that only the other side has, by the position in the main one that they follow.
    let mut followers = HashMap::<_, Vec<u32>>::new();
    let mut after = None;
    for key in other {
        match in_main.get(key) {
            Some(_) if moved_here.contains(key) || moved_there.contains(key) => {}
            Some(&at) => after = Some(at),
            None => followers.entry(after).or_default().push(*key),
        }
    }
    let mut keys = Vec::with_capacity(main.len() + other.len());
    let mut waiting = followers.remove(&None).unwrap_or_default();
    let mut has_place = false;
    let mut is_replaced = false;
    for (at, key) in main.iter().enumerate() {
        let is_removed = in_base.contains_key(key) && !in_other.contains_key(key);
        let is_place = in_other.contains_key(key) && !moved_here.contains(key);
        // Additions of ours come first, but not before what theirs has in place of an entry
        // that stood above them. At the start they do: the head of the file stays above what
        // ours has first.
        let is_behind = has_place && is_replaced && !is_removed && !ordered;
        if follows_theirs || is_place || is_behind {
            keys.append(&mut waiting);
        }
        is_replaced = is_removed || is_replaced && !is_place;
        has_place |= is_place;
        keys.push(*key);
        waiting.extend(followers.remove(&Some(at)).unwrap_or_default());
    }
    keys.append(&mut waiting);
    let row = keys.iter().map(|key| places.each_ref().map(|it| it.get(key).copied()));
    Some(row.collect())
}

/// Arranges items by their values, between those that both sides kept. What one side alone
/// changed between two of these is as that side has it. Where both did, and all three have
/// as many items there, `are_same` tells if these are merged one by one. The order may change
/// on one side, if the other one changed no item.
///
/// Returns `None` if both sides changed items at one place in different ways, one the order and
/// the other one items, or items repeat and both sides changed some.
pub(super) fn by_value(
    values: [&[u32]; 3],
    mut are_same: impl FnMut([Range<usize>; 3]) -> bool,
) -> Option<Vec<Row>> {
    let [base, ours, theirs] = values;
    let [in_base, in_ours, in_theirs] = values.map(places);
    let is_unique = in_base.len() == base.len()
        && in_ours.len() == ours.len()
        && in_theirs.len() == theirs.len();
    if !is_unique {
        return repeated(values, are_same);
    }
    if !ascends(ours, &in_base) || !ascends(theirs, &in_base) {
        let is_one_sided = ours == base || theirs == base;
        return is_one_sided.then(|| by_key(values, true))?;
    }
    let mut rows = Vec::new();
    let mut from = [0; 3];
    let kept = base.iter().enumerate().filter_map(|(at, value)| {
        Some([at, *in_ours.get(value)?, *in_theirs.get(value)?])
    });
    let ends = [base.len(), ours.len(), theirs.len()];
    for to in kept.chain([ends]) {
        let range = [0, 1, 2].map(|side| from[side]..to[side]);
        between(values, range, &mut are_same, &mut rows)?;
        if to != ends {
            rows.push(to.map(Some));
        }
        from = to.map(|at| at + 1);
    }
    // The same new item at two places would be there twice.
    let value = |row: &Row| {
        let [before, ours, theirs] =
            [0, 1, 2].map(|side| row[side].map(|at| values[side][at]));
        ours.filter(|_| ours != before).or(theirs).or(ours)
    };
    let merged: HashSet<u32> = rows.iter().filter_map(value).collect();
    (merged.len() == rows.len()).then_some(rows)
}

/// Arranges items of which some are equal, if one side left them as they were.
fn repeated(
    values: [&[u32]; 3],
    mut are_same: impl FnMut([Range<usize>; 3]) -> bool,
) -> Option<Vec<Row>> {
    let [base, ours, theirs] = values;
    if ours != base && theirs != base {
        return None;
    }
    let mut rows = Vec::new();
    for (stretch, equal) in stretches(values) {
        if equal {
            let [base, ours, theirs] = stretch;
            let same = base.zip(ours).zip(theirs);
            rows.extend(
                same.map(|((base, ours), theirs)| [base, ours, theirs].map(Some)),
            );
        } else {
            between(values, stretch, &mut are_same, &mut rows)?;
        }
    }
    Some(rows)
}

/// Adds the rows between two items that both sides kept.
fn between(
    values: [&[u32]; 3],
    range: [Range<usize>; 3],
    mut are_same: impl FnMut([Range<usize>; 3]) -> bool,
    rows: &mut Vec<Row>,
) -> Option<()> {
    let [base, ours, theirs] = [0, 1, 2].map(|side| &values[side][range[side].clone()]);
    let from = range.each_ref().map(|range| range.start);
    let same_length = base.len() == ours.len() && base.len() == theirs.len();
    // The versions that have items in the rows, and the number of these.
    let (has_items, count) = if ours == theirs {
        ([false, true, true], ours.len())
    } else if same_length && (ours == base || theirs == base || are_same(range)) {
        // The comments of both sides are merged, too.
        ([true, true, true], base.len())
    } else if ours == base {
        ([false, false, true], theirs.len())
    } else if theirs == base {
        ([false, true, false], ours.len())
    } else {
        return None;
    };
    rows.extend(
        (0..count)
            .map(|at| [0, 1, 2].map(|side| has_items[side].then(|| from[side] + at))),
    );
    Some(())
}

/// Returns the positions of keys.
pub(super) fn places(keys: &[u32]) -> HashMap<u32, usize> {
    keys.iter().zip(0..).map(|(&key, at)| (key, at)).collect()
}

/// Returns what a side kept of the base, and not in its order: as few as possible.
pub(super) fn moved(side: &[u32], in_base: &HashMap<u32, usize>) -> HashSet<u32> {
    let kept = side.iter().enumerate();
    let kept = kept.filter_map(|(at, key)| Some((at, *in_base.get(key)?)));
    let kept: Vec<(usize, usize)> = kept.collect();
    let stay: HashSet<usize> = ascending(&kept).into_iter().map(|it| it.0).collect();
    let moved = kept.iter().filter(|it| !stay.contains(&it.0));
    moved.map(|&(at, _)| side[at]).collect()
}

/// Returns true if what a side kept of the base is in the order of the base.
fn ascends(side: &[u32], in_base: &HashMap<u32, usize>) -> bool {
    side.iter().filter_map(|key| in_base.get(key)).is_sorted()
}

/// Returns true if what both sides kept of the base is in the same order in both.
fn is_same_order(ours: &[u32], theirs: &[u32], in_base: &HashMap<u32, usize>) -> bool {
    let [in_ours, in_theirs] = [ours, theirs].map(places);
    let here = ours.iter().filter(|key| in_theirs.contains_key(*key));
    let there = theirs.iter().filter(|key| in_ours.contains_key(*key));
    let here = here.filter(|key| in_base.contains_key(*key));
    here.eq(there.filter(|key| in_base.contains_key(*key)))
}

/// The versions, as places of a [`Row`].
pub(super) const BASE: usize = 0;
pub(super) const OURS: usize = 1;
pub(super) const THEIRS: usize = 2;

/// The positions of an entry, an item or a document in the three versions.
pub(super) type Row = [Option<usize>; 3];

/// Returns what a row has of three collections.
pub(super) fn row_of<T: Copy>(row: Row, collections: &[Vec<T>; 3]) -> [Option<T>; 3] {
    [0, 1, 2].map(|side| row[side].map(|at| collections[side][at]))
}

/// Gives the children that a side renamed the numbers of what they were. The other side has
/// renamed them, too, or kept them, with the same content or, with `joins_changed`, with any.
/// Otherwise the result would have them under both names, or lose the comments that the other
/// side changed. `content` returns what tells a child from others beside its name, by its
/// version and its position there; `None` if nothing does.
pub(super) fn number_renamed<C: Eq + Hash>(
    numbers: &mut [Vec<u32>; 3],
    joins_changed: bool,
    mut content: impl FnMut(usize, usize) -> Option<C>,
) {
    let places = numbers.each_ref().map(|numbers| places(numbers));
    let renamed = [OURS, THEIRS].map(|side| {
        let removed =
            numbers[BASE].iter().filter(|number| !places[side].contains_key(*number));
        let removed: Vec<usize> = removed.map(|number| places[BASE][number]).collect();
        let added = numbers[side].iter().filter(|&number| {
            (0..3).all(|it| it == side || !places[it].contains_key(number))
        });
        let added: Vec<usize> = added.map(|number| places[side][number]).collect();
        if added.is_empty() {
            return HashMap::new();
        }
        let before: Vec<Option<C>> =
            removed.iter().map(|&at| content(BASE, at)).collect();
        let after: Vec<Option<C>> = added.iter().map(|&at| content(side, at)).collect();
        let pairs = pair_renamed(before, after);
        let new = (0..)
            .zip(removed)
            .filter_map(|(at, old)| Some((old, added[pairs.new_of(at)?])));
        new.collect::<HashMap<usize, usize>>()
    });
    for (side, other) in [(OURS, THEIRS), (THEIRS, OURS)] {
        for (&base, &at) in &renamed[side - 1] {
            let number = numbers[BASE][base];
            let stays = match places[other].get(&number) {
                Some(&kept) => {
                    joins_changed || content(other, kept) == content(BASE, base)
                }
                None => renamed[other - 1].contains_key(&base),
            };
            if stays {
                numbers[side][at] = number;
            }
        }
    }
}

/// A stretch of lines of three texts, between those that are the same in all.
pub(super) type Stretch = [Range<usize>; 3];

/// Returns the stretches of three sequences of lines, equal ones and others in turn, each with
/// true if all three are equal there.
pub(super) fn stretches([base, ours, theirs]: [&[u32]; 3]) -> Vec<(Stretch, bool)> {
    let to_ours = lowered(align(base, ours), base, ours);
    let to_theirs = lowered(align(base, theirs), base, theirs);
    let mut stretches: Vec<(Stretch, bool)> = Vec::new();
    let mut from = [0; 3];
    let mut there = to_theirs.into_iter().peekable();
    let both = to_ours.into_iter().filter_map(|(at, here)| {
        while there.next_if(|&(before, _)| before < at).is_some() {}
        let (_, there) = there.next_if(|&(same, _)| same == at)?;
        Some([at, here, there])
    });
    let mut push = |from: [usize; 3], to: [usize; 3], equal: bool| {
        let next = [0, 1, 2].map(|side| from[side]..to[side]);
        match stretches.last_mut() {
            _ if next.iter().all(Range::is_empty) => {}
            Some((last, true)) if equal => {
                last.iter_mut().zip(to).for_each(|(last, to)| last.end = to);
            }
            _ => stretches.push((next, equal)),
        }
    };
    for at in both {
        push(from, at, false);
        let next = at.map(|at| at + 1);
        push(at, next, true);
        from = next;
    }
    push(from, [base.len(), ours.len(), theirs.len()], false);
    stretches
}

/// Returns an alignment in which what one sequence alone has stands as far down as equal lines
/// let it, as in git.
// Else a line that both sides add to equal ones could be added above them by one side and
// below them by the other.
fn lowered(
    mut pairs: Vec<(usize, usize)>,
    old: &[u32],
    new: &[u32],
) -> Vec<(usize, usize)> {
    let mut from = (0, 0);
    for pair in &mut pairs {
        let is_one_sided = (pair.0 == from.0) != (pair.1 == from.1);
        if is_one_sided && old[from.0] == new[from.1] {
            *pair = from;
        }
        from = (pair.0 + 1, pair.1 + 1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the merged keys.
    fn keyed(versions: [&[u32]; 3]) -> Option<Vec<u32>> {
        let key = |row: &Row| {
            row[OURS].map(|at| versions[1][at]).or(row[THEIRS].map(|at| versions[2][at]))
        };
        by_key(versions, true).map(|rows| rows.iter().filter_map(key).collect())
    }

    #[test]
    fn new_items_of_theirs_follow_those_of_ours() {
        let merged = keyed([&[1, 2], &[1, 8, 2, 9], &[6, 1, 7, 2]]);
        assert_eq!(merged, Some(vec![6, 1, 8, 7, 2, 9]));
    }

    #[test]
    fn the_side_that_changed_the_order_has_it() {
        assert_eq!(
            keyed([&[1, 2, 3], &[1, 2, 4, 3], &[3, 2, 1]]),
            Some(vec![3, 2, 4, 1])
        );
        assert_eq!(keyed([&[1, 2, 3], &[3, 2, 1], &[2, 1, 3]]), None);
        assert_eq!(keyed([&[1, 2, 3], &[3, 2, 1], &[3, 2, 1]]), Some(vec![3, 2, 1]));
    }

    #[test]
    fn items_without_names_merge_between_those_that_stay() {
        let rows = |versions| by_value(versions, |_| false).map(|rows| rows.len());
        assert_eq!(rows([&[1, 2, 3], &[9, 1, 2, 3], &[1, 2, 3, 8]]), Some(5));
        assert_eq!(rows([&[1, 2, 3], &[1, 9, 3], &[1, 8, 3]]), None);
        assert_eq!(rows([&[1, 2], &[9, 1, 2], &[1, 2, 9]]), None);
        assert_eq!(rows([&[1, 2, 3], &[9, 8, 2, 3], &[1, 2, 9]]), None);
        assert_eq!(rows([&[1, 2, 3], &[1, 2, 9], &[9, 8, 2, 3]]), None);
        assert_eq!(rows([&[1, 1], &[1], &[1, 1, 2]]), None);
    }
}
