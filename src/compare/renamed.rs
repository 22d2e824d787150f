//! Which removed key of a mapping is which added one: the key was renamed if its value stands
//! under an added key, and no other removed or added key has that value; or if the value is
//! a collection of which at least half stands there.

use std::cmp::Reverse;
use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::align::Numbering;
use super::entries::{EntryKey, MappingEntry, MappingIndex};
use super::overlap::Overlap;
use super::pairs::{Ambiguous, Pairs};
use super::value::{Side, Values};
use crate::node::{Kind, NodeId};

/// Maximum number of pairs of removed and added entries that are weighed.
// More keys changed at once are a rewritten mapping, in which no pair is certain.
const MAX_RENAME_PAIRS: usize = 1 << 10;

/// Number of entries and items that are compared to weigh all these pairs.
// 16 for each of the most pairs, which is enough to see that half are equal.
const RENAME_BUDGET: usize = 1 << 14;

/// Pairs removed children with added ones by their contents: a child was renamed if it alone
/// has the content of one that is gone. A content of `None` tells nothing.
pub(crate) fn pair_renamed<C: Eq + Hash>(
    removed: impl IntoIterator<Item = Option<C>>,
    added: impl IntoIterator<Item = Option<C>>,
) -> Pairs {
    let mut numbering = Numbering::default();
    let removed = removed.into_iter().map(|content| Some(numbering.of(content?)));
    let removed: Vec<Option<u32>> = removed.collect();
    let added = added.into_iter().map(|content| Some(numbering.of(content?)));
    let added: Vec<Option<u32>> = added.collect();
    let mut pairs = Pairs::new(removed.len(), added.len());
    pairs.pair_equal(|at| removed[at], |at| added[at], Ambiguous::Never);
    pairs
}

/// The keys of a mapping that were renamed, each with the entry that it is now.
#[derive(Default)]
pub(crate) struct RenamedKeys<'a> {
    /// Those whose value is the same.
    equal: HashMap<EntryKey<'a>, MappingEntry<'a>>,
    /// Those whose value is similar.
    similar: HashMap<EntryKey<'a>, MappingEntry<'a>>,
}

impl<'a> RenamedKeys<'a> {
    /// Compares the entries of an old mapping with those of a new one.
    pub(crate) fn find(
        values: &mut Values<'a>,
        old: NodeId,
        new: NodeId,
    ) -> RenamedKeys<'a> {
        let before = values.entries(old, Side::Old);
        let after = values.entries(new, Side::New);
        let mut added = only_in(&after, &before);
        if added.is_empty() {
            return RenamedKeys::default();
        }
        let mut removed = only_in(&before, &after);
        let was: Vec<u32> = classes(values, &removed, Side::Old);
        let is: Vec<u32> = classes(values, &added, Side::New);
        let pairs = pair_renamed(was.iter().map(Some), is.iter().map(Some));
        let mut renamed = RenamedKeys::default();
        for (at, entry) in removed.iter().enumerate() {
            if let Some(new) = pairs.new_of(at) {
                renamed.equal.insert(entry.key.clone(), added[new].clone());
            }
        }
        // An entry with an equal value on the other side is not compared by likeness.
        let known_old: HashSet<u32> = was.into_iter().collect();
        let known_new: HashSet<u32> = is.into_iter().collect();
        removed.retain(|it| {
            values.document(Side::Old).kind(it.value) != Kind::Scalar
                && !known_new.contains(&values.class(it.value, Side::Old))
        });
        added.retain(|it| {
            values.document(Side::New).kind(it.value) != Kind::Scalar
                && !known_old.contains(&values.class(it.value, Side::New))
        });
        renamed.similar = pair_similar_entries(values, &removed, &added);
        renamed
    }

    /// Returns the entry that a removed key was renamed to.
    pub(crate) fn get(&self, key: &EntryKey<'a>) -> Option<&MappingEntry<'a>> {
        self.equal.get(key).or_else(|| self.get_similar(key))
    }

    /// Returns the entry that a removed key was renamed to, if its value is similar only.
    pub(crate) fn get_similar(&self, key: &EntryKey<'a>) -> Option<&MappingEntry<'a>> {
        self.similar.get(key)
    }
}

/// Returns the entries of a mapping whose keys another one lacks.
fn only_in<'a>(
    these: &MappingIndex<'a>,
    others: &MappingIndex<'a>,
) -> Vec<MappingEntry<'a>> {
    let only = these.list.iter().filter(|entry| others.get(&entry.key).is_none());
    only.cloned().collect()
}

fn classes(
    values: &mut Values<'_>,
    entries: &[MappingEntry<'_>],
    side: Side,
) -> Vec<u32> {
    entries.iter().map(|entry| values.class(entry.value, side)).collect()
}

/// Pairs removed entries with added ones of similar value, the most similar first.
fn pair_similar_entries<'a>(
    values: &mut Values<'a>,
    removed: &[MappingEntry<'a>],
    added: &[MappingEntry<'a>],
) -> HashMap<EntryKey<'a>, MappingEntry<'a>> {
    let count = removed.len().saturating_mul(added.len());
    if count > MAX_RENAME_PAIRS {
        return HashMap::new();
    }
    let is_alone = count == 1;
    let most = RENAME_BUDGET / count.max(1);
    let mut pairs = Vec::new();
    for (i, old) in removed.iter().enumerate() {
        for (j, new) in added.iter().enumerate() {
            let weight = similarity(values, old.value, new.value, most, is_alone);
            pairs.extend(weight.map(|weight| (Reverse(weight), i, j)));
        }
    }
    pairs.sort_unstable();
    let mut renamed = HashMap::new();
    let mut taken = HashSet::new();
    for (_, i, j) in pairs {
        if !renamed.contains_key(&removed[i].key) && taken.insert(j) {
            renamed.insert(removed[i].key.clone(), added[j].clone());
        }
    }
    renamed
}

/// Returns the similarity of two collections if at least half of the larger is equal.
/// For a single candidate (`is_alone`) half of the keys are enough. Compares up to `most`
/// entries or items.
fn similarity(
    values: &mut Values<'_>,
    old: NodeId,
    new: NodeId,
    most: usize,
    is_alone: bool,
) -> Option<u32> {
    let before = values.document(Side::Old);
    let after = values.document(Side::New);
    match (before.kind(old), after.kind(new)) {
        (Kind::Mapping, Kind::Mapping) => {
            let overlap = Overlap::of(values, old, new, most);
            let Overlap { shared, equal, all } = overlap;
            let is_kin = 2 * equal >= all || is_alone && 2 * shared >= all;
            is_kin.then(|| overlap.similarity())
        }
        (Kind::Sequence, Kind::Sequence) => {
            let old = before.items(old);
            let new = after.items(new);
            let all = old.len().max(new.len()).min(most) as u32;
            let old = values.classes(&old[..old.len().min(most)], Side::Old);
            let new = values.classes(&new[..new.len().min(most)], Side::New);
            let old: HashSet<u32> = old.into_iter().collect();
            let equal = new.iter().filter(|class| old.contains(*class)).count() as u32;
            (all > 0 && 2 * equal >= all).then(|| 90 * equal / all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the new places of removed children, whose contents are numbers; 0 is none.
    fn renamed(removed: &[u32], added: &[u32]) -> Vec<Option<usize>> {
        let content = |&content: &u32| Some(content).filter(|&content| content > 0);
        let pairs = pair_renamed(removed.iter().map(content), added.iter().map(content));
        (0..removed.len()).map(|at| pairs.new_of(at)).collect()
    }

    #[test]
    fn a_content_that_one_alone_has_tells_what_it_was() {
        assert_eq!(renamed(&[7, 8], &[8, 7]), [Some(1), Some(0)]);
        assert_eq!(renamed(&[7], &[8]), [None]);
        assert_eq!(renamed(&[0], &[0]), [None]);
    }

    #[test]
    fn a_content_that_several_have_tells_nothing() {
        assert_eq!(renamed(&[7], &[7, 7]), [None]);
        assert_eq!(renamed(&[7, 7], &[7, 7]), [None, None]);
    }
}
