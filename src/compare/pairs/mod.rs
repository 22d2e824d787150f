//! Which child of an old collection is which of a new one: items of lists, and documents of
//! streams. Entries of mappings are paired by their keys, and by [`renamed`](super::renamed)
//! where a key is new.
//!
//! All pairs are found in steps, from what is sure to what is likely: by name, by value, by
//! order. The policies differ in the steps that they take:
//!
//! An item with another name is the same item, in a merge, if all else is equal; in a save, if
//! it reaches 40 of 90 points of likeness; in a diff, if half of its entries are equal; in a
//! rebase, if three quarters of its contents are.
//!
//! | policy | steps | used by |
//! | --- | --- | --- |
//! | [`certain`] | by name, by value, by entries that one alone has, by place; a pair that is not sure is no pair | merge: documents of streams, and changed items without names |
//! | [`similar`] | by value and likeness in order; then what moved; then what moved and was renamed | save |
//! | [`kept`] | by name or value in order; between these by place | diff |
//! | [`nodes`] | as a diff, then copies anywhere in the list or document | variables |
//! | [`moved`] | nodes that left their places, by likeness, anywhere in a document | rebase |
//! | [`stream`] | documents by kind, name and namespace, or all by place | diff, save, rebase |

mod certain;
mod kept;
mod moved;
mod nodes;
mod similar;
mod stream;

pub(crate) use certain::{Features, pair_certain};
pub(crate) use kept::{KeptItems, ListSides, is_renamed};
pub(crate) use moved::{Choice, ENOUGH, ENOUGH_EVIDENCE, ENOUGH_RENAMED, MovedNodes};
pub(crate) use nodes::{PairedNodes, pair_nodes, pair_nodes_by_place, pair_text_keys};
pub(crate) use similar::{ListPart, NewPosition, pair_similar};
pub use stream::DocumentPairs;

use std::collections::BTreeMap;

/// The children of two versions of a collection, as far as it is known which belong
/// together.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The position in the new version of each old child.
    new_of: Vec<Option<usize>>,
    /// The position in the old version of each new child.
    old_of: Vec<Option<usize>>,
}

impl Pairs {
    /// Starts with so many old and new children, of which none are paired.
    pub(crate) fn new(old: usize, new: usize) -> Pairs {
        Pairs { new_of: vec![None; old], old_of: vec![None; new] }
    }

    /// Pairs two children.
    pub(crate) fn pair(&mut self, old: usize, new: usize) {
        self.new_of[old] = Some(new);
        self.old_of[new] = Some(old);
    }

    /// Returns the new child that an old one is.
    pub(crate) fn new_of(&self, old: usize) -> Option<usize> {
        self.new_of[old]
    }

    /// Returns the old child that a new one was.
    pub(crate) fn old_of(&self, new: usize) -> Option<usize> {
        self.old_of[new]
    }

    /// Returns the old children without a partner.
    pub(crate) fn removed(&self) -> impl Iterator<Item = usize> {
        (0..self.new_of.len()).filter(|&old| self.new_of[old].is_none())
    }

    /// Returns the new children without a partner.
    pub(crate) fn added(&self) -> impl Iterator<Item = usize> {
        (0..self.old_of.len()).filter(|&new| self.old_of[new].is_none())
    }

    /// Returns the old child of each new one.
    pub(crate) fn into_old_of(self) -> Vec<Option<usize>> {
        self.old_of
    }

    /// Pairs the children that are left and have equal numbers. Where several have one number,
    /// `ambiguous` tells if they are paired in their order.
    pub(crate) fn pair_equal(
        &mut self,
        old: impl Fn(usize) -> Option<u32>,
        new: impl Fn(usize) -> Option<u32>,
        ambiguous: Ambiguous,
    ) {
        let mut left = BTreeMap::<u32, [Vec<usize>; 2]>::new();
        for at in self.removed() {
            if let Some(number) = old(at) {
                left.entry(number).or_default()[0].push(at);
            }
        }
        for at in self.added() {
            if let Some(number) = new(at) {
                left.entry(number).or_default()[1].push(at);
            }
        }
        for [old, new] in left.into_values() {
            let pairs = match ambiguous {
                Ambiguous::InOrder => true,
                Ambiguous::IfAsMany => old.len() == new.len(),
                Ambiguous::Never => old.len() == 1 && new.len() == 1,
            };
            if pairs {
                old.into_iter().zip(new).for_each(|(old, new)| self.pair(old, new));
            }
        }
    }
}

/// The treatment of several children with one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ambiguous {
    /// They are paired in their order.
    InOrder,
    /// They are paired in their order, if both versions have as many of them.
    IfAsMany,
    /// They are not paired.
    Never,
}
