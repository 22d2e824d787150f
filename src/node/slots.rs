//! Nodes, and the children of an opened one: slots that keep their number while others
//! are inserted and removed. An insertion anywhere moves at most one chunk of the order.

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::arena::{Arena, Index};
use crate::source::FileId;

/// The number of an op in the history of a document.
pub type OpId = u32;

/// A node of a [`Tree`](super::Tree), which answers all questions about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeId {
    /// As it was written.
    Clean(FileId, Index),
    /// Opened or made by an edit.
    Opened(u32),
}

impl NodeId {
    const GONE: NodeId = NodeId::Opened(u32::MAX);

    /// Returns the same node in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(self, by: u32) -> NodeId {
        match self {
            NodeId::Opened(id) if self != NodeId::GONE => {
                NodeId::Opened(id.saturating_add(by))
            }
            NodeId::Opened(_) | NodeId::Clean(..) => self,
        }
    }
}

/// An item of a sequence or an entry of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The item or key, in the written node of the collection, that this slot replaces.
    pub(crate) was: Option<Index>,
    /// The key, in a mapping.
    pub key: Option<NodeId>,
    /// The item or the value.
    pub value: NodeId,
    /// The op that put it there.
    pub by: Option<OpId>,
    /// The number of the comments that an edit gave to it.
    pub(crate) comments: Option<NonZeroU32>,
}

impl Slot {
    /// Creates a slot that replaces nothing.
    pub(crate) fn new(key: Option<NodeId>, value: NodeId, by: Option<OpId>) -> Slot {
        Slot { was: None, key, value, by, comments: None }
    }

    /// Returns the key, if there is one, and the value.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.key.into_iter().chain([self.value])
    }

    /// Creates the slot of a written entry.
    pub(super) fn of_entry(arena: &Arena, key: Index, value: Index) -> Slot {
        let file = arena.file();
        let entry =
            Slot::new(Some(NodeId::Clean(file, key)), NodeId::Clean(file, value), None);
        Slot { was: Some(key), ..entry }
    }

    /// Creates the slots of the children of a written node.
    pub(super) fn of_children(arena: &Arena, i: Index) -> Vec<Slot> {
        match arena.style(i) {
            style if style.is_mapping() => {
                let entries = arena.entries(i);
                entries.map(|(key, value)| Slot::of_entry(arena, key, value)).collect()
            }
            style if style.is_sequence() => {
                let item = |item| Slot {
                    was: Some(item),
                    ..Slot::new(None, NodeId::Clean(arena.file(), item), None)
                };
                arena.children(i).map(item).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The number of a slot, which never changes.
pub type SlotId = u32;

/// Slots and their order.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    slots: Vec<Slot>,
    /// The order; `None` while it is that of `slots`.
    order: Option<Box<Order>>,
}

impl Slots {
    pub(crate) const NONE: &Slots = &Slots { slots: Vec::new(), order: None };

    pub(crate) fn new(slots: Vec<Slot>) -> Slots {
        Slots { slots, order: None }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.order.as_ref().map_or(self.slots.len(), |order| order.len)
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slots in order.
    pub fn iter(&self) -> impl Iterator<Item = &Slot> + '_ {
        self.ids().map(|id| &self.slots[id as usize])
    }

    /// Returns the slots in order.
    pub fn to_slice(&self) -> Cow<'_, [Slot]> {
        match self.order {
            None => Cow::Borrowed(&self.slots),
            Some(_) => Cow::Owned(self.iter().copied().collect()),
        }
    }

    /// The numbers of the slots in order.
    pub fn ids(&self) -> impl Iterator<Item = SlotId> + '_ {
        let straight = match &self.order {
            None => 0..self.slots.len() as SlotId,
            Some(_) => 0..0,
        };
        straight.chain(self.order.iter().flat_map(|order| order.ids()))
    }

    /// Returns the slot with a number, removed or not.
    pub fn get(&self, id: SlotId) -> &Slot {
        &self.slots[id as usize]
    }

    /// Returns the slot with a number, removed or not, if there ever was one.
    pub(crate) fn find(&self, id: SlotId) -> Option<&Slot> {
        self.slots.get(id as usize)
    }

    pub(crate) fn get_mut(&mut self, id: SlotId) -> &mut Slot {
        &mut self.slots[id as usize]
    }

    /// Returns the slot at a position.
    pub fn at(&self, position: usize) -> Option<SlotId> {
        match &self.order {
            None => (position < self.slots.len()).then_some(position as SlotId),
            Some(order) => order.at(position),
        }
    }

    /// Returns the position of a slot that was not removed.
    pub fn position(&self, id: SlotId) -> usize {
        self.order.as_ref().map_or(id as usize, |order| order.position(id))
    }

    /// Inserts a slot before the one at `position`, or at the end.
    pub(crate) fn insert(&mut self, position: usize, slot: Slot) -> SlotId {
        let id = self.slots.len() as SlotId;
        if position < self.len() {
            self.order_mut().insert(position, id);
        } else if let Some(order) = &mut self.order {
            order.insert(position, id);
        }
        self.slots.push(slot);
        id
    }

    pub(crate) fn remove(&mut self, id: SlotId) {
        self.order_mut().remove(id);
        self.slots[id as usize].value = NodeId::GONE;
    }

    /// Puts the slots in the order of `ids`, which names each of them once.
    pub(crate) fn reorder(&mut self, ids: &[SlotId]) {
        self.order = Some(Box::new(Order::new(ids, self.slots.len())));
    }

    /// Returns the slot that a written node stood in, if all slots are as they were written, and
    /// others came behind them.
    pub(super) fn likely_around(&self, i: Index) -> Option<SlotId> {
        let is_before = |slot: &Slot| slot.was.is_some_and(|was| was <= i);
        Some(self.slots.partition_point(is_before).checked_sub(1)? as SlotId)
    }

    /// Returns true if the slot was not removed.
    pub fn holds(&self, id: SlotId) -> bool {
        self.slots[id as usize].value != NodeId::GONE
    }

    /// Replaces each node in the slots.
    pub(super) fn map_nodes(&mut self, map: impl Fn(NodeId) -> NodeId) {
        for slot in &mut self.slots {
            slot.key = slot.key.map(&map);
            slot.value = map(slot.value);
        }
    }

    fn order_mut(&mut self) -> &mut Order {
        let count = self.slots.len();
        self.order.get_or_insert_with(|| {
            let straight: Vec<SlotId> = (0..count as SlotId).collect();
            Box::new(Order::new(&straight, count))
        })
    }
}

/// Maximum length of a chunk, which is then split in halves. Both an insertion into a
/// chunk and the search for one are short for lists of up to about the square of it.
const MAX_CHUNK: usize = 512;

/// An order of slots in chunks, each of which is cheap to move.
#[derive(Clone, Debug)]
struct Order {
    len: usize,
    chunks: Vec<Vec<SlotId>>,
    sequence: Vec<u32>,
    home: Vec<u32>,
}

impl Order {
    /// Returns an order of some of `count` slots.
    fn new(ids: &[SlotId], count: usize) -> Order {
        let mut chunks: Vec<Vec<SlotId>> =
            ids.chunks(MAX_CHUNK / 2).map(<[SlotId]>::to_vec).collect();
        if chunks.is_empty() {
            chunks.push(Vec::new());
        }
        let mut home = vec![0; count];
        for (chunk, ids) in chunks.iter().enumerate() {
            ids.iter().for_each(|&id| home[id as usize] = chunk as u32);
        }
        let len = ids.len();
        Order { len, sequence: (0..chunks.len() as u32).collect(), chunks, home }
    }

    fn ids(&self) -> impl Iterator<Item = SlotId> + '_ {
        self.sequence
            .iter()
            .flat_map(|&chunk| self.chunks[chunk as usize].iter().copied())
    }

    /// Returns the chunk and the index in it of a position, or of the end.
    fn locate(&self, mut position: usize) -> (usize, usize) {
        for (i, &chunk) in self.sequence.iter().enumerate() {
            let len = self.chunks[chunk as usize].len();
            if position < len || i + 1 == self.sequence.len() {
                return (i, position);
            }
            position -= len;
        }
        (0, 0)
    }

    fn at(&self, position: usize) -> Option<SlotId> {
        let (i, offset) = self.locate(position);
        self.chunks[self.sequence[i] as usize].get(offset).copied()
    }

    fn position(&self, id: SlotId) -> usize {
        let home = self.home[id as usize];
        let before = self.sequence.iter().take_while(|&&chunk| chunk != home);
        let before: usize = before.map(|&chunk| self.chunks[chunk as usize].len()).sum();
        before + self.offset(id)
    }

    fn offset(&self, id: SlotId) -> usize {
        let chunk = &self.chunks[self.home[id as usize] as usize];
        chunk.iter().position(|&other| other == id).unwrap_or(chunk.len())
    }

    fn insert(&mut self, position: usize, id: SlotId) {
        let (i, offset) = self.locate(position);
        let chunk = self.sequence[i];
        let ids = &mut self.chunks[chunk as usize];
        ids.insert(offset.min(ids.len()), id);
        self.home.push(chunk);
        self.len += 1;
        if ids.len() > MAX_CHUNK {
            self.split(i);
        }
    }

    fn split(&mut self, i: usize) {
        let new = self.chunks.len() as u32;
        let half = self.chunks[self.sequence[i] as usize].split_off(MAX_CHUNK / 2);
        for &id in &half {
            self.home[id as usize] = new;
        }
        self.chunks.push(half);
        self.sequence.insert(i + 1, new);
    }

    fn remove(&mut self, id: SlotId) {
        let offset = self.offset(id);
        self.chunks[self.home[id as usize] as usize].remove(offset);
        self.len -= 1;
    }
}
