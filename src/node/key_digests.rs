//! The entries of a mapping by the digest of their keys.

use hashbrown::HashMap;

use super::slots::SlotId;

/// The entries of a mapping by the digest of their scalar key, and of keys they had.
#[derive(Default)]
pub(crate) struct KeyDigests(HashMap<u64, Vec<SlotId>>);

impl KeyDigests {
    /// Returns the entries that have, or had, a key with that digest.
    pub(super) fn of(&mut self, digest: u64) -> &mut Vec<SlotId> {
        self.0.entry(digest).or_default()
    }
}
