//! Nodes that stand in several places: what another document opened comes in, and what is
//! shared is copied before it changes.

use std::collections::HashMap;

use super::index::Lookup;
use super::{Body, Document, Kind, Node, Opened, Seat, Slots};
use crate::scalar::Identity;
use crate::source::FileId;

impl Node {
    /// The same node where `by` opened nodes stand before it.
    pub(crate) fn shifted(self, by: u32) -> Node {
        match self {
            Node::Opened(id) if self != Node::GONE => Node::Opened(id.saturating_add(by)),
            Node::Opened(_) | Node::Clean(..) => self,
        }
    }
}

impl Opened {
    /// The same where `by` opened nodes stand before it.
    pub(crate) fn shifted(&self, by: u32) -> Opened {
        let body = match &self.body {
            Body::Scalar(scalar) => Body::Scalar(scalar.clone()),
            Body::Sequence(slots) => Body::Sequence(slots.shifted(by)),
            Body::Mapping(slots) => Body::Mapping(slots.shifted(by)),
        };
        let merges = self.merges.clone();
        Opened { was: self.was, body, merges, lookup: Lookup::default() }
    }
}

impl Document {
    /// Takes in what another document opened, and says by how much its numbers are shifted.
    pub(crate) fn append_opened(&mut self, opened: &[Opened]) -> u32 {
        let by = self.opened.len() as u32;
        self.opened.extend(opened.iter().map(|one| one.shifted(by)));
        if !opened.is_empty() {
            self.freeze();
        }
        by
    }

    /// From now on what was opened may stand in several places.
    pub(crate) fn freeze(&mut self) {
        self.frozen = self.opened.len() as u32;
    }

    pub(super) fn is_frozen(&self, id: u32) -> bool {
        id < self.frozen
    }

    /// Seats a copy of opened node `id`, which may change.
    pub(super) fn copy_frozen(&mut self, seat: Seat, id: u32) -> u32 {
        let copy = self.opened[id as usize].shifted(0);
        self.opened.push(copy);
        let id = self.opened.len() as u32 - 1;
        self.replace_at(seat, Node::Opened(id));
        id
    }

    /// A new collection in the place and the style of `was`, still without children.
    pub(crate) fn new_collection_like(&mut self, was: Node, kind: Kind) -> u32 {
        let body = match kind {
            Kind::Sequence => Body::Sequence(Slots::default()),
            Kind::Mapping | Kind::Scalar => Body::Mapping(Slots::default()),
        };
        let was = self.origin_of(was);
        self.push(was, body)
    }

    /// About how many bytes a document of the stream is printed with: what stands in
    /// several places is printed there.
    pub(crate) fn printed_size(&self, root: usize) -> u64 {
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        let mut todo = vec![self.roots[root]];
        while let Some(&node) = todo.last() {
            let Node::Opened(id) = node else {
                todo.pop();
                continue;
            };
            let before = todo.len();
            if !sizes.contains_key(&id) {
                let new = |child: &Node| matches!(child, Node::Opened(id) if !sizes.contains_key(id));
                todo.extend(self.inside(id).filter(new));
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            if !sizes.contains_key(&id) {
                let size = |node| self.size_of(node, &sizes);
                let sum = self.inside(id).map(size).fold(2, u64::saturating_add);
                sizes.insert(id, sum);
            }
        }
        self.size_of(self.roots[root], &sizes)
    }

    fn size_of(&self, node: Node, sizes: &HashMap<u32, u64>) -> u64 {
        match node {
            Node::Opened(id) => sizes.get(&id).copied().unwrap_or(0),
            Node::Clean(file, i) => {
                let span = self.arena(file).span(i);
                u64::from(span.end - span.start) + 1
            }
        }
    }

    /// The keys and values in opened node `id`.
    fn inside(&self, id: u32) -> impl Iterator<Item = Node> {
        let slots = self.children(id).iter();
        slots.flat_map(|slot| slot.key.into_iter().chain(Some(slot.value)))
    }

    /// Gives an opened collection its children.
    pub(crate) fn set_children(&mut self, id: u32, slots: Slots) {
        *self.children_mut(id) = slots;
        let slots = self.children(id);
        let merges = slots.ids().filter(|&at| self.is_merge(slots.get(at))).collect();
        let opened = &mut self.opened[id as usize];
        opened.merges = merges;
        opened.lookup = Lookup::default();
    }

    /// Where `node` was written, whatever was done to it since.
    fn origin_of(&self, node: Node) -> Option<(FileId, u32)> {
        match node {
            Node::Clean(file, i) => Some((file, i)),
            Node::Opened(id) => self.opened[id as usize].was,
        }
    }

    /// The seat of the entry that counts for a key of any type in opened mapping `id`. An
    /// entry that comes from `<<` becomes an own entry.
    pub(crate) fn entry_of(&mut self, id: u32, key: Node) -> Option<Seat> {
        if let Some(text) = self.text(key) {
            return self.entry(id, &text, true);
        }
        let slots = self.children(id);
        let here = |&at: &u32| slots.get(at).key == Some(key);
        let is = |&at: &u32| slots.get(at).key.is_some_and(|k| self.is_same_key(k, key));
        let own = slots.ids().find(here).or_else(|| slots.ids().filter(is).last());
        if own.is_none() && !self.merges(id).is_empty() {
            self.expand_merge_keys(id);
            return self.entry_of(id, key);
        }
        own.map(|at| Seat::Slot(id, at))
    }

    /// Removes the entry that counts for a key of any type from opened mapping `id`.
    pub(crate) fn remove_entry_of(&mut self, id: u32, key: Node) {
        if let Some(text) = self.text(key) {
            self.remove_entry(id, &text);
        } else if let Some(Seat::Slot(id, at)) = self.entry_of(id, key) {
            self.children_mut(id).remove(at);
        }
    }

    /// Whether two keys are the same key.
    pub(crate) fn is_same_key(&self, a: Node, b: Node) -> bool {
        match (self.identity(a), self.identity(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.follow(a) == self.follow(b) || self.equal(a, b),
            _ => false,
        }
    }

    /// What makes a scalar key the key it is.
    pub(crate) fn identity(&self, key: Node) -> Option<Identity<'_>> {
        (self.kind(key) == Kind::Scalar).then(|| self.scalar(key).identity())
    }
}
