//! Rows of children of three collections that belong together, and their order in the result;
//! stretches of lines.

use std::hash::Hash;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::compare::{align, pair_renamed};

/// Arranges what is known by its key, which no two of a version share. What theirs added
/// keeps what stands before it; what ours added at the same place comes first.
///
/// With `ordered`, the order is that of the side that changed it; `None` if both sides did,
/// in two ways. Else it is that of ours.
pub(super) fn by_key(
    [base, ours, theirs]: [&[u32]; 3],
    ordered: bool,
) -> Option<Vec<Row>> {
    let places = [base, ours, theirs].map(places);
    let [in_base, in_ours, in_theirs] = &places;
    let reordered = |side: &[u32]| ordered && !ascends(side, in_base);
    let follows_theirs = match (reordered(ours), reordered(theirs)) {
        (true, true) if !is_same_order(ours, theirs, in_base) => return None,
        (ours, theirs) => theirs && !ours,
    };
    let row = |key: &u32| places.each_ref().map(|places| places.get(key).copied());
    let (main, other) = if follows_theirs { (theirs, ours) } else { (ours, theirs) };
    let in_main = if follows_theirs { in_theirs } else { in_ours };
    let in_other = if follows_theirs { in_ours } else { in_theirs };
    // Children that only the other side has, by the position in the main one that they follow.
    let (mut followers, mut after) = (HashMap::<_, Vec<u32>>::new(), None);
    for key in other {
        match in_main.get(key) {
            Some(&at) => after = Some(at),
            None => followers.entry(after).or_default().push(*key),
        }
    }
    let mut rows = Vec::with_capacity(main.len() + other.len());
    let mut waiting = followers.remove(&None).unwrap_or_default();
    for (at, key) in main.iter().enumerate() {
        // Additions of ours at the same place come first. What the other side removed is no
        // place.
        if follows_theirs || in_other.contains_key(key) {
            rows.extend(waiting.drain(..).map(|key| row(&key)));
        }
        rows.push(row(key));
        waiting.extend(followers.remove(&Some(at)).unwrap_or_default());
    }
    rows.extend(waiting.iter().map(row));
    Some(rows)
}

/// Arranges items by their values, between those that both sides kept. What one side alone
/// changed between two of these is as that side has it. Where both did, and all three have
/// as many items there, `are_same` tells if these are merged one by one.
///
/// Returns `None` if a side changed the order of the items, both sides changed items at one
/// place in different ways, or items repeat and both sides changed some.
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
        return None;
    }
    let (mut rows, mut from) = (Vec::new(), [0; 3]);
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
    let all = |at: usize| from.map(|from| Some(from + at));
    let our = |at: usize| Some(from[1] + at);
    let their = |at: usize| Some(from[2] + at);
    let same_length = base.len() == ours.len() && base.len() == theirs.len();
    if ours == theirs {
        rows.extend((0..ours.len()).map(|at| [None, our(at), their(at)]));
    } else if same_length && (ours == base || theirs == base || are_same(range)) {
        // The comments of both sides are merged, too.
        rows.extend((0..base.len()).map(all));
    } else if ours == base {
        rows.extend((0..theirs.len()).map(|at| [None, None, their(at)]));
    } else if theirs == base {
        rows.extend((0..ours.len()).map(|at| [None, our(at), None]));
    } else {
        return None;
    }
    Some(())
}

fn places(keys: &[u32]) -> HashMap<u32, usize> {
    keys.iter().zip(0..).map(|(&key, at)| (key, at)).collect()
}

/// Returns true if what a side kept of the base is in the order of the base.
fn ascends(side: &[u32], in_base: &HashMap<u32, usize>) -> bool {
    side.iter().filter_map(|key| in_base.get(key)).is_sorted()
}

/// Returns true if what both sides kept of the base is in the same order in both.
fn is_same_order(ours: &[u32], theirs: &[u32], in_base: &HashMap<u32, usize>) -> bool {
    let (in_ours, in_theirs) = (places(ours), places(theirs));
    let here = ours.iter().filter(|key| in_theirs.contains_key(*key));
    let there = theirs.iter().filter(|key| in_ours.contains_key(*key));
    let is_kept = |key: &&u32| in_base.contains_key(*key);
    here.filter(is_kept).eq(there.filter(is_kept))
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

/// Returns the position of a child that no other version has.
fn only(row: &Row, side: usize) -> Option<usize> {
    row[side].filter(|_| row.iter().flatten().count() == 1)
}

/// The positions that children of the base have on a side that renamed them.
type Renames = HashMap<usize, usize>;

/// Joins the rows of children that both sides renamed, each in its way, and with
/// `joins_one_sided` the rows of those that one side renamed and the other one kept.
/// Otherwise the result would have them under both names. `content` returns what tells a
/// child from others beside its name, by its version and its position there; `None` if
/// nothing does.
pub(super) fn join_renamed<C: Eq + Hash>(
    rows: &mut Vec<Row>,
    base_count: usize,
    joins_one_sided: bool,
    mut content: impl FnMut(usize, usize) -> Option<C>,
) {
    let renamed = [1, 2].map(|side| renames(rows, base_count, side, &mut content));
    let (mut both, mut taken) = (HashMap::new(), [HashSet::new(), HashSet::new()]);
    for row in rows.iter_mut().filter(|_| joins_one_sided) {
        let Some(base) = row[BASE] else { continue };
        let side = [0, 1]
            .into_iter()
            .find(|&side| row[side + 1].is_none() && renamed[side].contains_key(&base));
        if let Some(side) = side {
            let at = renamed[side][&base];
            row[side + 1] = Some(at);
            taken[side].insert(at);
        }
    }
    for base in 0..base_count {
        if let [Some(ours), Some(theirs)] =
            renamed.each_ref().map(|it| it.get(&base).copied())
        {
            both.insert(ours, [base, ours, theirs].map(Some));
            taken[1].insert(theirs);
        }
    }
    let is_taken = |row: &Row, side: usize| {
        only(row, side + 1).is_some_and(|at| taken[side].contains(&at))
    };
    rows.retain(|row| row[BASE].is_some() || !(is_taken(row, 0) || is_taken(row, 1)));
    for row in rows {
        if let Some(&both) = only(row, 1).and_then(|ours| both.get(&ours)) {
            *row = both;
        }
    }
}

/// Returns the children of the base that a side renamed: it lacks their names, and has their
/// contents under new ones.
fn renames<C: Eq + Hash>(
    rows: &[Row],
    base_count: usize,
    side: usize,
    content: &mut impl FnMut(usize, usize) -> Option<C>,
) -> Renames {
    let added: Vec<usize> = rows.iter().filter_map(|row| only(row, side)).collect();
    if added.is_empty() {
        return Renames::new();
    }
    let kept = rows.iter().filter(|row| row[side].is_some());
    let kept: HashSet<usize> = kept.filter_map(|row| row[BASE]).collect();
    let removed: Vec<usize> = (0..base_count).filter(|at| !kept.contains(at)).collect();
    let before: Vec<Option<C>> = removed.iter().map(|&at| content(0, at)).collect();
    let after: Vec<Option<C>> = added.iter().map(|&at| content(side, at)).collect();
    let pairs = pair_renamed(before, after);
    let renamed = removed.iter().enumerate();
    renamed.filter_map(|(at, &base)| Some((base, added[pairs.new_of(at)?]))).collect()
}

/// A stretch of lines of three texts, between those that are the same in all.
pub(super) type Stretch = [Range<usize>; 3];

/// Returns the stretches of three sequences of lines, equal ones and others in turn, each with
/// true if all three are equal there.
pub(super) fn stretches([base, ours, theirs]: [&[u32]; 3]) -> Vec<(Stretch, bool)> {
    let to_ours = align(base, ours);
    let to_theirs = align(base, theirs);
    let (mut stretches, mut from) = (Vec::<(Stretch, bool)>::new(), [0; 3]);
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
