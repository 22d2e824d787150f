//! All changes in the order of time, those at each place, and the orders of the items of lists
//! that they led to.

use std::cell::OnceCell;

use hashbrown::HashMap;

use crate::arena::Index;
use crate::node::{Effect, NodeId, OpId, Path, Seat, SlotId, Step, Tree};
use crate::source::FileId;

/// All changes in the order of time. A moment is the number of changes before it.
#[derive(Debug, Default)]
pub(super) struct ChangeLog {
    list: Vec<LoggedChange>,
    roots: HashMap<usize, Vec<usize>>,
    slots: HashMap<(u32, SlotId), Vec<usize>>,
    /// By collection and the digest of the key.
    keys: HashMap<(u32, u64), Vec<usize>>,
    collections: HashMap<u32, Vec<usize>>,
    /// The nodes that copies were made of, to be edited where they stand.
    copied: HashMap<u32, u32>,
    /// By the written node that was there before: its aliases have changed with it.
    anchors: HashMap<(FileId, Index), Vec<usize>>,
}

impl ChangeLog {
    pub(super) fn new(
        tree: &Tree,
        list: Vec<LoggedChange>,
        copied: HashMap<u32, u32>,
    ) -> ChangeLog {
        let mut changes = ChangeLog { copied, ..ChangeLog::default() };
        let has_aliases = tree.has_aliases();
        for (number, change) in list.iter().enumerate() {
            // Values of variables and templates always reach the aliases.
            let is_op = matches!(change.cause, Cause::Op(_));
            let is_followed = has_aliases && (change.effect.is_followed || !is_op);
            let before = change.effect.before.filter(|_| is_followed);
            if let Some(before) = before.and_then(|node| tree.origin_of(node)) {
                changes.anchors.entry(before).or_default().push(number);
            }
            match change.effect.seat {
                Seat::Root(root) => changes.roots.entry(root).or_default().push(number),
                Seat::Slot(id, at) => {
                    changes.slots.entry((id, at)).or_default().push(number);
                    changes.collections.entry(id).or_default().push(number);
                    if let Some(&Step::Key(key)) = change.effect.path.last() {
                        let key = (id, digest(tree, key));
                        changes.keys.entry(key).or_default().push(number);
                    }
                }
                Seat::Detached(_) => {}
            }
        }
        ChangeLog { list, ..changes }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> &LoggedChange {
        &self.list[number]
    }

    /// Returns the numbers of the changes of a whole document.
    pub(super) fn of_root(&self, root: usize) -> &[usize] {
        self.roots.get(&root).map_or(&[], |all| all)
    }

    /// Returns the numbers of the changes of a slot of an opened collection.
    pub(super) fn of_slot(&self, id: u32, at: SlotId) -> Vec<usize> {
        self.sorted(id, |id| self.slots.get(&(id, at)))
    }

    /// Returns the numbers of the changes of the entries with a key.
    pub(super) fn of_key(&self, tree: &Tree, id: u32, key: NodeId) -> Vec<usize> {
        let digest = digest(tree, key);
        let mut numbers = self.sorted(id, |id| self.keys.get(&(id, digest)));
        numbers.retain(|&number| {
            let other = self.list[number].effect.path.last();
            matches!(other, Some(&Step::Key(other)) if tree.is_same_key(other, key))
        });
        numbers
    }

    /// Returns the numbers of the changes of all entries or items of a collection.
    pub(super) fn of_collection(&self, id: u32) -> Vec<usize> {
        self.sorted(id, |id| self.collections.get(&id))
    }

    /// Returns true if aliases have followed any change.
    pub(super) fn have_followers(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// Returns the numbers of the changes that an alias has followed.
    pub(super) fn of_alias(&self, tree: &Tree, alias: NodeId) -> &[usize] {
        let NodeId::Clean(file, i) = alias else { return &[] };
        let target = tree.arena(file).target(i);
        if target == i || tree.alias_value(file, target).is_none() {
            return &[];
        }
        self.anchors.get(&(file, target)).map_or(&[], |all| all)
    }

    /// Returns what a node stood for at a moment, if it is an alias; else the node.
    pub(super) fn follow(&self, tree: &Tree, node: NodeId, moment: usize) -> NodeId {
        let next = self.of_alias(tree, node).iter().find(|&&number| number >= moment);
        let before = next.and_then(|&next| self.list[next].effect.before);
        before.unwrap_or_else(|| tree.follow(node))
    }

    /// Returns true if one opened node is a copy of the other, or the same.
    pub(super) fn are_one(&self, a: u32, b: u32) -> bool {
        self.lineage(a).any(|id| id == b) || self.lineage(b).any(|id| id == a)
    }

    /// Makes a change in the order of the slots before it; or, with `takes_back`, takes it
    /// back in the order that it has led to.
    fn replay(&self, number: usize, takes_back: bool, order: &mut Vec<SlotId>) {
        let Effect { before, after, seat, position, .. } = self.list[number].effect;
        let Seat::Slot(_, at) = seat else { return };
        let is_added = before.is_none();
        if is_added == after.is_none() {
            return;
        }
        if is_added != takes_back {
            return order.insert(position.min(order.len()), at);
        }
        // It mostly is where the change was made.
        let is_there = order.get(position) == Some(&at);
        let place = is_there.then_some(position);
        let place = place.or_else(|| order.iter().position(|&other| other == at));
        place.map(|place| order.remove(place));
    }

    /// Returns what was in a slot at a moment.
    pub(super) fn in_slot(
        &self,
        tree: &Tree,
        id: u32,
        at: SlotId,
        moment: usize,
    ) -> Option<NodeId> {
        let next = self.of_slot(id, at).into_iter().find(|&number| number >= moment);
        match next {
            Some(number) => self.list[number].effect.before,
            None => {
                let slots = tree.children(id);
                slots.holds(at).then(|| slots.get(at).value)
            }
        }
    }

    /// Returns an opened node and those that it is a copy of.
    pub(super) fn lineage(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        // A copy has a higher number than what it was made of.
        std::iter::successors(Some(id), |id| {
            self.copied.get(id).copied().filter(|older| older < id)
        })
    }

    fn sorted<'a>(
        &'a self,
        id: u32,
        numbers: impl Fn(u32) -> Option<&'a Vec<usize>>,
    ) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.lineage(id).filter_map(numbers).flatten().copied().collect();
        all.sort_unstable();
        all
    }
}

/// Returns a number that equal keys have in common.
pub(super) fn digest(tree: &Tree, key: NodeId) -> u64 {
    tree.identity(key).map_or(0, |identity| identity.digest())
}

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The op of this number in the history of the document.
    Op(OpId),
    /// The values of variables.
    Variables,
    /// Templates and expressions.
    Templates,
}

/// An effect with its cause.
#[derive(Clone, Debug)]
pub(super) struct LoggedChange {
    pub cause: Cause,
    pub effect: Effect,
    /// The place from which its value was moved or copied.
    pub source: Option<ChangeSource>,
}

/// The place from which a change took its value.
#[derive(Clone, Debug)]
pub(super) struct ChangeSource {
    /// The way from the place of the change to that of the value, through what the same op
    /// has made.
    pub below: Path,
    pub place: PastPlace,
    /// True if the value is not there any more.
    pub is_moved: bool,
}

/// A place at a moment: after that many changes.
#[derive(Clone, Debug)]
pub(super) struct PastPlace {
    pub root: usize,
    pub path: Path,
    pub moment: usize,
}

/// Maximum number of orders of items that are kept: one serves all items of a list.
const MAX_ORDERS: usize = 16;

/// The slots of a list in order, and their positions.
pub(super) struct ItemOrder {
    pub slots: Vec<SlotId>,
    positions: OnceCell<HashMap<SlotId, u32>>,
}

impl ItemOrder {
    /// Returns the position of a slot.
    pub(super) fn position(&self, at: SlotId) -> Option<u32> {
        let positions =
            self.positions.get_or_init(|| self.slots.iter().copied().zip(0..).collect());
        positions.get(&at).copied()
    }
}

/// The orders of items that were last asked for.
pub(super) struct Orders<'h> {
    tree: &'h Tree,
    changes: &'h ChangeLog,
    /// The numbers of the changes of each list.
    numbers: HashMap<u32, Vec<usize>>,
    /// By list and number of changes of it; the last one was asked for last.
    known: Vec<((u32, usize), ItemOrder)>,
}

impl<'h> Orders<'h> {
    pub(super) fn new(tree: &'h Tree, changes: &'h ChangeLog) -> Orders<'h> {
        Orders { tree, changes, numbers: HashMap::new(), known: Vec::new() }
    }

    /// Returns the slots of an opened collection at a moment, in order.
    pub(super) fn get(&mut self, id: u32, moment: usize) -> &ItemOrder {
        let numbers =
            self.numbers.entry(id).or_insert_with(|| self.changes.of_collection(id));
        let done = numbers.partition_point(|&number| number < moment);
        let known = self.known.iter().position(|(of, _)| *of == (id, done));
        let found = match known {
            Some(at) => self.known.remove(at),
            None => ((id, done), self.made(id, done)),
        };
        if self.known.len() == MAX_ORDERS {
            self.known.remove(0);
        }
        self.known.push(found);
        &self.known[self.known.len() - 1].1
    }

    /// Makes an order from the nearest one that is known.
    fn made(&self, id: u32, done: usize) -> ItemOrder {
        let numbers = &self.numbers[&id];
        let of_list = self.known.iter().filter(|((of, _), _)| *of == id);
        let nearest = of_list.min_by_key(|((_, other), _)| other.abs_diff(done));
        let (mut from, mut slots) = match nearest {
            Some(((_, other), order)) => (*other, order.slots.clone()),
            None => (numbers.len(), self.tree.children(id).ids().collect()),
        };
        while from > done {
            from -= 1;
            self.changes.replay(numbers[from], true, &mut slots);
        }
        while from < done {
            self.changes.replay(numbers[from], false, &mut slots);
            from += 1;
        }
        ItemOrder { slots, positions: OnceCell::new() }
    }
}
