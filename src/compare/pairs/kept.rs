//! The policy of a diff: the items that stay in a list, in the order of both versions, and
//! those that moved.

use std::ops::Range;

use hashbrown::HashSet;

use super::{Ambiguous, Pairs};
use crate::compare::{
    ItemName, ItemNames, KeySet, ListVersion, NameIdentity, Numbering, Overlap, Side,
    UnalignedRanges, Values, align, common_ends, is_same_text, unaligned,
};
use crate::node::NodeId;

/// The items of an old list and of a new one.
#[derive(Clone, Copy)]
pub(crate) struct ListSides<'l> {
    pub old: &'l [NodeId],
    pub new: &'l [NodeId],
}

/// The items that stay in a list.
pub(crate) struct KeptItems<'a> {
    /// The names of the old items.
    pub old_names: Vec<Option<ItemName<'a>>>,
    /// The names of the new items.
    pub new_names: Vec<Option<ItemName<'a>>>,
    /// The items that stay, as ascending pairs of positions.
    pub kept: Vec<(usize, usize)>,
}

/// The identity of an item: its name, or else its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ItemIdentity<'n> {
    Name(NameIdentity<'n>),
    Value(u32),
}

/// The numbers of the identities of items, for the items of each list from one on.
struct Identities {
    old: Vec<u32>,
    new: Vec<u32>,
    /// The names in both lists: no other item may take one, even for a while.
    common_names: HashSet<u32>,
}

impl ListSides<'_> {
    /// Returns the number of items at the beginning of both lists, and of those at their end,
    /// that have the same text.
    pub(crate) fn same_edges(self, values: &Values<'_>) -> Edges {
        let before = values.document(Side::Old);
        let after = values.document(Side::New);
        let [first, last] = common_ends(self.old, self.new, |&old, &new| {
            is_same_text(before, old, after, new)
        });
        Edges { first, last }
    }

    /// Returns true if the lists have only items at their edges that have the same text.
    pub(crate) fn are_same(self, edges: Edges) -> bool {
        edges.first + edges.last == self.old.len().max(self.new.len())
    }
}

/// The numbers of items at both ends of two lists that have the same text.
#[derive(Clone, Copy)]
pub(crate) struct Edges {
    first: usize,
    last: usize,
}

impl<'a> KeptItems<'a> {
    /// Finds the items that stay: those of the same name or value in the order of both lists,
    /// then between these those at the same place, if they may be the same.
    pub(crate) fn find(
        values: &mut Values<'a>,
        lists: ListSides<'_>,
        edges: Edges,
    ) -> KeptItems<'a> {
        let sides = [
            ListVersion { document: values.document(Side::Old), items: lists.old },
            ListVersion { document: values.document(Side::New), items: lists.new },
        ];
        let mut names = ItemNames::find(&sides, KeySet::Likely).lists.into_iter();
        let mut items = KeptItems {
            old_names: names.next().unwrap_or_default(),
            new_names: names.next().unwrap_or_default(),
            kept: (0..edges.first).map(|at| (at, at)).collect(),
        };
        let old = edges.first..lists.old.len() - edges.last;
        let new = edges.first..lists.new.len() - edges.last;
        if !old.is_empty() && !new.is_empty() {
            items.align(
                values,
                lists,
                &UnalignedRanges { old: old.clone(), new: new.clone() },
            );
        }
        items.kept.extend((old.end..lists.old.len()).zip(new.end..lists.new.len()));
        items
    }

    /// Returns the items that do not stay but have the name or the value of one that was
    /// elsewhere.
    pub(crate) fn moved(
        &self,
        values: &mut Values<'a>,
        lists: ListSides<'_>,
    ) -> Vec<(usize, usize)> {
        let all = UnalignedRanges { old: 0..lists.old.len(), new: 0..lists.new.len() };
        let identities = self.identities(values, lists, &all);
        let mut pairs = Pairs::new(lists.old.len(), lists.new.len());
        self.kept.iter().for_each(|&(old, new)| pairs.pair(old, new));
        let left: Vec<usize> = pairs.added().collect();
        pairs.pair_equal(
            |at| Some(identities.old[at]),
            |at| Some(identities.new[at]),
            Ambiguous::InOrder,
        );
        left.into_iter().filter_map(|new| Some((pairs.old_of(new)?, new))).collect()
    }

    /// Finds the items that stay in a part of both lists.
    fn align(
        &mut self,
        values: &mut Values<'a>,
        lists: ListSides<'_>,
        part: &UnalignedRanges,
    ) {
        let identities = self.identities(values, lists, part);
        let Identities { old, new, common_names } = &identities;
        let equal = align(old, new);
        let kept = equal.iter().map(|&(i, j)| (part.old.start + i, part.new.start + j));
        let mut kept: Vec<(usize, usize)> = kept.collect();
        for gap in unaligned(&equal, old.len(), new.len()) {
            let stays = |numbers: &[u32], range: Range<usize>, start: usize| {
                let stays = range.filter(|&at| !common_names.contains(&numbers[at]));
                stays.map(|at| start + at).collect::<Vec<usize>>()
            };
            let from = stays(old, gap.old, part.old.start);
            let to = stays(new, gap.new, part.new.start);
            let place =
                RangeShape { is_even: from.len() == to.len(), is_only: from.len() == 1 };
            for (i, j) in from.into_iter().zip(to) {
                if self.is_changed(values, lists, i, j, place) {
                    kept.push((i, j));
                }
            }
        }
        kept.sort_unstable();
        self.kept.extend(kept);
    }

    /// Returns true if the items at two positions are one that was changed.
    fn is_changed(
        &self,
        values: &mut Values<'a>,
        lists: ListSides<'_>,
        i: usize,
        j: usize,
        place: RangeShape,
    ) -> bool {
        let old = lists.old[i];
        let new = lists.new[j];
        match (&self.old_names[i], &self.new_names[j]) {
            (None, None) => true,
            (Some(was), Some(is)) => {
                let is_like = place.is_even
                    && was.key == is.key
                    && (place.is_only || was.is_like(is));
                is_renamed(values, old, new) || is_like && has_same_keys(values, old, new)
            }
            (None, Some(_)) | (Some(_), None) => {
                place.is_even && is_renamed(values, old, new)
            }
        }
    }

    /// Returns the numbers of the identities of the items in a part of both lists.
    fn identities(
        &self,
        values: &mut Values<'a>,
        lists: ListSides<'_>,
        part: &UnalignedRanges,
    ) -> Identities {
        let mut numbering = Numbering::default();
        let mut old_names = HashSet::new();
        let mut old = Vec::with_capacity(part.old.len());
        for at in part.old.clone() {
            let name = self.old_names[at].as_ref();
            let number = numbering.of(identity(values, name, lists.old[at], Side::Old));
            old_names.extend(name.map(|_| number));
            old.push(number);
        }
        let mut new = Vec::with_capacity(part.new.len());
        for at in part.new.clone() {
            let name = self.new_names[at].as_ref();
            new.push(numbering.of(identity(values, name, lists.new[at], Side::New)));
        }
        let common_names = new.iter().copied().filter(|it| old_names.contains(it));
        let common_names = common_names.collect();
        Identities { old, new, common_names }
    }
}

/// The place of an item among those that do not stay between two others.
#[derive(Clone, Copy)]
struct RangeShape {
    /// True if both lists have as many items there.
    is_even: bool,
    /// True if the old list has one.
    is_only: bool,
}

fn identity<'n>(
    values: &mut Values<'_>,
    name: Option<&'n ItemName<'_>>,
    node: NodeId,
    side: Side,
) -> ItemIdentity<'n> {
    match name {
        Some(name) => ItemIdentity::Name(name.identity()),
        None => ItemIdentity::Value(values.class(node, side)),
    }
}

/// Returns true if half of the entries are equal: only the name may have changed.
pub(crate) fn is_renamed(values: &mut Values<'_>, old: NodeId, new: NodeId) -> bool {
    let Overlap { equal, all, .. } = Overlap::of(values, old, new, usize::MAX);
    equal > 0 && 2 * equal + 1 >= all
}

/// Returns true if two mappings have the same keys in the same order.
fn has_same_keys(values: &mut Values<'_>, old: NodeId, new: NodeId) -> bool {
    let old = values.entries(old, Side::Old);
    let new = values.entries(new, Side::New);
    let keys = old.list.iter().map(|entry| &entry.key);
    keys.eq(new.list.iter().map(|entry| &entry.key))
}
