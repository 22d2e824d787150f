//! Entries and items that both sides renamed, each in its way. Otherwise the result would
//! have them under both names.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::row::Row;

/// Joins the rows of what both sides renamed. `content` returns what tells a child from
/// others beside its name, by its version and its position there; `None` if nothing does.
/// A child counts as renamed if it alone has the content of one that is gone.
pub(super) fn join_renamed<C: Eq + Hash>(
    rows: &mut Vec<Row>,
    base_count: usize,
    mut content: impl FnMut(usize, usize) -> Option<C>,
) {
    let is_new = |row: &Row| row.base.is_none();
    let of_ours = |row: &Row| row.ours.filter(|_| is_new(row) && row.theirs.is_none());
    let of_theirs = |row: &Row| row.theirs.filter(|_| is_new(row) && row.ours.is_none());
    let new_of_ours: Vec<usize> = rows.iter().filter_map(of_ours).collect();
    let new_of_theirs: Vec<usize> = rows.iter().filter_map(of_theirs).collect();
    if new_of_ours.is_empty() || new_of_theirs.is_empty() {
        return;
    }
    let kept: HashSet<usize> = rows.iter().filter_map(|row| row.base).collect();
    let gone: Vec<usize> = (0..base_count).filter(|at| !kept.contains(at)).collect();
    let mut only = |version, places| only_with(places, |at| content(version, at));
    let (gone, new_of_ours) = (only(0, gone), only(1, new_of_ours));
    let new_of_theirs = only(2, new_of_theirs);
    let renamed = gone.iter().filter_map(|(content, &base)| {
        Some((*new_of_ours.get(content)?, (base, *new_of_theirs.get(content)?)))
    });
    let renamed: HashMap<usize, (usize, usize)> = renamed.collect();
    let joined: HashSet<usize> = renamed.values().map(|&(_, theirs)| theirs).collect();
    rows.retain(|row| of_theirs(row).is_none_or(|at| !joined.contains(&at)));
    for row in rows {
        if let Some(&(base, theirs)) = of_ours(row).and_then(|at| renamed.get(&at)) {
            (row.base, row.theirs) = (Some(base), Some(theirs));
        }
    }
}

/// Returns the places by their content, of those that are alone in having it.
fn only_with<C: Eq + Hash>(
    places: Vec<usize>,
    mut content: impl FnMut(usize) -> Option<C>,
) -> HashMap<C, usize> {
    let mut found = HashMap::<C, Option<usize>>::new();
    for at in places {
        if let Some(content) = content(at) {
            found.entry(content).and_modify(|only| *only = None).or_insert(Some(at));
        }
    }
    found.into_iter().filter_map(|(content, only)| Some((content, only?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of versions with a number for the content of each child; 0 is none.
    fn joined(
        contents: [&[u32]; 3],
        rows: &[[Option<usize>; 3]],
    ) -> Vec<[Option<usize>; 3]> {
        let row = |&[base, ours, theirs]: &[Option<usize>; 3]| Row { base, ours, theirs };
        let mut rows = rows.iter().map(row).collect();
        join_renamed(&mut rows, contents[0].len(), |version, at| {
            Some(contents[version][at]).filter(|&content| content > 0)
        });
        rows.into_iter().map(|row| [row.base, row.ours, row.theirs]).collect()
    }

    #[test]
    fn two_names_for_one_child_are_one_row() {
        let apart = [[None, Some(0), None], [None, None, Some(0)]];
        assert_eq!(joined([&[7], &[7], &[7]], &apart), [[Some(0); 3]]);
        // Another content, and none.
        assert_eq!(joined([&[7], &[7], &[8]], &apart), apart);
        assert_eq!(joined([&[0], &[0], &[0]], &apart), apart);
        // Nothing is gone.
        assert_eq!(joined([&[], &[7], &[7]], &apart), apart);
    }

    #[test]
    fn a_content_that_several_have_tells_nothing() {
        let apart = [[None, Some(0), None], [None, Some(1), None], [None, None, Some(0)]];
        assert_eq!(joined([&[7], &[7, 7], &[7]], &apart), apart);
        assert_eq!(joined([&[7, 7], &[7, 8], &[7]], &apart), apart);
    }
}
