//! The policy of a save: the parts of a list are paired with the items of an edited one, as
//! far as that is likely, so that they keep their comments and directives.

use std::cmp::Reverse;

use hashbrown::{HashMap, HashSet};

use super::super::weighted::{ListSegment, MAX_WEIGHED_PAIRS, align_weighted};
use crate::compare::{ItemNames, KeySet, ListVersion, Numbering, Overlap, Side, Values};
use crate::node::{Kind, NodeId};

/// Number of mapping entries that are compared to weigh all pairs of items.
// They are shared out among the pairs: 64 for each pair of the largest gap. Large
// mappings in long lists are judged by their first entries.
const PAIRING_BUDGET: usize = 1 << 20;

/// Similarity from which an item that moved and changed its name counts as the same item.
// Reached when nearly half of the entries are equal (see `similarity`). Less would pair items
// that have only a type or a port in common.
const MIN_RENAMED_SIMILARITY: u32 = 40;

/// A part of a list before the edit.
pub(crate) struct ListPart {
    /// The value before the edit, if the part is one item.
    pub view: Option<NodeId>,
    /// The items that it will expand to if it is left alone.
    pub gives: Vec<NodeId>,
    /// True if its items are the value of a directive.
    pub splice: bool,
    /// True if it has directives of its own.
    pub site: bool,
}

impl ListPart {
    /// Returns the part that is one item, without directives.
    pub(crate) fn lone(item: NodeId) -> ListPart {
        ListPart { view: Some(item), gives: vec![item], splice: false, site: false }
    }
}

/// The place of a part in the edited list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewPosition {
    pub at: usize,
    /// True if its order among the parts changed.
    pub moved: bool,
}

/// Returns the position of each part of a list in the new one.
pub(crate) fn pair_similar(
    values: &mut Values<'_>,
    old: &[&ListPart],
    new: &[NodeId],
) -> Vec<Option<NewPosition>> {
    let classes = values.classes(new, Side::New);
    let mut segments = Vec::with_capacity(old.len());
    for part in old {
        let classes = values.classes(&part.gives, Side::Old);
        segments.push(ListSegment { classes, flexible: !part.splice });
    }
    let names = PartNames::of(values, old, new);
    let pairs = vec![None; old.len()];
    let mut pairing = SimilarPairs { values, old, new, segments, classes, names, pairs };
    pairing.pair_in_order();
    pairing.pair_moved_splices();
    pairing.pair_moved();
    pairing.pair_moved_and_renamed();
    pairing.pairs
}

/// The names of parts and of new items, as numbers.
struct PartNames {
    old: Vec<Option<u32>>,
    new: Vec<Option<u32>>,
    in_old: HashSet<u32>,
    in_new: HashSet<u32>,
}

impl PartNames {
    fn of(values: &Values<'_>, old: &[&ListPart], new: &[NodeId]) -> PartNames {
        let views: Vec<NodeId> = old.iter().filter_map(|part| part.view).collect();
        let lists = [
            ListVersion { document: values.document(Side::Old), items: &views },
            ListVersion { document: values.document(Side::New), items: new },
        ];
        let found = ItemNames::find(&lists, KeySet::Usual);
        let mut numbering = Numbering::default();
        let mut numbers = found.lists.iter().map(|names| {
            let numbers =
                names.iter().map(|it| Some(numbering.of(it.as_ref()?.identity())));
            numbers.collect::<Vec<Option<u32>>>()
        });
        let of_views = numbers.next().unwrap_or_default();
        let new = numbers.next().unwrap_or_default();
        let in_old = of_views.iter().flatten().copied().collect();
        let in_new = new.iter().flatten().copied().collect();
        let mut of_views = of_views.into_iter();
        let old =
            old.iter().map(|part| part.view.and_then(|_| of_views.next().flatten()));
        PartNames { old: old.collect(), new, in_old, in_new }
    }

    /// Returns true if the name of a part or of a new item is in the other list, too: it was
    /// not renamed to that of the other.
    fn are_distinct(&self, part: usize, at: usize) -> bool {
        let was = self.old[part];
        let is = self.new[at];
        was != is
            && (was.is_some_and(|name| self.in_new.contains(&name))
                || is.is_some_and(|name| self.in_old.contains(&name)))
    }
}

struct SimilarPairs<'v, 'a, 'l> {
    values: &'v mut Values<'a>,
    old: &'l [&'l ListPart],
    new: &'l [NodeId],
    /// The classes of the items of each part.
    segments: Vec<ListSegment>,
    /// The classes of the new items.
    classes: Vec<u32>,
    names: PartNames,
    pairs: Vec<Option<NewPosition>>,
}

impl SimilarPairs<'_, '_, '_> {
    /// Pairs parts and items in the order of both: equal ones, and between them similar ones.
    fn pair_in_order(&mut self) {
        let pairs = self.old.len().saturating_mul(self.new.len());
        let most = PAIRING_BUDGET / pairs.clamp(1, MAX_WEIGHED_PAIRS);
        let removed = self.removed_counts();
        let segments = std::mem::take(&mut self.segments);
        let classes = std::mem::take(&mut self.classes);
        let stays = align_weighted(&segments, &classes, &mut |part, item| {
            let is_found = segments[part].classes.iter().any(|class| removed[class] <= 0);
            let is_there = removed[&classes[item]] >= 0;
            if is_found || is_there || self.names.are_distinct(part, item) {
                0
            } else {
                self.similarity(part, item, most)
            }
        });
        (self.segments, self.classes) = (segments, classes);
        let stays = stays.into_iter();
        self.pairs =
            stays.map(|at| at.map(|at| NewPosition { at, moved: false })).collect();
    }

    /// Returns by class how many more old items than new ones there are, if there are.
    fn removed_counts(&self) -> HashMap<u32, i64> {
        let mut counts = HashMap::new();
        for class in self.segments.iter().flat_map(|part| &part.classes) {
            *counts.entry(*class).or_default() += 1;
        }
        for &class in &self.classes {
            *counts.entry(class).or_default() -= 1;
        }
        counts
    }

    /// Returns true for the new items that belong to a part.
    fn taken(&self) -> Vec<bool> {
        let mut taken = vec![false; self.new.len()];
        for (part, pair) in self.segments.iter().zip(&self.pairs) {
            if let Some(NewPosition { at, .. }) = *pair {
                taken[at..at + part.classes.len()].fill(true);
            }
        }
        taken
    }

    /// Pairs the directives that are left with the same items elsewhere in the new list.
    fn pair_moved_splices(&mut self) {
        let left = (0..self.old.len()).filter(|&part| {
            self.old[part].splice
                && self.pairs[part].is_none()
                && !self.segments[part].classes.is_empty()
        });
        let left: Vec<usize> = left.collect();
        if left.len().saturating_mul(self.new.len()) > MAX_WEIGHED_PAIRS {
            return;
        }
        let mut taken = self.taken();
        for part in left {
            let classes = &self.segments[part].classes;
            let len = classes.len();
            let mut starts = 0..(self.new.len() + 1).saturating_sub(len);
            let found = starts.find(|&at| {
                self.classes[at..at + len] == classes[..]
                    && !taken[at..at + len].contains(&true)
            });
            if let Some(at) = found {
                taken[at..at + len].fill(true);
                self.pairs[part] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Pairs parts and items that are left: equal ones, then those of the same name.
    fn pair_moved(&mut self) {
        let mut by_value = HashMap::new();
        let mut by_name = HashMap::new();
        for part in (0..self.old.len()).rev() {
            let &[class] = &self.segments[part].classes[..] else { continue };
            if self.pairs[part].is_none() && !self.old[part].splice {
                by_value.entry(class).or_insert_with(Vec::new).push(part);
                if let Some(name) = self.names.old[part] {
                    by_name.entry(name).or_insert_with(Vec::new).push(part);
                }
            }
        }
        let taken = self.taken();
        for at in (0..self.new.len()).filter(|&at| !taken[at]) {
            let equal = by_value.get_mut(&self.classes[at]);
            let found = equal.and_then(|parts| self.pop_left(parts)).or_else(|| {
                let name = self.names.new[at]?;
                by_name.get_mut(&name).and_then(|parts| self.pop_left(parts))
            });
            if let Some(part) = found {
                self.pairs[part] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Takes the last of some parts that is not paired yet.
    fn pop_left(&self, parts: &mut Vec<usize>) -> Option<usize> {
        while let Some(part) = parts.pop() {
            if self.pairs[part].is_none() {
                return Some(part);
            }
        }
        None
    }

    /// Pairs items that changed both name and position, the most similar first.
    fn pair_moved_and_renamed(&mut self) {
        let taken: HashSet<usize> =
            self.pairs.iter().flatten().map(|new| new.at).collect();
        let is_left = |&part: &usize| {
            let ListPart { view, splice, .. } = self.old[part];
            self.pairs[part].is_none() && view.is_some() && !splice
        };
        let left: Vec<usize> = (0..self.old.len()).filter(is_left).collect();
        let fresh = (0..self.new.len()).filter(|at| !taken.contains(at));
        let fresh: Vec<usize> = fresh.collect();
        let most = PAIRING_BUDGET / left.len().saturating_mul(fresh.len()).max(1);
        // There are more pairs than are weighed elsewhere: positions and names must do.
        if most < PAIRING_BUDGET / MAX_WEIGHED_PAIRS {
            return;
        }
        let mut found = Vec::new();
        for &part in &left {
            for &at in &fresh {
                if !self.names.are_distinct(part, at) {
                    let weight = self.similarity(part, at, most);
                    found.push((Reverse(weight), part, at));
                }
            }
        }
        found.retain(|&(Reverse(weight), ..)| weight >= MIN_RENAMED_SIMILARITY);
        found.sort_unstable();
        let mut taken = HashSet::new();
        for (_, part, at) in found {
            if self.pairs[part].is_none() && taken.insert(at) {
                self.pairs[part] = Some(NewPosition { at, moved: true });
            }
        }
    }

    /// Returns the similarity of a part and a new item: less than 100, 0 if they are no
    /// pair. Compares up to `most` entries.
    fn similarity(&mut self, part: usize, at: usize, most: usize) -> u32 {
        let ListPart { view, site, .. } = *self.old[part];
        let Some(view) = view else { return 0 };
        let new = self.new[at];
        let was = self.values.document(Side::Old).kind(view);
        let is = self.values.document(Side::New).kind(new);
        if was != Kind::Mapping || is != Kind::Mapping {
            return match (was == is, site) {
                (is_same, true) => u32::from(is_same),
                (true, false) => 2,
                (false, false) => 1,
            };
        }
        let is_renamed = self.names.old[part] != self.names.new[at];
        if !is_renamed && self.names.old[part].is_some() {
            return 95;
        }
        let overlap = Overlap::of(self.values, view, new, most);
        let Overlap { shared, equal, all } = overlap;
        let alike = overlap.similarity();
        match (is_renamed, site) {
            // A renamed item keeps directives only if nearly all else is the same.
            (true, true) if 2 * equal + 1 < all || equal == 0 => 0,
            // Another name and no equal entry make another item, which the comments of this
            // one are not about.
            (true, false) if equal == 0 && all > 1 => 0,
            (true, _) => alike.max(1),
            (false, _) if shared > 0 => alike.max(3),
            (false, true) => 0,
            (false, false) => alike.max(2),
        }
    }
}
