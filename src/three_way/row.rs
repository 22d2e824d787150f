//! Rows: children of three collections that belong together.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use crate::compare::pair_renamed;

/// The positions of an entry, an item or a document in each of the three versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub base: Option<usize>,
    pub ours: Option<usize>,
    pub theirs: Option<usize>,
}

impl Row {
    /// Returns the positions, if all three versions have one.
    pub(super) fn in_all(self) -> Option<[usize; 3]> {
        Some([self.base?, self.ours?, self.theirs?])
    }

    /// Returns the position of a child that ours added, and theirs does not have.
    fn only_ours(self) -> Option<usize> {
        self.ours.filter(|_| self.base.is_none() && self.theirs.is_none())
    }

    /// Returns the position of a child that theirs added, and ours does not have.
    fn only_theirs(self) -> Option<usize> {
        self.theirs.filter(|_| self.base.is_none() && self.ours.is_none())
    }

    /// Returns what a row has of three collections.
    pub(super) fn of<T: Copy>(self, collections: &[Vec<T>; 3]) -> [Option<T>; 3] {
        self.ref_of(collections).map(|item| item.copied())
    }

    /// Returns references to what a row has of three collections.
    pub(super) fn ref_of<T>(self, collections: &[Vec<T>; 3]) -> [Option<&T>; 3] {
        let [base, ours, theirs] = collections;
        [
            self.base.map(|at| &base[at]),
            self.ours.map(|at| &ours[at]),
            self.theirs.map(|at| &theirs[at]),
        ]
    }
}

/// Joins the rows of children that both sides renamed, each in its way. Otherwise the result
/// would have them under both names. `content` returns what tells a child from others beside
/// its name, by its version and its position there; `None` if nothing does.
pub(super) fn join_renamed<C: Eq + Hash>(
    rows: &mut Vec<Row>,
    base_count: usize,
    mut content: impl FnMut(usize, usize) -> Option<C>,
) {
    let new_of_ours: Vec<usize> = rows.iter().filter_map(|row| row.only_ours()).collect();
    let new_of_theirs: Vec<usize> =
        rows.iter().filter_map(|row| row.only_theirs()).collect();
    if new_of_ours.is_empty() || new_of_theirs.is_empty() {
        return;
    }
    let kept: HashSet<usize> = rows.iter().filter_map(|row| row.base).collect();
    let removed: Vec<usize> = (0..base_count).filter(|at| !kept.contains(at)).collect();
    let mut contents = |version: usize, places: &[usize]| -> Vec<Option<C>> {
        places.iter().map(|&at| content(version, at)).collect()
    };
    let before = contents(0, &removed);
    let ours = contents(1, &new_of_ours);
    let theirs = contents(2, &new_of_theirs);
    let before = || before.iter().map(Option::as_ref);
    let to_ours = pair_renamed(before(), ours.iter().map(Option::as_ref));
    let to_theirs = pair_renamed(before(), theirs.iter().map(Option::as_ref));
    let mut joined = HashMap::new();
    for (at, &base) in removed.iter().enumerate() {
        let both = to_ours.new_of(at).zip(to_theirs.new_of(at));
        joined.extend(both.map(|(ours, theirs)| {
            let ours = new_of_ours[ours];
            let theirs = Some(new_of_theirs[theirs]);
            (ours, Row { base: Some(base), ours: Some(ours), theirs })
        }));
    }
    let theirs: HashSet<Option<usize>> = joined.values().map(|row| row.theirs).collect();
    rows.retain(|row| {
        row.base.is_some() || row.ours.is_some() || !theirs.contains(&row.theirs)
    });
    for row in rows {
        if let Some(&both) = row.only_ours().and_then(|ours| joined.get(&ours)) {
            *row = both;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of versions with a number for the content of each child; 0 is none.
    fn joined(contents: [&[u32]; 3], rows: &[Row]) -> Vec<Row> {
        let mut rows = rows.to_vec();
        join_renamed(&mut rows, contents[0].len(), |version, at| {
            Some(contents[version][at]).filter(|&content| content > 0)
        });
        rows
    }

    #[test]
    fn two_names_for_one_child_are_one_row() {
        let ours = Row { ours: Some(0), ..Row::default() };
        let theirs = Row { theirs: Some(0), ..Row::default() };
        let both = Row { base: Some(0), ours: Some(0), theirs: Some(0) };
        assert_eq!(joined([&[7], &[7], &[7]], &[ours, theirs]), [both]);
        // Another content, and nothing that is gone.
        assert_eq!(joined([&[7], &[7], &[8]], &[ours, theirs]), [ours, theirs]);
        assert_eq!(joined([&[], &[7], &[7]], &[ours, theirs]), [ours, theirs]);
    }
}
