//! Finding a child of an opened node by its key or by a match token without reading the
//! others: an index is built on the first look-up that pays for it.

use std::collections::{BTreeSet, HashMap};

use super::{Body, Document, Kind, Node, Slot, SlotId, Slots};
use crate::scalar::Scalar;

/// The indexes of one opened node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    keys: Option<Keys>,
    /// Whether a key was looked up before.
    asked: bool,
    matches: Vec<Match>,
}

/// The entries of a mapping by their key, the last one of a key that stands twice.
#[derive(Clone, Debug, Default)]
struct Keys {
    slots: HashMap<Box<str>, SlotId>,
    twice: bool,
}

/// The items of a sequence by their value of one key. What it names may have changed
/// since, so that a hit is read again; what was touched since is in `stale`.
#[derive(Clone, Debug)]
struct Match {
    key: Box<str>,
    items: HashMap<Box<str>, BTreeSet<SlotId>>,
    stale: Vec<SlotId>,
}

/// The entries of a mapping by the digest of their scalar key, those included that had it.
pub(crate) struct KeyDigests(pub(super) HashMap<u64, Vec<SlotId>>);

impl Lookup {
    /// A slot was added.
    pub(super) fn added(&mut self, key: Option<&str>, id: SlotId) {
        if let (Some(keys), Some(key)) = (&mut self.keys, key) {
            keys.twice |= keys.slots.insert(key.into(), id).is_some();
        }
        self.touched(None, id);
    }

    /// The entry `key`, or the whole, of an item was touched.
    pub(crate) fn touched(&mut self, key: Option<&str>, id: SlotId) {
        for index in &mut self.matches {
            if key.is_none_or(|key| key == &*index.key) {
                index.stale.push(id);
            }
        }
    }

    /// Every slot with that key was removed.
    pub(super) fn removed(&mut self, key: &str) {
        if let Some(keys) = &mut self.keys {
            keys.slots.remove(key);
        }
    }

    /// Whether no key is known to stand twice.
    pub(super) fn is_unique(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| !keys.twice)
    }
}

impl Document {
    /// The own slot of opened mapping `id` whose key is the string `key`, the last one if
    /// there are several.
    pub(crate) fn find_key(&mut self, id: u32, key: &str) -> Option<SlotId> {
        let lookup = &self.opened[id as usize].lookup;
        if let Some(keys) = &lookup.keys {
            return keys.slots.get(key).copied();
        }
        if lookup.asked {
            let keys = self.index_keys(id);
            let found = keys.slots.get(key).copied();
            self.opened[id as usize].lookup.keys = Some(keys);
            return found;
        }
        self.opened[id as usize].lookup.asked = true;
        let is = |slot: &Slot| slot.key.is_some_and(|k| self.is_text(k, key));
        let slots = self.children(id);
        slots.ids().filter(|&at| is(slots.get(at))).last()
    }

    fn index_keys(&self, id: u32) -> Keys {
        let mut keys = Keys::default();
        let slots = self.children(id);
        for at in slots.ids() {
            if let Some(key) = slots.get(at).key.and_then(|key| self.text(key)) {
                keys.twice |= keys.slots.insert(key, at).is_some();
            }
        }
        keys
    }

    /// The entries of opened mapping `id` by their scalar keys.
    pub(crate) fn key_digests(&self, id: u32) -> KeyDigests {
        let mut names: HashMap<u64, Vec<SlotId>> = HashMap::new();
        let slots = self.children(id);
        for at in slots.ids() {
            let key = slots.get(at).key.filter(|&key| self.kind(key) == Kind::Scalar);
            if let Some(key) = key {
                let digest = self.scalar_as_written(key).identity().digest();
                names.entry(digest).or_default().push(at);
            }
        }
        KeyDigests(names)
    }

    /// The items of opened sequence `id` that are mappings with the string `value` at
    /// `key`, in order.
    pub(crate) fn find_matches(
        &mut self,
        id: u32,
        key: &str,
        value: &str,
    ) -> Vec<SlotId> {
        let mut index = self.take_match(id, key);
        for at in std::mem::take(&mut index.stale) {
            self.enter(id, at, &mut index);
        }
        let slots = self.children(id);
        let part = |at| self.get(slots.get(at).value, key);
        let matches = |at| part(at).is_some_and(|part| self.is_text(part, value));
        let mut found = Vec::new();
        if let Some(items) = index.items.get_mut(value) {
            items.retain(|&at| slots.holds(at) && matches(at));
            found.extend(items.iter().copied());
        }
        found.sort_by_cached_key(|&at| slots.position(at));
        self.opened[id as usize].lookup.matches.push(index);
        found
    }

    fn take_match(&mut self, id: u32, key: &str) -> Match {
        let matches = &mut self.opened[id as usize].lookup.matches;
        if let Some(at) = matches.iter().position(|index| &*index.key == key) {
            return matches.swap_remove(at);
        }
        let slots = self.children(id);
        let items = HashMap::with_capacity(slots.len());
        let mut index = Match { key: key.into(), items, stale: Vec::new() };
        for at in slots.ids() {
            self.enter(id, at, &mut index);
        }
        index
    }

    fn enter(&self, id: u32, at: SlotId, index: &mut Match) {
        let slots = self.children(id);
        if !slots.holds(at) {
            return;
        }
        let part = self.get(slots.get(at).value, &index.key);
        if let Some(value) = part.and_then(|part| self.text(part)) {
            index.items.entry(value).or_default().insert(at);
        }
    }

    /// The string that `node` is.
    pub(super) fn text(&self, node: Node) -> Option<Box<str>> {
        match self.scalar(node) {
            Scalar::String(text) if self.kind(node) == Kind::Scalar => Some(text.into()),
            _ => None,
        }
    }

    /// The slots of opened collection `id`.
    pub(crate) fn children(&self, id: u32) -> &Slots {
        match &self.opened[id as usize].body {
            Body::Sequence(slots) | Body::Mapping(slots) => slots,
            Body::Scalar(_) => Slots::NONE,
        }
    }
}
