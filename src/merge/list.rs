//! Two lists joined as Unfurl's code does: the inherited items, then those own items that
//! are not among them. An own item may also say that it is merged into an inherited one.

use std::collections::{HashMap, HashSet};

use super::Merger;
use super::rule::Strategy;
use crate::node::{Document, Kind, Node, Slot, Slots};
use crate::scalar::{Identity, Scalar};

impl Merger<'_> {
    /// Fills opened sequence `id` with the items of its layers.
    pub(super) fn fill_list(&mut self, id: u32, layers: &[Node]) {
        let mut joined = Joined::default();
        let Some((&own, bases)) = layers.split_last() else { return };
        for (number, &base) in bases.iter().enumerate() {
            let new = |value| Slot { was: None, key: None, value, by: self.by };
            let items = self.document.items(base).into_iter().map(new).collect();
            match number {
                0 => joined.fill(self.document, items),
                _ => self.join(&mut joined, items),
            }
        }
        let own = self.document.slots(own).into_owned();
        self.join(&mut joined, own);
        *self.room = self.room.saturating_sub(joined.items.len());
        self.document.set_children(id, Slots::new(joined.items));
    }

    fn join(&mut self, joined: &mut Joined, mut items: Vec<Slot>) {
        let strategy = |slot: &Slot| self.document.strategy(slot.value);
        items.retain(|slot| strategy(slot) != Some(Strategy::Whiteout));
        for (at, slot) in items.into_iter().enumerate() {
            *self.room = self.room.saturating_sub(1 + joined.collections.len());
            match joined.partner(self.document, at, slot.value) {
                Some(at) => {
                    let base = joined.items[at].value;
                    let meets = self.document.kind(base) == Kind::Mapping;
                    let pair = || vec![base, slot.value];
                    let value = if meets { self.meet(pair()) } else { slot.value };
                    joined.items[at].value = value;
                }
                None if joined.has(self.document, slot.value) => {}
                None => joined.push(self.document, slot),
            }
        }
    }
}

/// The items so far, to be found by what they are.
#[derive(Default)]
struct Joined {
    items: Vec<Slot>,
    scalars: HashSet<Identity<'static>>,
    collections: Vec<Node>,
    /// The first of the mappings with but this one key.
    singles: HashMap<Identity<'static>, usize>,
}

impl Joined {
    fn fill(&mut self, document: &Document, items: Vec<Slot>) {
        items.into_iter().for_each(|slot| self.push(document, slot));
    }

    fn push(&mut self, document: &Document, slot: Slot) {
        match document.kind(slot.value) {
            Kind::Scalar => {
                self.scalars.insert(number(document.scalar(slot.value)));
            }
            Kind::Sequence | Kind::Mapping => self.collections.push(slot.value),
        }
        if let Some(key) = only_key(document, slot.value) {
            self.singles.entry(key).or_insert(self.items.len());
        }
        self.items.push(slot);
    }

    fn has(&self, document: &Document, item: Node) -> bool {
        if document.kind(item) == Kind::Scalar {
            return self.scalars.contains(&number(document.scalar(item)));
        }
        self.collections.iter().any(|&other| document.equal(other, item))
    }

    /// The number of the item that an own item is merged into.
    fn partner(&self, document: &Document, at: usize, own: Node) -> Option<usize> {
        if document.strategy(own) == Some(Strategy::Merge) {
            return (at < self.items.len()).then_some(at);
        }
        self.singles.get(&only_key(document, own)?).copied()
    }
}

/// The key of a mapping that has but one.
fn only_key(document: &Document, node: Node) -> Option<Identity<'static>> {
    match document.pairs(node)[..] {
        [(key, _)] if document.kind(key) == Kind::Scalar => {
            Some(number(document.scalar(key)))
        }
        _ => None,
    }
}

/// In Unfurl's language `true` is 1 and 1 is 1.0.
fn number(scalar: Scalar<'_>) -> Identity<'static> {
    match scalar {
        Scalar::Null => Identity::Null,
        Scalar::Bool(x) => Identity::Int(x.into()),
        Scalar::Int(x) => Identity::Int(x),
        Scalar::Big(x) => Identity::Big(x),
        Scalar::Float(x) if x.fract() == 0.0 && x.abs() < 1e18 => {
            Identity::Int(x as i128)
        }
        Scalar::Float(x) => Identity::Float(x.to_bits()),
        Scalar::String(text) => Identity::String(text.into_owned().into()),
        Scalar::Binary(bytes) => Identity::Binary(bytes),
    }
}
