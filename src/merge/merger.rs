//! One merge: the layers of a mapping or list come in, an opened node goes out. What
//! collections meet below is put on a queue, so that nothing recurses.

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::layer::merge_layers;
use super::rule::{MergedValue, Strategy};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Kind, NodeId, OpId, Slot, Slots, Tree};
use crate::patch::Lists;
use crate::scalar::{Identity, Scalar};

pub(crate) struct Merger<'d> {
    document: &'d mut Tree,
    lists: Lists,
    by: Option<OpId>,
    /// Number of entries that may still be read.
    budget: &'d mut usize,
    /// The opened node that was made of layers. Layers that meet in several places
    /// because of aliases are merged once.
    merged: HashMap<Vec<NodeId>, u32>,
    /// Opened collections that are still empty, and their layers.
    todo: VecDeque<(u32, Vec<NodeId>)>,
    conflicts: Vec<Diagnostic>,
}

impl<'d> Merger<'d> {
    pub(crate) fn new(
        document: &'d mut Tree,
        lists: Lists,
        by: Option<OpId>,
        budget: &'d mut usize,
    ) -> Merger<'d> {
        let merged = HashMap::new();
        let todo = VecDeque::new();
        Merger { document, lists, by, budget, merged, todo, conflicts: Vec::new() }
    }

    /// Merges the mapping `own`, without the entries `leaving`, over other mappings, the
    /// strongest last. Fails with one diagnostic for each `+%: error` that two mappings
    /// met at, or one if the budget is used up.
    pub(crate) fn merge(
        mut self,
        mut layers: Vec<NodeId>,
        own: NodeId,
        leaving: &[NodeId],
    ) -> Result<NodeId, Diagnostics> {
        layers.push(own);
        let top = self.document.new_collection_like(own, Kind::Mapping);
        self.fill(top, &layers, leaving);
        while let Some((id, layers)) = self.todo.pop_front() {
            if *self.budget == 0 {
                return Err(too_large().into());
            }
            match self.document.kind(layers[0]) {
                Kind::Sequence => self.fill_list(id, &layers),
                Kind::Mapping | Kind::Scalar => self.fill(id, &layers, &[]),
            }
        }
        if self.conflicts.is_empty() {
            Ok(NodeId::Opened(top))
        } else {
            Err(Diagnostics(self.conflicts))
        }
    }

    /// Fills opened mapping `id` with the entries of its layers.
    fn fill(&mut self, id: u32, layers: &[NodeId], leaving: &[NodeId]) {
        let Some((&own, bases)) = layers.split_last() else { return };
        let merged = merge_layers(self.document, self.lists, bases, own, leaving);
        *self.budget = self.budget.saturating_sub(merged.size + 1);
        self.conflicts.extend(merged.conflicts);
        let slots = merged.slots.into_iter().map(|(slot, value)| self.slot(slot, value));
        let slots = Slots::new(slots.collect());
        self.document.set_children(id, slots);
    }

    fn slot(&mut self, slot: Slot, value: MergedValue) -> Slot {
        let value = match value {
            MergedValue::Node(node) if slot.was.is_some() && node == slot.value => {
                return slot;
            }
            MergedValue::Node(node) => node,
            MergedValue::Absent | MergedValue::Null => self.document.new_null(),
            MergedValue::Layers(layers) => self.meet(layers),
        };
        Slot { value, by: self.by.or(slot.by), ..slot }
    }

    /// Fills opened sequence `id` with the items of its layers, joined as Unfurl's code
    /// does: the inherited items, then those own items that are not among them. An own
    /// item may be merged into an inherited one instead.
    fn fill_list(&mut self, id: u32, layers: &[NodeId]) {
        let mut joined = Joined::default();
        let Some((&own, bases)) = layers.split_last() else { return };
        for (layer, &base) in bases.iter().enumerate() {
            let items = self.document.items(base).into_iter();
            let items = items.map(|value| Slot::new(None, value, self.by)).collect();
            match layer {
                0 => joined.fill(self.document, items),
                _ => self.join(&mut joined, items),
            }
        }
        let own = self.document.slots(own).into_owned();
        self.join(&mut joined, own);
        *self.budget = self.budget.saturating_sub(joined.items.len());
        self.document.set_children(id, Slots::new(joined.items));
    }

    fn join(&mut self, joined: &mut Joined, mut items: Vec<Slot>) {
        items.retain(|slot| {
            Strategy::of(self.document, slot.value) != Some(Strategy::Whiteout)
        });
        for (at, slot) in items.into_iter().enumerate() {
            // Each item is compared with every collection that is in the list already.
            *self.budget = self.budget.saturating_sub(1 + joined.collections.len());
            match joined.partner(self.document, at, slot.value) {
                Some(at) => {
                    let base = joined.items[at].value;
                    joined.items[at].value = match self.document.kind(base) {
                        Kind::Mapping => self.meet(vec![base, slot.value]),
                        Kind::Sequence | Kind::Scalar => slot.value,
                    };
                }
                None if joined.has(self.document, slot.value) => {}
                None => joined.push(self.document, slot),
            }
        }
    }

    /// Returns the node for collections that meet, the strongest last, and queues it.
    fn meet(&mut self, mut layers: Vec<NodeId>) -> NodeId {
        for layer in &mut layers {
            *layer = self.document.follow(*layer);
        }
        let own = layers[layers.len() - 1];
        let id = match self.merged.get(&layers) {
            Some(&id) => id,
            None => {
                let id = self.document.new_collection_like(own, self.document.kind(own));
                self.merged.insert(layers.clone(), id);
                self.todo.push_back((id, layers));
                id
            }
        };
        NodeId::Opened(id)
    }
}

pub(crate) fn too_large() -> Box<Diagnostic> {
    Diagnostic::error("what the directives import makes the document too large")
        .hint("`--limit expansion=N` raises the limit")
}

/// The items of a joined list, indexed by what they mean.
#[derive(Default)]
struct Joined {
    items: Vec<Slot>,
    scalars: HashSet<Identity<'static>>,
    collections: Vec<NodeId>,
    /// The first item that is a mapping with this single key.
    singles: HashMap<Identity<'static>, usize>,
}

impl Joined {
    fn fill(&mut self, document: &Tree, items: Vec<Slot>) {
        items.into_iter().for_each(|slot| self.push(document, slot));
    }

    fn push(&mut self, document: &Tree, slot: Slot) {
        match document.kind(slot.value) {
            Kind::Scalar => {
                self.scalars.insert(python_identity(document.scalar(slot.value)));
            }
            Kind::Sequence | Kind::Mapping => self.collections.push(slot.value),
        }
        if let Some(key) = only_key(document, slot.value) {
            self.singles.entry(key).or_insert(self.items.len());
        }
        self.items.push(slot);
    }

    fn has(&self, document: &Tree, item: NodeId) -> bool {
        if document.kind(item) == Kind::Scalar {
            return self.scalars.contains(&python_identity(document.scalar(item)));
        }
        self.collections.iter().any(|&other| document.equal(other, item))
    }

    /// Returns the number of the item that an own item is merged into.
    fn partner(&self, document: &Tree, at: usize, own: NodeId) -> Option<usize> {
        if Strategy::of(document, own) == Some(Strategy::Merge) {
            return (at < self.items.len()).then_some(at);
        }
        self.singles.get(&only_key(document, own)?).copied()
    }
}

fn only_key(document: &Tree, node: NodeId) -> Option<Identity<'static>> {
    match document.pairs(node)[..] {
        [(key, _)] if document.kind(key) == Kind::Scalar => {
            Some(python_identity(document.scalar(key)))
        }
        _ => None,
    }
}

/// The identity of a scalar in Python, Unfurl's language: `true` is 1, and 1 is 1.0.
fn python_identity(scalar: Scalar<'_>) -> Identity<'static> {
    match scalar {
        Scalar::Bool(x) => Identity::Int(x.into()),
        Scalar::Float(x) if x.fract() == 0.0 && x.abs() < 1e18 => {
            Identity::Int(x as i128)
        }
        other => other.into_owned().identity(),
    }
}
