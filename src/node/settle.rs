//! A mapping with `<<` and keys that stand twice comes in; the entry that counts for each
//! key goes out.

use std::collections::HashSet;

use super::{Document, Kind, Node, Slot};
use crate::scalar::{Dialect, Identity};

/// Finds the entry that counts for every key of a mapping: the first one met, going
/// through the entries from the strongest to the weakest. A source of `<<` that was
/// met before has nothing to add, so that the work is linear.
pub(super) struct EffectivePairs<'a> {
    document: &'a Document,
    /// Key, value and the place in reading order.
    pairs: Vec<(Node, Node, usize)>,
    seen: HashSet<Identity<'a>>,
    met: HashSet<Node>,
    /// Entries still to be looked at, the strongest last.
    todo: Vec<(Slot, usize)>,
    read: usize,
}

impl<'a> EffectivePairs<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let (pairs, todo) = (Vec::new(), Vec::new());
        let (seen, met) = (HashSet::new(), HashSet::new());
        EffectivePairs { document, pairs, seen, met, todo, read: 0 }
    }

    pub(super) fn run(mut self, mapping: Node) -> (Vec<(Node, Node)>, usize) {
        self.push_mapping(mapping);
        self.settle()
    }

    pub(super) fn settle(mut self) -> (Vec<(Node, Node)>, usize) {
        while let Some((slot, at)) = self.todo.pop() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(key) => self.take(key, slot.value, at),
                None => {}
            }
        }
        let passed = self.read - self.pairs.len();
        self.pairs.sort_unstable_by_key(|&(.., at)| at);
        (self.pairs.into_iter().map(|(key, value, _)| (key, value)).collect(), passed)
    }

    /// The value of the entry that counts for the string `key`.
    pub(super) fn find(mut self, mapping: Node, key: &str) -> Option<Node> {
        self.push_mapping(mapping);
        while let Some((slot, _)) = self.todo.pop() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(k) if self.document.is_text(k, key) => return Some(slot.value),
                Some(_) | None => {}
            }
        }
        None
    }

    fn take(&mut self, key: Node, value: Node, at: usize) {
        let document = self.document;
        let fresh = document.kind(key) != Kind::Scalar
            || self.seen.insert(document.scalar(key).identity());
        if fresh {
            self.pairs.push((key, value, at));
        }
    }

    /// In yaml.v2 an entry overrides what stands before it, `<<` or not; elsewhere the
    /// own entries override what is merged. Among own duplicates the last one counts.
    fn push_mapping(&mut self, mapping: Node) {
        let slots = self.document.slots(mapping);
        let from = self.todo.len();
        self.todo.extend(slots.iter().copied().zip(self.read..));
        self.read += slots.len();
        if self.document.base().dialect() != Dialect::Go {
            let document = self.document;
            self.todo[from..].sort_by_key(|(slot, _)| !document.is_merge(slot));
        }
    }

    /// Of several sources the first is the strongest.
    pub(super) fn push_sources(&mut self, value: Node) {
        let value = self.document.follow(value);
        let sources = match self.document.kind(value) {
            Kind::Sequence => self.document.items(value),
            Kind::Mapping => vec![value],
            Kind::Scalar => Vec::new(),
        };
        for source in sources.into_iter().rev() {
            let source = self.document.follow(source);
            if self.met.insert(source) {
                self.push_mapping(source);
            }
        }
    }
}
