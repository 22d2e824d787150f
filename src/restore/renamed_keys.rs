//! The keys of a mapping that an edit renamed.

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::entry_key::EntryKey;
use super::mapping_index::{MappingEntry, MappingIndex};
use super::overlap::Overlap;
use super::values::Values;
use crate::node::{Kind, NodeId};

/// Maximum number of pairs of removed and added entries that are weighed.
// More keys changed at once are a rewritten mapping, in which no pair is certain.
const MAX_RENAME_PAIRS: usize = 1 << 10;

/// Number of entries and items that are compared to weigh all these pairs.
// 16 for each of the most pairs, which is enough to see that half are equal.
const RENAME_BUDGET: usize = 1 << 14;

/// The entries that were added to a mapping, for look-ups of removed ones.
#[derive(Default)]
pub(super) struct RenamedKeys<'a> {
    /// The added entry with a value of each class; `None` if there are several.
    by_value: HashMap<u32, Option<MappingEntry<'a>>>,
    /// The added entry whose value is similar to that of a removed key.
    by_key: HashMap<EntryKey<'a>, MappingEntry<'a>>,
}

impl<'a> RenamedKeys<'a> {
    /// Compares the entries of a mapping with the edited ones.
    pub(super) fn find(
        values: &mut Values<'a>,
        view: NodeId,
        edited: NodeId,
    ) -> RenamedKeys<'a> {
        let (before, after) = (values.entries(view), values.entries(edited));
        let only = |entry: &&MappingEntry<'a>, other: &MappingIndex<'a>| {
            other.get(&entry.key).is_none()
        };
        let added: Vec<_> = after.list.iter().filter(|e| only(e, &before)).collect();
        let mut renames = RenamedKeys::default();
        for &entry in &added {
            let twin = renames.by_value.entry(values.class(entry.value));
            twin.and_modify(|twin| *twin = None).or_insert(Some(entry.clone()));
        }
        if !added.is_empty() {
            let gone: Vec<_> = before.list.iter().filter(|e| only(e, &after)).collect();
            renames.by_key = pair_renamed(values, &gone, &added, &renames);
        }
        renames
    }

    /// Returns the entry that a removed key with the value `was` was renamed to, if it is
    /// unambiguous.
    pub(super) fn get(
        &self,
        values: &mut Values<'a>,
        key: &EntryKey<'a>,
        was: NodeId,
    ) -> Option<MappingEntry<'a>> {
        if self.by_value.is_empty() {
            return None;
        }
        let found = self.by_value.get(&values.class(was));
        found.map_or_else(|| self.get_similar(key), Clone::clone)
    }

    /// Returns the entry whose value is similar to that of a removed key.
    pub(super) fn get_similar(&self, key: &EntryKey<'a>) -> Option<MappingEntry<'a>> {
        self.by_key.get(key).cloned()
    }
}

/// Pairs removed entries with added ones of similar value, the most similar first.
fn pair_renamed<'a>(
    values: &mut Values<'a>,
    gone: &[&MappingEntry<'a>],
    added: &[&MappingEntry<'a>],
    known: &RenamedKeys<'a>,
) -> HashMap<EntryKey<'a>, MappingEntry<'a>> {
    let found: HashSet<u32> = gone.iter().map(|it| values.class(it.value)).collect();
    let mut left = |entries: &[&MappingEntry<'a>], is_found: &dyn Fn(u32) -> bool| {
        let mut left: Vec<MappingEntry<'a>> =
            entries.iter().map(|&it| it.clone()).collect();
        left.retain(|it| {
            values.document.kind(it.value) != Kind::Scalar
                && !is_found(values.class(it.value))
        });
        left
    };
    let gone = left(gone, &|class| known.by_value.contains_key(&class));
    let added = left(added, &|class| found.contains(&class));
    if gone.len().saturating_mul(added.len()) > MAX_RENAME_PAIRS {
        return HashMap::new();
    }
    let alone = gone.len() == 1 && added.len() == 1;
    let most = RENAME_BUDGET / gone.len().saturating_mul(added.len()).max(1);
    let mut pairs = Vec::new();
    for (i, old) in gone.iter().enumerate() {
        for (j, new) in added.iter().enumerate() {
            let weight = entry_similarity(values, (old.value, new.value), most, alone);
            pairs.extend(weight.map(|weight| (Reverse(weight), i, j)));
        }
    }
    pairs.sort_unstable();
    let (mut renamed, mut taken) = (HashMap::new(), HashSet::new());
    for (_, i, j) in pairs {
        if !renamed.contains_key(&gone[i].key) && taken.insert(j) {
            renamed.insert(gone[i].key.clone(), added[j].clone());
        }
    }
    renamed
}

/// Returns the similarity of two collections if at least half of the larger is equal.
/// For a single candidate (`alone`) half of the keys are enough.
fn entry_similarity(
    values: &mut Values<'_>,
    (old, new): (NodeId, NodeId),
    most: usize,
    alone: bool,
) -> Option<u32> {
    match (values.document.kind(old), values.document.kind(new)) {
        (Kind::Mapping, Kind::Mapping) => {
            let Overlap { shared, equal, all } = Overlap::of(values, old, new, most);
            let kin = 2 * equal >= all || alone && 2 * shared >= all;
            kin.then_some(10 * shared / all + 80 * equal / all)
        }
        (Kind::Sequence, Kind::Sequence) => {
            let [old, new] = [old, new].map(|list| {
                let items = values.document.items(list).into_iter().take(most);
                items.map(|item| values.class(item)).collect::<Vec<u32>>()
            });
            let all = old.len().max(new.len()) as u32;
            let old: HashSet<u32> = old.into_iter().collect();
            let equal = new.iter().filter(|class| old.contains(*class)).count() as u32;
            (all > 0 && 2 * equal >= all).then(|| 90 * equal / all)
        }
        _ => None,
    }
}
