//! The effective entries of written mappings with `<<` that are sources of others.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};

use super::overridden::overridden_keys;
use super::slots::NodeId;
use crate::arena::{Arena, Index};
use crate::source::FileId;

/// Maximum number of entries that are kept.
// A `diff` or a `save` refuses documents with more of them: 256 MiB, the default of
// `--limit expansion`, have room for as many entries of 64 bytes. These take 32 MiB.
const MAX_KEPT: usize = 1 << 22;

/// The effective entries of a mapping.
#[derive(Clone, Debug)]
pub(super) struct Provided {
    /// Keys and values.
    pub entries: Arc<[(Index, Index)]>,
    /// The number of entries that others override.
    pub passed: usize,
}

/// The entries that written mappings with `<<` and the values of `<<` provide.
#[derive(Clone, Debug, Default)]
pub(super) struct MergeSources {
    /// The effective entries of written mappings, each found out once. Trees with the same
    /// texts share them.
    kept: Arc<Mutex<Kept>>,
    /// The values by string key that the value of a `<<` provides, by written node. A path
    /// through the mapping would otherwise read all its sources for each key.
    values: HashMap<(FileId, Index), HashMap<Box<str>, NodeId>>,
    /// The keys `<<` that an edit has replaced by the entries that they merge.
    replaced: Vec<NodeId>,
}

#[derive(Debug, Default)]
struct Kept {
    mappings: HashMap<(FileId, Index), Provided>,
    entries: usize,
    /// The keys that a later `<<` overrides, by text.
    overridden: HashMap<FileId, Arc<HashSet<Index>>>,
}

impl MergeSources {
    /// Forgets the effective entries, since a text was replaced.
    pub(super) fn forget(&mut self) {
        self.kept = Arc::default();
    }

    /// Returns what a mapping provides, if it was found out.
    pub(super) fn get(&self, file: FileId, mapping: Index) -> Option<Provided> {
        self.with(|kept| kept.mappings.get(&(file, mapping)).cloned())
    }

    pub(super) fn has(&self, file: FileId, mapping: Index) -> bool {
        self.with(|kept| kept.mappings.contains_key(&(file, mapping)))
    }

    pub(super) fn insert(&self, file: FileId, mapping: Index, provided: Provided) {
        self.with(|kept| {
            kept.entries += provided.entries.len();
            kept.mappings.insert((file, mapping), provided);
        });
    }

    /// Notes a key `<<` that is replaced by the entries that it merges.
    pub(super) fn note_replaced(&mut self, key: NodeId) {
        self.replaced.push(key);
    }

    /// Returns the keys that were replaced since the last call.
    pub(super) fn take_replaced(&mut self) -> Vec<NodeId> {
        std::mem::take(&mut self.replaced)
    }

    /// Returns the values that the value of a `<<` provides, if they were read.
    pub(super) fn values(
        &self,
        file: FileId,
        i: Index,
    ) -> Option<&HashMap<Box<str>, NodeId>> {
        self.values.get(&(file, i))
    }

    /// Keeps the values that the value of a `<<` provides.
    pub(super) fn insert_values(
        &mut self,
        file: FileId,
        i: Index,
        values: HashMap<Box<str>, NodeId>,
    ) {
        self.values.insert((file, i), values);
    }

    /// Returns the keys of a text of yaml.v2 that a later `<<` overrides.
    pub(super) fn overridden(&self, arena: &Arena) -> Arc<HashSet<Index>> {
        let known = self.with(|kept| kept.overridden.get(&arena.file()).cloned());
        known.unwrap_or_else(|| {
            let keys = Arc::new(overridden_keys(arena));
            self.with(|kept| kept.overridden.insert(arena.file(), keys.clone()));
            keys
        })
    }

    /// Returns true if no more entries are to be kept.
    pub(super) fn is_full(&self) -> bool {
        self.with(|kept| kept.entries >= MAX_KEPT)
    }

    fn with<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
