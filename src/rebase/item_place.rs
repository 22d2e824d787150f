//! The ways of a target in both documents, and the place of an item that an op finds by its
//! position.

use super::bases::Trees;
use super::difference::{is_same, shown};
use super::name::{Child, Name, children};
use super::trail::Stop;
use crate::compare::{Side, Values, is_distinctive};
use crate::node::{NodeId, Tree};

/// Maximum number of pairs of items that are compared for all ops together.
// Each op on a list compares its item with all others: of ten thousand ops on a list of ten
// thousand items not all can. The largest deployments need a thousandth of it.
const MAX_COMPARED: usize = 1 << 22;

/// The place in the new list of an item that an op found by its position in the old one.
pub(super) enum ItemPlace {
    /// It is where it was, with another value at most.
    Same,
    /// It is this item now.
    Moved(Child),
    /// No item is like it.
    Gone,
    /// It cannot be told.
    Unclear,
}

/// The number of pairs of items that may still be compared.
pub(super) struct ItemSearch {
    pairs_left: usize,
}

impl ItemSearch {
    pub(super) fn new() -> ItemSearch {
        ItemSearch { pairs_left: MAX_COMPARED }
    }

    /// Finds an item of an old list in the new one: by its name, if it has one, else by its
    /// value.
    pub(super) fn place(
        &mut self,
        trees: Trees<'_>,
        lists: [NodeId; 2],
        was: &Stop,
    ) -> ItemPlace {
        let (Some(position), [_, new]) = (was.position, lists) else {
            return ItemPlace::Same;
        };
        match &was.name {
            Name::Item { key, .. } => {
                if !self.may_compare(trees[1].items(new).len()) {
                    return ItemPlace::Unclear;
                }
                let items = children(trees[1], new, Some(key)).into_iter();
                let mut same = items.filter(|item| item.name == was.name);
                match (same.next(), same.next()) {
                    (Some(item), None) if item.position == position => ItemPlace::Same,
                    (Some(item), None) => ItemPlace::Moved(item),
                    (None, _) => ItemPlace::Gone,
                    (Some(_), Some(_)) => ItemPlace::Unclear,
                }
            }
            Name::Key(_) | Name::Collection(_) | Name::Index(_) => {
                self.by_value(trees, lists, position as usize)
            }
        }
    }

    /// Takes the cost of a comparison, unless too little is left.
    fn may_compare(&mut self, pairs: usize) -> bool {
        let left = self.pairs_left.checked_sub(pairs);
        self.pairs_left = left.unwrap_or(self.pairs_left);
        left.is_some()
    }

    fn by_value(&mut self, trees: Trees<'_>, lists: [NodeId; 2], at: usize) -> ItemPlace {
        let old = trees[0].items(lists[0]);
        let new = trees[1].items(lists[1]);
        let Some(&item) = old.get(at) else { return ItemPlace::Same };
        if new.get(at).is_some_and(|&now| is_same(trees, item, now)) {
            return ItemPlace::Same;
        }
        if !self.may_compare(old.len() + new.len()) {
            return ItemPlace::Unclear;
        }
        let mut values = Values::new(trees);
        let was = values.classes(&old, Side::Old);
        let now = values.classes(&new, Side::New);
        let is_kept = |i: usize, j: usize| i < was.len() && was.get(i) == now.get(j);
        let twins: Vec<usize> = (0..old.len()).filter(|&i| was[i] == was[at]).collect();
        let found: Vec<usize> = (0..new.len()).filter(|&j| now[j] == was[at]).collect();
        if found.is_empty() {
            // It was changed there, if its neighbours or most of the others stayed.
            let is_last = at + 1 == old.len() && at + 1 == new.len();
            let is_between = (at == 0 || is_kept(at - 1, at - 1))
                && (is_last || is_kept(at + 1, at + 1));
            let kept = || (0..old.len()).filter(|&i| is_kept(i, i)).count();
            let is_there = at < new.len()
                && (is_between || old.len() == new.len() && 2 * kept() + 1 >= old.len());
            return if is_there { ItemPlace::Same } else { ItemPlace::Gone };
        }
        // It does not matter which of two equal items is which.
        let number = twins.iter().position(|&twin| twin == at).unwrap_or(0);
        let Some(&to) = found.get(number).filter(|_| twins.len() == found.len()) else {
            return ItemPlace::Unclear;
        };
        let has_neighbour =
            is_kept(at + 1, to + 1) || at > 0 && to > 0 && is_kept(at - 1, to - 1);
        if has_neighbour || is_distinctive(trees[0], item) {
            let (name, node) = (Name::Index(to as u32), new[to]);
            return ItemPlace::Moved(Child { name, node, position: to as u32 });
        }
        ItemPlace::Unclear
    }
}

/// Returns an item as a person reads it: its name, or its value.
pub(super) fn shown_item(tree: &Tree, stop: &Stop) -> String {
    match &stop.name {
        Name::Item { .. } => format!("'{}'", stop.name.shown()),
        Name::Key(_) | Name::Collection(_) | Name::Index(_) => shown(tree, stop.node),
    }
}

/// The ways of a target in the old and the new document.
pub(super) struct Ways {
    pub was: Vec<Stop>,
    pub now: Vec<Stop>,
    /// The first step that finds an item by its position, and another one than before or
    /// none: its number, and the place of the item in the new document.
    pub stray: Option<(usize, ItemPlace)>,
}

impl Ways {
    /// Returns true if the target leads as far as before.
    pub(super) fn are_whole(&self) -> bool {
        self.now.len() >= self.was.len()
    }

    /// Returns the collections around the stops of a number in the two documents, whose roots are
    /// given.
    pub(super) fn around(&self, at: usize, roots: [NodeId; 2]) -> [NodeId; 2] {
        match at.checked_sub(1) {
            Some(above) => [self.was[above].node, self.now[above].node],
            None => roots,
        }
    }
}
