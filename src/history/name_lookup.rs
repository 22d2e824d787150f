//! Looking up names: a token of a pointer and a collection come in, the child that the token
//! leads to goes out, also one that was removed.

use super::changes::Changes;
use super::child_index::ChildIndex;
use super::orders::Orders;
use super::timeline::{Interval, Track};
use crate::node::{Kind, NodeId, Seat, Step, Tree};
use crate::pointer::{Modifier, Token};

/// Looks up the children of collections as they were.
pub(super) struct NameLookup<'f, 'h> {
    pub tree: &'h Tree,
    pub changes: &'h Changes,
    pub index: &'f mut ChildIndex,
    pub orders: &'f mut Orders<'h>,
}

impl NameLookup<'_, '_> {
    /// Returns the child that a token leads to in what stood somewhere.
    pub(super) fn child(
        &mut self,
        around: Interval,
        token: &Token,
    ) -> Option<(Track, Step)> {
        let node = self.tree.follow(around.node?);
        match token {
            Token::Key(name) if self.tree.kind(node) == Kind::Sequence => {
                let index = name.parse().ok()?;
                Some((Track::Index(index), Step::Index(index)))
            }
            Token::Key(name) => {
                let key = self.key(node, name)?;
                Some((Track::Key(key), Step::Key(key)))
            }
            Token::Index(index, _) if self.tree.kind(node) == Kind::Mapping => {
                let key = self.key(node, &index.to_string())?;
                Some((Track::Key(key), Step::Key(key)))
            }
            Token::Index(index, modifiers) => {
                let len = self.item_count(node, around.to) as i64;
                let index = index.saturating_add(shift(modifiers));
                let index = if index < 0 { index.saturating_add(len) } else { index };
                let index =
                    u32::try_from(index).ok().filter(|&it| i64::from(it) < len)?;
                Some((Track::Index(index), Step::Index(index)))
            }
            Token::Match { key, value, modifiers } => {
                let index = self.matching(node, around.to, key, value);
                let shifted =
                    |index: u32| i64::from(index).saturating_add(shift(modifiers));
                if let Some(index) = index.map(shifted) {
                    let index = u32::try_from(index).ok()?;
                    return Some((Track::Index(index), Step::Index(index)));
                }
                self.removed_item(node, around.to, key, value)
            }
            Token::End => None,
        }
    }

    /// Returns the key of an entry that a mapping has or had.
    fn key(&self, mapping: NodeId, name: &str) -> Option<NodeId> {
        if let Some((key, _)) = self.tree.member(mapping, name) {
            return Some(key);
        }
        let NodeId::Opened(id) = mapping else { return None };
        let keys =
            self.changes.of_collection(id).into_iter().rev().filter_map(|number| {
                match self.changes.get(number).effect.path.last() {
                    Some(&Step::Key(key)) => Some(key),
                    _ => None,
                }
            });
        let named =
            |key: &NodeId| self.tree.member_name(*key).is_some_and(|it| it == name);
        keys.into_iter().find(named)
    }

    /// Returns the index of the one item of a list with a text at a key, at a moment.
    fn matching(
        &mut self,
        list: NodeId,
        moment: usize,
        key: &str,
        value: &str,
    ) -> Option<u32> {
        let count = self.item_count(list, moment);
        let mut found = (0..count as u32).filter(|&index| {
            let item = match list {
                NodeId::Clean(..) => self.index.item(self.tree, list, index),
                NodeId::Opened(id) => {
                    let at =
                        self.orders.get(id, moment).slots.get(index as usize).copied();
                    at.and_then(|at| self.changes.in_slot(self.tree, (id, at), moment))
                }
            };
            item.is_some_and(|item| has_text(self.tree, item, key, value))
        });
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// Returns the last item with a text at a key that was removed from a list.
    fn removed_item(
        &self,
        list: NodeId,
        moment: usize,
        key: &str,
        value: &str,
    ) -> Option<(Track, Step)> {
        let NodeId::Opened(id) = list else { return None };
        let numbers = self.changes.of_collection(id).into_iter().rev();
        numbers.filter(|&number| number < moment).find_map(|number| {
            let effect = &self.changes.get(number).effect;
            let Seat::Slot(of, at) = effect.seat else { return None };
            let gone = effect.before.filter(|_| effect.after.is_none())?;
            let step = *effect.path.last()?;
            has_text(self.tree, gone, key, value).then_some((Track::Slot(of, at), step))
        })
    }

    fn item_count(&mut self, list: NodeId, moment: usize) -> usize {
        match list {
            NodeId::Opened(id) if self.tree.kind(list) == Kind::Sequence => {
                self.orders.get(id, moment).slots.len()
            }
            _ => self.tree.items(list).len(),
        }
    }
}

fn has_text(tree: &Tree, item: NodeId, key: &str, value: &str) -> bool {
    tree.get(item, key).is_some_and(|part| tree.is_text(part, value))
}

fn shift(modifiers: &[Modifier]) -> i64 {
    modifiers
        .iter()
        .map(|modifier| match modifier {
            Modifier::Prev => -1,
            Modifier::Next => 1,
            Modifier::Before | Modifier::After => 0,
        })
        .sum()
}
