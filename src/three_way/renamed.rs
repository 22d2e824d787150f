//! Entries and items that both sides renamed: each has it under another name. Taken for
//! new ones, they would be there twice.

use std::collections::VecDeque;
use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::row::Row;

/// Pairs what both sides renamed. `content` returns what a child is without its name, by its
/// side and its position there: a renamed one has the content that it had in the base.
pub(super) fn pair_renamed<C: Eq + Hash>(
    rows: &mut Vec<Row>,
    count: usize,
    mut content: impl FnMut(usize, usize) -> C,
) {
    let kept: HashSet<usize> = rows.iter().filter_map(|row| row.base).collect();
    let gone: Vec<usize> = (0..count).filter(|at| !kept.contains(at)).collect();
    let is_new = |row: &Row| row.base.is_none();
    let new_of_ours =
        |row: &Row| row.ours.filter(|_| is_new(row) && row.theirs.is_none());
    let new_of_theirs =
        |row: &Row| row.theirs.filter(|_| is_new(row) && row.ours.is_none());
    if gone.is_empty()
        || !rows.iter().any(|row| new_of_ours(row).is_some())
        || !rows.iter().any(|row| new_of_theirs(row).is_some())
    {
        return;
    }
    let mut before = HashMap::<C, VecDeque<usize>>::new();
    for at in gone {
        before.entry(content(0, at)).or_default().push_back(at);
    }
    let mut theirs = HashMap::<C, VecDeque<usize>>::new();
    for at in rows.iter().filter_map(new_of_theirs) {
        theirs.entry(content(2, at)).or_default().push_back(at);
    }
    let mut taken = HashSet::new();
    for row in rows.iter_mut() {
        let Some(at) = new_of_ours(row) else { continue };
        let content = content(1, at);
        let (Some(old), Some(other)) =
            (before.get_mut(&content), theirs.get_mut(&content))
        else {
            continue;
        };
        if let (Some(&base), Some(&there)) = (old.front(), other.front()) {
            (old.pop_front(), other.pop_front());
            taken.insert(there);
            (row.base, row.theirs) = (Some(base), Some(there));
        }
    }
    rows.retain(|row| new_of_theirs(row).is_none_or(|at| !taken.contains(&at)));
}
