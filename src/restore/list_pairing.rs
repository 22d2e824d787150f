//! The pairs of items of a list before and after an edit.

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::align::{MAX_WEIGHED_PAIRS, Segment, align};
use super::entry_key::EntryKey;
use super::overlap::Overlap;
use super::values::Values;
use crate::node::{Kind, NodeId};
use crate::scalar::Identity;

/// Keys by which items are told apart.
// A change of any other entry makes no other item.
const NAME_KEYS: [&str; 3] = ["name", "id", "key"];

/// Number of mapping entries that are compared to weigh all pairs of items.
// They are shared out among the pairs: 64 for each pair of the largest gap. Large
// mappings in long lists are judged by their first entries.
const PAIRING_BUDGET: usize = 1 << 20;

/// Similarity from which an item that moved and changed its name counts as the same item.
// Reached when nearly half of the entries are equal (see `item_similarity`). Less would
// pair items that have only a type or a port in common.
const MIN_RENAMED_SIMILARITY: u32 = 40;

/// A part of a list before the edit.
pub(super) struct OldPart {
    /// The value in the expansion, if the part is one item.
    pub view: Option<NodeId>,
    /// The items that it will expand to if it is left alone.
    pub gives: Vec<NodeId>,
    /// True if its items are the value of a directive.
    pub splice: bool,
    /// True if it has directives of its own.
    pub site: bool,
}

/// The place of a part in the edited list.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPosition {
    pub at: usize,
    /// True if its order among the parts changed.
    pub moved: bool,
}

/// Pairs the parts of lists with the items of edited ones.
pub(super) struct ListPairing<'v, 'a> {
    pub values: &'v mut Values<'a>,
}

impl ListPairing<'_, '_> {
    /// Returns the position of each part of a list in the new one.
    pub(super) fn pair(
        &mut self,
        old: &[&OldPart],
        new: &[NodeId],
    ) -> Vec<Option<NewPosition>> {
        let classes: Vec<u32> = new.iter().map(|&item| self.values.class(item)).collect();
        let part = |old: &&OldPart| Segment {
            classes: old.gives.iter().map(|&node| self.values.class(node)).collect(),
            flexible: !old.splice,
        };
        let parts: Vec<Segment> = old.iter().map(part).collect();
        let most = PAIRING_BUDGET
            / old.len().saturating_mul(new.len()).clamp(1, MAX_WEIGHED_PAIRS);
        let here: HashSet<u32> =
            old.iter().filter_map(|old| self.name_class(old.view?)).collect();
        let there: HashSet<u32> =
            new.iter().filter_map(|&item| self.name_class(item)).collect();
        let removed_counts = removed_counts(&parts, &classes);
        let stays = align(&parts, &classes, &mut |part, item| {
            let left = |class: &u32| removed_counts.get(class).copied().unwrap_or(0);
            let is_found = parts[part].classes.iter().any(|class| left(class) <= 0);
            let (old, class, new) = (old[part], classes[item], new[item]);
            let is_there = left(&class) >= 0;
            if is_found || is_there || self.are_distinct(old, new, (&here, &there)) {
                0
            } else {
                self.item_similarity(old, new, most)
            }
        });
        let mut pairs: Vec<Option<NewPosition>> = stays
            .iter()
            .map(|at| at.map(|at| NewPosition { at, moved: false }))
            .collect();
        find_moved_splices(old, &parts, &classes, &mut pairs);
        self.find_moved(old, &parts, (new, &classes), &mut pairs);
        self.find_renamed(old, new, (&here, &there), &mut pairs);
        pairs
    }

    /// Pairs parts and items that are left: equal ones, then those of the same name.
    fn find_moved(
        &mut self,
        old: &[&OldPart],
        parts: &[Segment],
        (new, classes): (&[NodeId], &[u32]),
        pairs: &mut [Option<NewPosition>],
    ) {
        let mut left: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut taken = vec![false; new.len()];
        for (i, (old, part)) in old.iter().zip(parts).enumerate().rev() {
            match (pairs[i], &part.classes[..]) {
                (Some(NewPosition { at, .. }), classes) => {
                    taken[at..at + classes.len()].fill(true);
                }
                (None, &[class]) if !old.splice => {
                    left.entry(class).or_default().push(i);
                    let name = old.view.and_then(|view| self.name_class(view));
                    left.entry(name.unwrap_or(class)).or_default().push(i);
                }
                (None, _) => {}
            }
        }
        for at in (0..new.len()).filter(|&at| !taken[at]) {
            let mut take = |class: u32| {
                let items = left.get_mut(&class)?;
                let there = items.iter().rposition(|&i| pairs[i].is_none());
                items.truncate(there.map_or(0, |there| there + 1));
                items.pop()
            };
            let found = take(classes[at]).or_else(|| take(self.name_class(new[at])?));
            if let Some(i) = found {
                pairs[i] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Pairs items that changed both name and position, the most similar first.
    fn find_renamed(
        &mut self,
        old: &[&OldPart],
        new: &[NodeId],
        (here, there): (&HashSet<u32>, &HashSet<u32>),
        pairs: &mut [Option<NewPosition>],
    ) {
        let taken: HashSet<usize> = pairs.iter().flatten().map(|new| new.at).collect();
        let mut left: Vec<usize> = (0..old.len()).collect();
        left.retain(|&i| pairs[i].is_none() && old[i].view.is_some() && !old[i].splice);
        let fresh: Vec<usize> = (0..new.len()).filter(|at| !taken.contains(at)).collect();
        let most = PAIRING_BUDGET / left.len().saturating_mul(fresh.len()).max(1);
        // There are more pairs than are weighed elsewhere: positions and names must do.
        if most < PAIRING_BUDGET / MAX_WEIGHED_PAIRS {
            return;
        }
        let mut found = Vec::new();
        for &i in &left {
            for &at in &fresh {
                if !self.are_distinct(old[i], new[at], (here, there)) {
                    let weight = self.item_similarity(old[i], new[at], most);
                    found.push((Reverse(weight), i, at));
                }
            }
        }
        found.retain(|&(Reverse(weight), ..)| weight >= MIN_RENAMED_SIMILARITY);
        found.sort_unstable();
        let mut taken = HashSet::new();
        for (_, i, at) in found {
            if pairs[i].is_none() && taken.insert(at) {
                pairs[i] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Returns a number that items of the same name, and no others, have in common.
    fn name_class(&mut self, item: NodeId) -> Option<u32> {
        let entries = self.values.entries(item);
        let key = |name: &'static str| EntryKey::Scalar(Identity::String(name.into()));
        let name = NAME_KEYS.iter().find_map(|name| entries.get(&key(name)))?;
        let named = self.values.class(name);
        // Classes count up from 0, names down from the maximum.
        Some(u32::MAX - 1 - named)
    }

    /// Returns true if the name of an item is in the other list too: it was not renamed.
    fn are_distinct(
        &mut self,
        old: &OldPart,
        new: NodeId,
        (here, there): (&HashSet<u32>, &HashSet<u32>),
    ) -> bool {
        let Some(view) = old.view else { return false };
        let (was, is) = (self.name_class(view), self.name_class(new));
        let is_in = |name: Option<u32>, set: &HashSet<u32>| {
            name.is_some_and(|it| set.contains(&it))
        };
        was != is && (is_in(was, there) || is_in(is, here))
    }

    /// Returns the similarity of an item and a new one: less than 100, 0 if they are no
    /// pair. Compares up to `most` entries.
    fn item_similarity(&mut self, old: &OldPart, new: NodeId, most: usize) -> u32 {
        let Some(view) = old.view else { return 0 };
        let site = old.site;
        match (self.values.document.kind(view), self.values.document.kind(new)) {
            (Kind::Mapping, Kind::Mapping) => {
                let named = (self.name_class(view), self.name_class(new));
                let renamed = named.0 != named.1;
                match named {
                    (Some(_), Some(_)) if !renamed => return 95,
                    _ => {}
                }
                let Overlap { shared, equal, all } =
                    Overlap::of(self.values, view, new, most);
                let alike = 10 * shared / all + 80 * equal / all;
                match (renamed, site) {
                    // A renamed item keeps directives only if nearly all else is the
                    // same.
                    (true, true) if 2 * equal + 1 < all || equal == 0 => 0,
                    // Another name and no equal entry make another item, which the
                    // comments of this one are not about.
                    (true, false) if equal == 0 && all > 1 => 0,
                    (true, _) => alike.max(1),
                    (false, _) if shared > 0 => alike.max(3),
                    (false, true) => 0,
                    (false, false) => alike.max(2),
                }
            }
            (a, b) if site => u32::from(a == b),
            (a, b) if a == b => 2,
            _ => 1,
        }
    }
}

/// Pairs the directives that are left with the same items elsewhere in the new list.
fn find_moved_splices(
    old: &[&OldPart],
    parts: &[Segment],
    new: &[u32],
    pairs: &mut [Option<NewPosition>],
) {
    let mut taken = vec![false; new.len()];
    for (part, pair) in parts.iter().zip(pairs.iter()) {
        if let Some(NewPosition { at, .. }) = *pair {
            taken[at..at + part.classes.len()].fill(true);
        }
    }
    let left: Vec<usize> = (0..old.len())
        .filter(|&i| old[i].splice && pairs[i].is_none() && !parts[i].classes.is_empty())
        .collect();
    if left.len().saturating_mul(new.len()) > MAX_WEIGHED_PAIRS {
        return;
    }
    for i in left {
        let (classes, len) = (&parts[i].classes, parts[i].classes.len());
        let starts = 0..(new.len() + 1).saturating_sub(len);
        let is_free = |&at: &usize| {
            new[at..at + len] == classes[..] && !taken[at..at + len].contains(&true)
        };
        if let Some(at) = starts.into_iter().find(is_free) {
            taken[at..at + len].fill(true);
            pairs[i] = Some(NewPosition { at, moved: true });
        }
    }
}

/// Returns by class how many more old items than new ones there are, if there are.
fn removed_counts(old: &[Segment], new: &[u32]) -> HashMap<u32, i64> {
    let mut removed_counts = HashMap::new();
    for class in old.iter().flat_map(|part| &part.classes) {
        *removed_counts.entry(*class).or_default() += 1;
    }
    for &class in new {
        *removed_counts.entry(class).or_default() -= 1;
    }
    removed_counts
}
