//! Indexes of a collection that is searched again and again.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashMap, HashSet};

use super::slots::SlotId;

/// The indexes of one opened collection. They are built by the second search, so that a
/// single search stays cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookup {
    pub(super) keys: Option<KeyIndex>,
    pub(super) searched: bool,
    pub(super) matches: Vec<MatchIndex>,
    pub(super) items: Option<ItemIndex>,
    /// The string keys, sorted, for messages.
    pub(super) names: Option<Arc<Vec<String>>>,
    /// True if all keys are integers, once it is known.
    pub(super) has_integers_only: Option<bool>,
}

/// The entries of a mapping by string key; of a duplicate key the last entry.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    pub(super) slots: HashMap<Box<str>, SlotId>,
    /// The entries whose keys are other scalars, by the text of the key. An entry may be gone.
    pub(super) others: HashMap<Box<str>, SlotId>,
    /// Likewise by the name that JSON prints.
    pub(super) printed: HashMap<Box<str>, SlotId>,
    has_duplicates: bool,
    /// The digests of the keys that are no strings. A key may be gone.
    pub(super) digests: HashSet<u64>,
    /// True if two keys that are no strings may be equal.
    pub(super) has_equal_others: bool,
    /// True if a key is no string.
    pub(super) has_others: bool,
}

/// The items of a sequence by their string value of one key. An item may change after it
/// was indexed: a hit is read again, and known changes are in `stale` until indexed anew.
#[derive(Clone, Debug)]
pub(super) struct MatchIndex {
    pub(super) key: Box<str>,
    /// Makes the digests of values, which need less memory than the values.
    hasher: DefaultHashBuilder,
    /// One item with each digest. Most values have no other.
    first: HashMap<u64, SlotId>,
    /// The further items with a digest. One that was indexed again may be there twice.
    others: HashMap<u64, Vec<SlotId>>,
    pub(super) stale: Vec<SlotId>,
}

/// The items of a sequence by a digest that equal items have in common. An item may change
/// after it was indexed, as in a [`MatchIndex`].
#[derive(Clone, Debug, Default)]
pub(super) struct ItemIndex {
    pub(super) items: HashMap<u64, Vec<SlotId>>,
    pub(super) stale: Vec<SlotId>,
}

impl Lookup {
    /// Notes a new slot, an entry with string key `key` or an item.
    pub(super) fn add(&mut self, key: Option<&str>, slot: SlotId) {
        if let (Some(keys), Some(key)) = (&mut self.keys, key) {
            keys.insert(key.into(), slot);
        }
        self.names = None;
        self.has_integers_only = self.has_integers_only.filter(|_| key.is_none());
        self.mark_changed(None, slot);
    }

    /// Notes that the entry `key` of an item changed, or any of its entries.
    pub(super) fn mark_changed(&mut self, key: Option<&str>, slot: SlotId) {
        for index in &mut self.matches {
            if key.is_none_or(|key| key == &*index.key) {
                index.stale.push(slot);
            }
        }
        self.items.iter_mut().for_each(|index| index.stale.push(slot));
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.names = None;
        if let Some(keys) = &mut self.keys {
            keys.slots.remove(key);
        }
    }

    /// Notes that an entry whose key is no string has another key.
    pub(super) fn remove_other(&mut self, key: &str) {
        self.names = None;
        if let Some(keys) = &mut self.keys
            && let Some(gone) = keys.others.remove(key)
        {
            keys.printed.retain(|_, &mut slot| slot != gone);
        }
    }

    /// Returns true if keys are indexed and no two entries have the same key.
    pub(super) fn is_unique(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| !keys.has_duplicates)
    }

    /// Returns true if keys are indexed and no two that are no strings are equal.
    pub(super) fn is_unique_but_strings(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| !keys.has_equal_others)
    }

    /// Takes out the index of a match token's key, if it was built.
    pub(super) fn take_match(&mut self, key: &str) -> Option<MatchIndex> {
        let at = self.matches.iter().position(|index| &*index.key == key)?;
        Some(self.matches.swap_remove(at))
    }
}

impl KeyIndex {
    pub(super) fn insert(&mut self, key: Box<str>, slot: SlotId) {
        self.has_duplicates |= self.slots.insert(key, slot).is_some();
    }

    pub(super) fn get(&self, key: &str) -> Option<SlotId> {
        self.slots.get(key).copied()
    }

    /// Returns the entry that is there and whose key, which is no string, has this name: in the
    /// text, else in JSON.
    pub(super) fn other(
        &self,
        name: &str,
        is_there: impl Fn(SlotId) -> bool,
    ) -> Option<SlotId> {
        let named = [&self.others, &self.printed].map(|names| names.get(name).copied());
        named.into_iter().flatten().find(|&at| is_there(at))
    }
}

impl MatchIndex {
    pub(super) fn new(key: &str, capacity: usize) -> MatchIndex {
        MatchIndex {
            key: key.into(),
            hasher: DefaultHashBuilder::default(),
            first: HashMap::with_capacity(capacity),
            others: HashMap::new(),
            stale: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, value: &str, slot: SlotId) {
        let digest = self.hasher.hash_one(value);
        match self.first.get(&digest) {
            None => {
                self.first.insert(digest, slot);
            }
            Some(&first) if first == slot => {}
            Some(_) => self.others.entry(digest).or_default().push(slot),
        }
    }

    /// Returns the items with that value. `read` reads the value of an item again; items that
    /// have a value with another digest by now are dropped.
    pub(super) fn find<'a>(
        &mut self,
        value: &str,
        read: impl Fn(SlotId) -> Option<Cow<'a, str>>,
    ) -> Vec<SlotId> {
        let digest = self.hasher.hash_one(value);
        let Some(&first) = self.first.get(&digest) else { return Vec::new() };
        let mut kept = self.others.remove(&digest).unwrap_or_default();
        kept.push(first);
        kept.sort_unstable();
        kept.dedup();
        let mut found = Vec::new();
        kept.retain(|&slot| {
            let Some(now) = read(slot) else { return false };
            found.extend((now == value).then_some(slot));
            // Another value may have the same digest by chance.
            now == value || self.hasher.hash_one(&*now) == digest
        });
        self.keep(digest, first, &kept);
        found
    }

    /// Keeps the items that were found with a digest.
    fn keep(&mut self, digest: u64, before: SlotId, kept: &[SlotId]) {
        let Some((&first, others)) = kept.split_first() else {
            self.first.remove(&digest);
            return;
        };
        if first != before {
            self.first.insert(digest, first);
        }
        if !others.is_empty() {
            self.others.insert(digest, others.to_vec());
        }
    }
}

/// The entries of a mapping by the digest of their scalar key, and of keys they had.
#[derive(Default)]
pub(crate) struct KeyDigests(HashMap<u64, Vec<SlotId>>);

impl KeyDigests {
    /// Returns the entries that have, or had, a key with that digest.
    pub(super) fn of(&mut self, digest: u64) -> &mut Vec<SlotId> {
        self.0.entry(digest).or_default()
    }
}
