//! Indexes of one opened node: its entries by key, its items by a match token. They hold
//! slot numbers only; [`Document`](super::Document) fills them from the slots.

use std::collections::{BTreeSet, HashMap};

use super::slots::SlotId;

/// The indexes of one opened node.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookup {
    keys: Option<KeyIndex>,
    searched: bool,
    matches: Vec<MatchIndex>,
}

/// The entries of a mapping by string key; of a duplicate key the last entry.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    slots: HashMap<Box<str>, SlotId>,
    has_duplicates: bool,
}

/// The items of a sequence by their string value of one key.
///
/// An item may change after it was indexed, so that a hit has to be read again before it
/// counts. Items that changed are in `stale` until they are indexed anew.
#[derive(Clone, Debug)]
pub(super) struct MatchIndex {
    key: Box<str>,
    items: HashMap<Box<str>, BTreeSet<SlotId>>,
    stale: Vec<SlotId>,
}

/// The entries of a mapping by the digest of their scalar key. An entry stays under the
/// digests of keys that it had before.
#[derive(Default)]
pub(crate) struct KeyDigests(HashMap<u64, Vec<SlotId>>);

impl Lookup {
    /// Returns the slot of a key; outer `None` if keys are not indexed yet.
    pub(super) fn slot_of(&self, key: &str) -> Option<Option<SlotId>> {
        self.keys.as_ref().map(|keys| keys.get(key))
    }

    /// Returns true from the second call on. Most mappings are searched once, and then
    /// reading their keys is cheaper than indexing them.
    pub(super) fn is_searched_again(&mut self) -> bool {
        std::mem::replace(&mut self.searched, true)
    }

    pub(super) fn set_keys(&mut self, keys: KeyIndex) {
        self.keys = Some(keys);
    }

    /// Notes a new slot, an entry with string key `key` or an item.
    pub(super) fn add(&mut self, key: Option<&str>, slot: SlotId) {
        if let (Some(keys), Some(key)) = (&mut self.keys, key) {
            keys.insert(key.into(), slot);
        }
        self.mark_changed(None, slot);
    }

    /// Notes that the entry `key` of an item changed, or any of its entries.
    pub(super) fn mark_changed(&mut self, key: Option<&str>, slot: SlotId) {
        for index in &mut self.matches {
            if key.is_none_or(|key| key == &*index.key) {
                index.stale.push(slot);
            }
        }
    }

    /// Notes that every slot with that key was removed.
    pub(super) fn remove(&mut self, key: &str) {
        if let Some(keys) = &mut self.keys {
            keys.slots.remove(key);
        }
    }

    /// Returns true if keys are indexed and no two entries have the same key.
    pub(super) fn is_unique(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| !keys.has_duplicates)
    }

    /// Takes out the index of a match token's key, if it was built.
    pub(super) fn take_match(&mut self, key: &str) -> Option<MatchIndex> {
        let at = self.matches.iter().position(|index| &*index.key == key)?;
        Some(self.matches.swap_remove(at))
    }

    pub(super) fn put_match(&mut self, index: MatchIndex) {
        self.matches.push(index);
    }
}

impl KeyIndex {
    pub(super) fn insert(&mut self, key: Box<str>, slot: SlotId) {
        self.has_duplicates |= self.slots.insert(key, slot).is_some();
    }

    pub(super) fn get(&self, key: &str) -> Option<SlotId> {
        self.slots.get(key).copied()
    }
}

impl MatchIndex {
    pub(super) fn new(key: &str, capacity: usize) -> MatchIndex {
        let items = HashMap::with_capacity(capacity);
        MatchIndex { key: key.into(), items, stale: Vec::new() }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn take_stale(&mut self) -> Vec<SlotId> {
        std::mem::take(&mut self.stale)
    }

    pub(super) fn insert(&mut self, value: Box<str>, slot: SlotId) {
        self.items.entry(value).or_default().insert(slot);
    }

    /// Returns the items with that value; those that fail `holds` are dropped.
    pub(super) fn find(
        &mut self,
        value: &str,
        holds: impl Fn(SlotId) -> bool,
    ) -> Vec<SlotId> {
        let Some(items) = self.items.get_mut(value) else { return Vec::new() };
        items.retain(|&slot| holds(slot));
        items.iter().copied().collect()
    }
}

impl KeyDigests {
    pub(super) fn insert(&mut self, digest: u64, slot: SlotId) {
        self.of(digest).push(slot);
    }

    /// The entries that have, or had, a key with that digest.
    pub(super) fn of(&mut self, digest: u64) -> &mut Vec<SlotId> {
        self.0.entry(digest).or_default()
    }
}
