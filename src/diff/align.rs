//! Which items of an old list stay, and as which items of the new one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Walk;
use super::name::Names;
use crate::node::{Kind, Node};
use crate::scalar::Identity;

/// What an item is known by: its name, or all it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag<'n> {
    Name(&'n str),
    Value(u32),
}

/// If there are more pairs of equal items than this for each item, not all are weighed.
const REPEATED: usize = 8;

impl Walk<'_> {
    /// The items that stay: pairs of places in both lists, each pair behind the one before.
    /// The first items are known to be the same, and the last ones.
    pub(super) fn align(
        &mut self,
        names: &Names<'_>,
        (old, new): (&[Node], &[Node]),
        (first, last): (usize, usize),
    ) -> Vec<(usize, usize)> {
        let (a, b) = (first..old.len() - last, first..new.len() - last);
        let mut kept: Vec<_> = (0..first).map(|i| (i, i)).collect();
        if !a.is_empty() && !b.is_empty() {
            self.align_middle(names, (old, new), (a.clone(), b.clone()), &mut kept);
        }
        kept.extend((a.end..old.len()).zip(b.end..new.len()));
        kept
    }

    fn align_middle(
        &mut self,
        names: &Names<'_>,
        (old, new): (&[Node], &[Node]),
        (a, b): (Range<usize>, Range<usize>),
        kept: &mut Vec<(usize, usize)>,
    ) {
        let tags_old: Vec<_> = a.clone().map(|i| self.tag_old(names, old, i)).collect();
        let tags_new: Vec<_> = b.clone().map(|j| self.tag_new(names, new, j)).collect();
        let moved: HashSet<Tag<'_>> = common(&tags_old, &tags_new);
        for op in
            capture_diff_slices(algorithm(&tags_old, &tags_new), &tags_old, &tags_new)
        {
            let (from, to) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                kept.extend(from.zip(to).map(|(i, j)| (a.start + i, b.start + j)));
                continue;
            }
            let stays = |tag: &Tag<'_>| !moved.contains(tag);
            let from = from.filter(|&i| stays(&tags_old[i])).map(|i| a.start + i);
            let to = to.filter(|&j| stays(&tags_new[j])).map(|j| b.start + j);
            for (i, j) in from.zip(to) {
                let named = (&names.old[i], &names.new[j]);
                let changed = match named {
                    (None, None) => true,
                    (Some(_), Some(_)) => self.is_renamed(old[i], new[j]),
                    (None, Some(_)) | (Some(_), None) => false,
                };
                kept.extend(changed.then_some((i, j)));
            }
        }
    }

    /// What item `i` of the old list is known by.
    pub(super) fn tag_old<'n>(
        &mut self,
        names: &'n Names<'_>,
        items: &[Node],
        i: usize,
    ) -> Tag<'n> {
        match &names.old[i] {
            Some(name) => Tag::Name(&name.text),
            None => Tag::Value(self.classes.of_old(items[i])),
        }
    }

    /// What item `j` of the new list is known by.
    pub(super) fn tag_new<'n>(
        &mut self,
        names: &'n Names<'_>,
        items: &[Node],
        j: usize,
    ) -> Tag<'n> {
        match &names.new[j] {
            Some(name) => Tag::Name(&name.text),
            None => Tag::Value(self.classes.of_new(items[j])),
        }
    }

    /// Whether a mapping is so much like another that only its name may have changed: half
    /// of the entries are the same.
    fn is_renamed(&mut self, old: Node, new: Node) -> bool {
        let (a, b) = (self.old.pairs(old), self.new.pairs(new));
        let scalar = |key: Node| self.new.kind(key) == Kind::Scalar;
        let before: HashMap<Identity<'_>, Node> = a
            .iter()
            .filter(|&&(key, _)| self.old.kind(key) == Kind::Scalar)
            .map(|&(key, value)| (self.old.scalar(key).identity(), value))
            .collect();
        let pairs =
            b.iter().filter(|&&(key, _)| scalar(key)).filter_map(|&(key, value)| {
                Some((*before.get(&self.new.scalar(key).identity())?, value))
            });
        let same = pairs.filter(|&(old, new)| self.classes.equal(old, new)).count();
        same > 0 && 2 * same + 1 >= a.len().max(b.len())
    }
}

/// The names that are in both lists: nothing else may take them in the meantime.
fn common<'n>(old: &[Tag<'n>], new: &[Tag<'n>]) -> HashSet<Tag<'n>> {
    let is_name = |tag: &Tag<'_>| matches!(tag, Tag::Name(_));
    let old: HashSet<_> = old.iter().copied().filter(is_name).collect();
    new.iter().copied().filter(|tag| old.contains(tag)).collect()
}

/// The longest common list is found fast if few items are alike; else one nearly as long.
fn algorithm(old: &[Tag<'_>], new: &[Tag<'_>]) -> Algorithm {
    let mut counts: HashMap<Tag<'_>, usize> = HashMap::new();
    for &tag in old {
        *counts.entry(tag).or_default() += 1;
    }
    let pairs: usize = new.iter().map(|tag| counts.get(tag).copied().unwrap_or(0)).sum();
    if pairs <= REPEATED * (old.len() + new.len()) {
        Algorithm::Hunt
    } else {
        Algorithm::Myers
    }
}
