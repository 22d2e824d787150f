//! Two documents in one tree, so that their nodes can be compared and joined, and the names that
//! their keys have in JSON.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::arena::flag;
use crate::compare::{Values, is_copy, is_json_equal, step_limit};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Identity, Scalar};

/// Number of steps that a pair of mappings takes beside those of their entries.
// The mapping that is made for it takes as much memory as some entries.
const MAPPING_STEPS: usize = 8;

/// A tree in which nodes of both documents are.
pub(super) struct Joined<'a> {
    pub tree: Tree,
    pub old: NodeId,
    pub new: NodeId,
    /// Equal values, known without a walk through both at each level.
    values: Values<'a>,
    steps: u64,
    /// True if both are of equal texts, so that no entries differ.
    is_copy: bool,
}

/// The entries of two mappings, by the names of their keys.
#[derive(Default)]
pub(super) struct Entries {
    /// Names that only the old mapping has.
    pub removed: Vec<String>,
    /// Entries that only the new mapping has.
    pub added: Vec<(String, NodeId)>,
    /// Entries that differ, and mappings that may: name, old and new value.
    pub changed: Vec<(String, NodeId, NodeId)>,
}

impl<'a> Joined<'a> {
    /// Joins documents `root` of two streams. `new` has no edits.
    pub(super) fn new(old: &'a Tree, new: &'a Tree, root: usize) -> Joined<'a> {
        let mut tree = old.clone();
        for arena in new.arenas() {
            tree.add_arena(arena);
        }
        Joined {
            tree,
            old: old.roots()[root],
            new: new.roots()[root],
            values: Values::new([old, new]),
            steps: step_limit([old, new]) as u64,
            is_copy: is_copy(old, new),
        }
    }

    pub(super) fn kinds(&self, old: NodeId, new: NodeId) -> (Kind, Kind) {
        (self.tree.kind(old), self.tree.kind(new))
    }

    pub(super) fn is_equal(&mut self, old: NodeId, new: NodeId) -> bool {
        self.values.equal(old, new)
            || is_json_equal(&self.tree, old, new, &mut self.steps)
    }

    /// Removes the new mappings without an entry, each of which is given with the one around it
    /// and its key there, the inner ones last.
    ///
    /// # Errors
    /// The comparison took too many steps.
    pub(super) fn remove_empty(
        &mut self,
        made: Vec<(u32, String, NodeId)>,
    ) -> Result<()> {
        self.check_steps()?;
        for (around, name, mapping) in made.into_iter().rev() {
            if self.tree.pairs(mapping).is_empty() {
                self.tree.remove_entry(around, &name);
            }
        }
        Ok(())
    }

    /// Fails if the comparison took too many steps: what it returned may be wrong then.
    fn check_steps(&self) -> Result<()> {
        if self.steps > 0 {
            return Ok(());
        }
        let message = "the documents hold too many values, through their aliases";
        Err(Diagnostic::error(message)
            .hint("`--as ops` replaces large values as a whole"))
    }

    /// Compares two mappings.
    ///
    /// # Errors
    /// A key is a collection, which has no name in JSON; or the comparison took too many
    /// steps.
    pub(super) fn entries(&mut self, old: NodeId, new: NodeId) -> Result<Entries> {
        self.check_steps()?;
        if self.is_copy {
            return Ok(Entries::default());
        }
        let Joined { tree, values, steps, .. } = self;
        let tree = &*tree;
        let named = |mapping| -> Result<Vec<(Cow<'_, str>, NodeId)>> {
            let pairs = tree.pairs(mapping).into_iter();
            pairs.map(|(key, value)| Ok((name(tree, key)?, value))).collect()
        };
        let (old, new) = (named(old)?, named(new)?);
        *steps = steps.saturating_sub((old.len() + new.len() + MAPPING_STEPS) as u64);
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
            let Some(&before) = there.get(&**name) else {
                entries.added.push((name.to_string(), *value));
                continue;
            };
            // Mappings that meet are compared entry by entry later.
            let meet = [before, *value].map(|node| tree.kind(node)) == [Kind::Mapping; 2];
            let is_equal = values.equal(before, *value)
                || !meet && is_json_equal(tree, before, *value, steps);
            if !is_equal {
                entries.changed.push((name.to_string(), before, *value));
            }
        }
        Ok(entries)
    }
}

fn name(tree: &Tree, key: NodeId) -> Result<Cow<'_, str>> {
    tree.member_name(key).ok_or_else(|| {
        let error = Diagnostic::error("a key that is a collection has no name");
        error.at(tree.span(key))
    })
}

/// Refuses a document in which two keys of a mapping have the same name in JSON, as `1` and
/// `"1"` have: a patch in a language of JSON could not tell them apart.
///
/// # Errors
/// There are such keys; the error has the place of the second one.
pub fn check_member_names(document: &Tree) -> Result<()> {
    let arena = document.base();
    let node = |i| NodeId::Clean(arena.file(), i);
    let is_text = |key| matches!(document.scalar(key), Scalar::String(_));
    for mapping in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        let written = || arena.entries(mapping).map(|(key, _)| key);
        let keys: Vec<NodeId> = if written().any(|key| arena.has(key, flag::MERGE_KEY)) {
            document.pairs(node(mapping)).into_iter().map(|(key, _)| key).collect()
        } else {
            written().map(node).collect()
        };
        if keys.iter().copied().all(is_text) {
            continue;
        }
        let mut met: HashMap<Cow<'_, str>, Identity<'_>> = HashMap::new();
        for key in keys {
            let (Some(name), Some(identity)) =
                (document.member_name(key), document.identity(key))
            else {
                continue;
            };
            let known = met.entry(name).or_insert_with(|| identity.clone());
            if *known != identity {
                let message = "another key of the mapping has the same name in JSON";
                let error = Diagnostic::error(message).at(document.span(key));
                return Err(error.hint("`--as ops` tells them apart"));
            }
        }
    }
    Ok(())
}
