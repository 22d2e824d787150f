//! Two documents in one tree, so that their nodes can be compared and joined.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Tree};
use crate::select::is_json_equal;

/// A tree in which nodes of both documents are.
pub(super) struct Joined {
    pub tree: Tree,
    pub old: NodeId,
    pub new: NodeId,
}

/// The entries of two mappings, by the names of their keys.
pub(super) struct Entries {
    /// Names that only the old mapping has.
    pub removed: Vec<String>,
    /// Entries that only the new mapping has.
    pub added: Vec<(String, NodeId)>,
    /// Entries that differ: name, old and new value.
    pub changed: Vec<(String, NodeId, NodeId)>,
}

impl Joined {
    /// Joins documents `root` of two streams. `new` has no edits.
    pub(super) fn new(old: &Tree, new: &Tree, root: usize) -> Joined {
        let mut tree = old.clone();
        for arena in new.arenas() {
            tree.add_arena(arena);
        }
        Joined { tree, old: old.roots()[root], new: new.roots()[root] }
    }

    pub(super) fn kinds(&self, old: NodeId, new: NodeId) -> (Kind, Kind) {
        (self.tree.kind(old), self.tree.kind(new))
    }

    pub(super) fn is_equal(&self, old: NodeId, new: NodeId) -> bool {
        is_json_equal(&self.tree, old, new, &mut u64::MAX.clone())
    }

    /// Compares two mappings.
    ///
    /// # Errors
    /// A key is a collection, which has no name in JSON.
    pub(super) fn entries(&self, old: NodeId, new: NodeId) -> Result<Entries> {
        let tree = &self.tree;
        let named = |mapping| -> Result<Vec<(Cow<'_, str>, NodeId)>> {
            let pairs = tree.pairs(mapping).into_iter();
            pairs.map(|(key, value)| Ok((self.name(key)?, value))).collect()
        };
        let (old, new) = (named(old)?, named(new)?);
        let there: HashMap<&str, NodeId> =
            old.iter().map(|(name, value)| (&**name, *value)).collect();
        let now: HashMap<&str, NodeId> =
            new.iter().map(|(name, value)| (&**name, *value)).collect();
        let gone = old.iter().filter(|(name, _)| !now.contains_key(&**name));
        let mut entries = Entries {
            removed: gone.map(|(name, _)| name.to_string()).collect(),
            added: Vec::new(),
            changed: Vec::new(),
        };
        for (name, value) in &new {
            match there.get(&**name) {
                None => entries.added.push((name.to_string(), *value)),
                Some(&before) if self.is_equal(before, *value) => {}
                Some(&before) => {
                    entries.changed.push((name.to_string(), before, *value));
                }
            }
        }
        Ok(entries)
    }

    fn name(&self, key: NodeId) -> Result<Cow<'_, str>> {
        self.tree.member_name(key).ok_or_else(|| {
            let place = self.tree.span(key).into_iter();
            let error = Diagnostic::error("a key that is a collection has no name");
            place.fold(error, Diagnostic::at)
        })
    }
}
