//! Rows and stretches: children of three collections, and lines of three texts, that belong
//! together.

use std::hash::Hash;
use std::ops::Range;

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

    /// Returns the position in a version, the base being 0.
    fn of_version(self, version: usize) -> Option<usize> {
        [self.base, self.ours, self.theirs][version]
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
    let ours = renames(rows, base_count, 1, &mut content);
    let theirs = renames(rows, base_count, 2, &mut content);
    let mut was_ours = HashMap::new();
    let mut taken = [HashSet::new(), HashSet::new()];
    for row in rows.iter_mut().filter(|_| joins_one_sided) {
        let Some(base) = row.base else { continue };
        if let (None, Some(&at)) = (row.ours, ours.get(&base)) {
            row.ours = Some(at);
            taken[0].insert(at);
        } else if let (None, Some(&at)) = (row.theirs, theirs.get(&base)) {
            row.theirs = Some(at);
            taken[1].insert(at);
        }
    }
    for base in 0..base_count {
        let both = ours.get(&base).zip(theirs.get(&base));
        let Some((&ours, &theirs)) = both else { continue };
        let base = Some(base);
        was_ours.insert(ours, Row { base, ours: Some(ours), theirs: Some(theirs) });
        taken[1].insert(theirs);
    }
    rows.retain(|row| {
        row.base.is_some()
            || !(row.only_ours().is_some_and(|at| taken[0].contains(&at))
                || row.only_theirs().is_some_and(|at| taken[1].contains(&at)))
    });
    for row in rows {
        if let Some(&both) = row.only_ours().and_then(|ours| was_ours.get(&ours)) {
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
    let added = rows.iter().filter_map(|row| match side {
        1 => row.only_ours(),
        _ => row.only_theirs(),
    });
    let added: Vec<usize> = added.collect();
    if added.is_empty() {
        return Renames::new();
    }
    let has = |row: &&Row| row.of_version(side).is_some();
    let kept: HashSet<usize> =
        rows.iter().filter(has).filter_map(|row| row.base).collect();
    let removed: Vec<usize> = (0..base_count).filter(|at| !kept.contains(at)).collect();
    let before: Vec<Option<C>> = removed.iter().map(|&at| content(0, at)).collect();
    let after: Vec<Option<C>> = added.iter().map(|&at| content(side, at)).collect();
    let pairs = pair_renamed(before, after);
    let renamed = removed.iter().enumerate();
    renamed.filter_map(|(at, &base)| Some((base, added[pairs.new_of(at)?]))).collect()
}

/// A stretch of lines of three texts, between those that are the same in all.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub base: Range<usize>,
    pub ours: Range<usize>,
    pub theirs: Range<usize>,
}

impl Stretch {
    /// Returns the stretches of three sequences of lines, equal ones and others in turn, each
    /// with true if all three are equal there.
    pub(super) fn all(
        base: &[u32],
        ours: &[u32],
        theirs: &[u32],
    ) -> Vec<(Stretch, bool)> {
        let to_ours = crate::compare::align(base, ours);
        let to_theirs = crate::compare::align(base, theirs);
        let (mut stretches, mut from) = (Vec::new(), [0; 3]);
        let mut there = to_theirs.into_iter().peekable();
        let both = to_ours.into_iter().filter_map(|(at, here)| {
            while there.next_if(|&(before, _)| before < at).is_some() {}
            let (_, there) = there.next_if(|&(same, _)| same == at)?;
            Some([at, here, there])
        });
        let mut push = |from: [usize; 3], to: [usize; 3], equal: bool| {
            let [base, ours, theirs] = [0, 1, 2].map(|side| from[side]..to[side]);
            let is_empty = base.is_empty() && ours.is_empty() && theirs.is_empty();
            match stretches.last_mut() {
                _ if is_empty => {}
                Some((Stretch { base: b, ours: o, theirs: t }, true)) if equal => {
                    (b.end, o.end, t.end) = (base.end, ours.end, theirs.end);
                }
                _ => stretches.push((Stretch { base, ours, theirs }, equal)),
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
}
