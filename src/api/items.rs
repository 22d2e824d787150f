//! Items of lists: another order, and other items in the place of some.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use serde_core::Serialize;

use super::document::Document;
use super::error::{Error, Result};
use crate::compare::ascending;
use crate::patch::Patch;
use crate::pointer::JsonPointer;

impl Patch {
    /// Adds ops that put the items of a list in another order; comments go with their items.
    /// `order` has the index of each item, in the new order. As few items as possible move.
    ///
    /// # Errors
    /// `order` does not have each index once.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer, Patch};
    ///
    /// let mut document = Document::parse("- b   # two\n- c\n- a   # one\n")?;
    /// document.apply(&Patch::new().reorder_at(&JsonPointer::default(), &[2, 0, 1])?)?;
    /// assert_eq!(document.to_string(), "- a   # one\n- b   # two\n- c\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn reorder_at(mut self, list: &JsonPointer, order: &[usize]) -> Result<Patch> {
        let distinct: HashSet<&usize> = order.iter().collect();
        if distinct.len() < order.len() || order.iter().any(|&item| item >= order.len()) {
            return Err(Error::message("an order has each index once"));
        }
        let places: Vec<_> = order.iter().copied().enumerate().collect();
        let staying: HashSet<usize> =
            ascending(&places).into_iter().map(|(_, item)| item).collect();
        let mut current: Vec<usize> = (0..order.len()).collect();
        let mut before = None;
        for &item in order {
            if !staying.contains(&item) {
                let from = position(&current, item);
                current.remove(from);
                let to = before.map_or(0, |before| position(&current, before) + 1);
                current.insert(to, item);
                let [from, to] = [from, to].map(|at| list.child(at.to_string()));
                self = self.move_at(from, to);
            }
            before = Some(item);
        }
        Ok(self)
    }

    /// Adds ops that put values in the place of some items of a list of a document. An item that
    /// is equal to a value stays, with its comments, wherever that stands; a value that comes
    /// after the same item as another one replaces that.
    ///
    /// # Errors
    /// There is no such list, or YAML cannot hold a value.
    ///
    /// ```
    /// use interpolate::{Document, JsonPointer, Patch};
    ///
    /// let mut document = Document::parse("- a   # one\n- b   # two\n- c   # three\n")?;
    /// let list = JsonPointer::default();
    /// let patch = Patch::new().splice_at(&document, &list, 0..3, &["c", "x"])?;
    /// document.apply(&patch)?;
    /// assert_eq!(document.to_string(), "- c   # three\n- x\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn splice_at(
        self,
        document: &Document,
        list: &JsonPointer,
        range: Range<usize>,
        values: &[impl Serialize],
    ) -> Result<Patch> {
        let items = document.at(list)?.items().skip(range.start).take(range.len());
        let old = items.map(|item| item.to_json()).collect::<Result<Vec<_>>>()?;
        let new = values.iter().map(|value| Document::from_value(value)?.to_json());
        let kept = paired(&old, &new.collect::<Result<Vec<_>>>()?);
        let at = |index: usize| list.child((range.start + index).to_string());
        let mut patch = self;
        for (value, kept) in values.iter().zip(&kept) {
            if let Some(index) = *kept {
                // Nothing is done where the values are equal.
                patch = patch.replace_at(at(index), value)?;
            }
        }
        let order: Vec<usize> = kept.iter().filter_map(|kept| *kept).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        for index in (0..old.len()).rev() {
            if sorted.binary_search(&index).is_err() {
                patch = patch.remove_at(at(index));
            }
        }
        let before = 0..range.start;
        let rank = |index: &usize| range.start + sorted.partition_point(|it| it < index);
        let order: Vec<usize> = before.chain(order.iter().map(rank)).collect();
        patch = patch.reorder_at(list, &order)?;
        for (index, value) in values.iter().enumerate() {
            if kept[index].is_none() {
                patch = patch.add_at(at(index), value)?;
            }
        }
        Ok(patch)
    }
}

/// Returns the place of an item that is there.
fn position(items: &[usize], item: usize) -> usize {
    items.iter().position(|&other| other == item).unwrap_or(items.len())
}

/// Returns the old item that each new one goes on from: an equal one, or the one that stood in
/// the same gap between others.
fn paired(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut equal: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, item) in old.iter().enumerate().rev() {
        equal.entry(item).or_default().push(index);
    }
    let take = |item: &String| equal.get_mut(item.as_str()).and_then(Vec::pop);
    let mut kept: Vec<Option<usize>> = new.iter().map(take).collect();
    let mut is_free = vec![true; old.len()];
    for &index in kept.iter().flatten() {
        is_free[index] = false;
    }
    let mut next = 0;
    for kept in &mut kept {
        if kept.is_none() && is_free.get(next) == Some(&true) {
            is_free[next] = false;
            *kept = Some(next);
        }
        next = kept.map_or(old.len(), |index| index + 1);
    }
    kept
}
