//! The patches in languages of JSON that turn one document into another: a JSON Merge Patch
//! (RFC 7396), or an OpenAPI Overlay. Both documents are in one tree, so that their nodes can be
//! compared and joined.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use super::TagRule;
use crate::compare::{
    ItemNames, KeySet, ListVersion, Side, Values, is_copy, is_json_equal,
    is_tagged_json_equal, step_limit,
};
use crate::diagnostic::{Diagnostic, Result};
use crate::language;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Identity, Scalar};
use crate::select::normalized_name;

/// Number of steps that a pair of mappings takes beside those of their entries.
// The mapping that is made for it takes as much memory as some entries.
const MAPPING_STEPS: usize = 8;

/// A tree in which nodes of both documents are.
struct JoinedTrees<'a> {
    tree: Tree,
    old: NodeId,
    new: NodeId,
    /// Equal values, known without a walk through both at each level.
    values: Values<'a>,
    steps: u64,
    tags_count: bool,
    /// True if both are of equal texts, so that no entries differ.
    is_copy: bool,
}

/// The entries of two mappings, by the names of their keys.
#[derive(Default)]
struct ChangedEntries {
    /// Names that only the old mapping has.
    removed: Vec<String>,
    /// Entries that only the new mapping has.
    added: Vec<(String, NodeId)>,
    /// Entries that differ, and mappings that may: name, old and new value.
    changed: Vec<(String, NodeId, NodeId)>,
}

impl<'a> JoinedTrees<'a> {
    /// Joins documents `root` of two streams. `new` has no edits.
    fn new(old: &'a Tree, new: &'a Tree, root: usize) -> JoinedTrees<'a> {
        let mut tree = old.clone();
        for arena in new.arenas() {
            tree.add_arena(arena);
        }
        JoinedTrees {
            tree,
            old: old.roots()[root],
            new: new.roots()[root],
            values: Values::new([old, new]).with_tags(TagRule::Count.count(old)),
            steps: step_limit([old, new]) as u64,
            tags_count: TagRule::Count.count(old),
            is_copy: is_copy(old, new),
        }
    }

    fn kinds(&self, old: NodeId, new: NodeId) -> (Kind, Kind) {
        (self.tree.kind(old), self.tree.kind(new))
    }

    /// Refuses two mappings with different tags, which are merged and keep the old one.
    fn check_same_tag(&self, old: NodeId, new: NodeId) -> Result<()> {
        if self.values.same_tag(old, new) {
            return Ok(());
        }
        Err(no_tag(&self.tree, new))
    }

    fn is_equal(&mut self, old: NodeId, new: NodeId) -> bool {
        if self.values.equal(old, new) {
            return true;
        }
        let equal = if self.tags_count { is_tagged_json_equal } else { is_json_equal };
        equal(&self.tree, old, new, &mut self.steps)
    }

    /// Removes the new mappings without an entry, each of which is given with the one around it
    /// and its key there, the inner ones last.
    ///
    /// # Errors
    /// The comparison took too many steps.
    fn remove_empty(&mut self, made: Vec<(u32, String, NodeId)>) -> Result<()> {
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
    /// A key is a collection, which has no name in JSON; the tag of a key changed; or the
    /// comparison took too many steps.
    fn entries(&mut self, old: NodeId, new: NodeId) -> Result<ChangedEntries> {
        self.check_steps()?;
        if self.is_copy {
            return Ok(ChangedEntries::default());
        }
        let old = named_entries(&self.tree, old)?;
        let new = named_entries(&self.tree, new)?;
        let read = (old.len() + new.len() + MAPPING_STEPS) as u64;
        self.steps = self.steps.saturating_sub(read);
        let there: HashMap<&str, &NamedEntry> =
            old.iter().map(|entry| (&*entry.name, entry)).collect();
        let now: HashSet<&str> = new.iter().map(|entry| &*entry.name).collect();
        let gone = old.iter().filter(|entry| !now.contains(&*entry.name));
        let mut entries = ChangedEntries {
            removed: gone.map(|entry| entry.name.clone()).collect(),
            added: Vec::new(),
            changed: Vec::new(),
        };
        for NamedEntry { name, key, value } in new.iter().cloned() {
            let before = there.get(&*name);
            let has_same_tag = match before {
                Some(before) => self.values.same_tag(before.key, key),
                None => self.values.own_tag(key, Side::New).is_none(),
            };
            if !has_same_tag {
                return Err(no_tag(&self.tree, key));
            }
            match before {
                None => entries.added.push((name, value)),
                Some(before) if self.may_differ(before.value, value) => {
                    entries.changed.push((name, before.value, value));
                }
                Some(_) => {}
            }
        }
        Ok(entries)
    }

    /// Returns true if two values differ, or are mappings that are compared entry by entry.
    fn may_differ(&mut self, old: NodeId, new: NodeId) -> bool {
        match self.kinds(old, new) {
            (Kind::Mapping, Kind::Mapping) => !self.values.equal(old, new),
            _ => !self.is_equal(old, new),
        }
    }
}

/// An entry of a mapping, by the name of its key in JSON.
#[derive(Clone)]
struct NamedEntry {
    name: String,
    key: NodeId,
    value: NodeId,
}

fn named_entries(tree: &Tree, mapping: NodeId) -> Result<Vec<NamedEntry>> {
    let pairs = tree.pairs(mapping).into_iter();
    let named = |(key, value)| {
        let name = name(tree, key)?.into_owned();
        Ok(NamedEntry { name, key, value })
    };
    pairs.map(named).collect()
}

fn name(tree: &Tree, key: NodeId) -> Result<Cow<'_, str>> {
    tree.member_name(key).ok_or_else(|| {
        let error = Diagnostic::error("a key that is a collection has no name");
        error.at(tree.span(key))
    })
}

/// Refuses a patch in a language of JSON whose values have tags: JSON has none. `old` is the
/// document that it is for.
///
/// # Errors
/// There are such values; the error has the place of the first one.
pub fn check_tags(patch: &Tree, old: &Tree) -> Result<()> {
    if !TagRule::Count.count(old) {
        return Ok(());
    }
    let mut todo = vec![patch.root()];
    let mut met = HashSet::new();
    while let Some(node) = todo.pop() {
        if patch.own_tag(node).is_some() {
            return Err(no_tag(patch, node));
        }
        if patch.kind(node) == Kind::Scalar || !met.insert(patch.follow(node)) {
            continue;
        }
        let from = todo.len();
        todo.extend(patch.items(node));
        todo.extend(patch.pairs(node).into_iter().flat_map(|(key, value)| [key, value]));
        todo[from..].reverse();
    }
    Ok(())
}

fn no_tag(tree: &Tree, node: NodeId) -> Box<Diagnostic> {
    let message = match tree.own_tag(node) {
        Some(tag) => format!("JSON has no tags: a patch in JSON cannot set '{tag}'"),
        None => "JSON has no tags: this patch cannot remove one".to_owned(),
    };
    let error = Diagnostic::error(message).at(tree.first_line_of(node));
    error.hint("`--as ops` can")
}

/// Refuses a document in which two keys of a mapping have the same name in JSON, as `1` and
/// `"1"` have: a patch in a language of JSON could not tell them apart.
///
/// # Errors
/// There are such keys; the error has the place of the second one.
pub fn check_member_names(document: &Tree) -> Result<()> {
    let arena = document.base();
    for i in arena.indices().filter(|&i| arena.style(i).is_mapping()) {
        let pairs = document.pairs(NodeId::Clean(arena.file(), i)).into_iter();
        let keys: Vec<NodeId> = pairs.map(|(key, _)| key).collect();
        if keys.iter().all(|&key| document.string(key).is_some()) {
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

/// Returns the merge patch that turns document `root` of `old` into that of `new`, as a
/// document. `new` has no edits.
///
/// # Errors
/// A value of the new document is null where only a removal could be written, a key is a
/// collection, or the documents are too large through their aliases.
///
/// # Example
/// ```text
/// old: {a: 1, b: {c: 2}}   new: {b: {c: 3}}   patch: {a: null, b: {c: 3}}
/// ```
pub fn merge_patch(old: &Tree, new: &Tree, root: usize) -> Result<Tree> {
    let mut joined = JoinedTrees::new(old, new, root);
    let JoinedTrees { old, new, .. } = joined;
    if joined.kinds(old, new) != (Kind::Mapping, Kind::Mapping) {
        check_is_no_patch(&joined.tree, new)?;
        check_nulls(&joined.tree, new, &mut HashSet::new())?;
        joined.tree.set_roots(vec![new]);
        return Ok(joined.tree);
    }
    joined.check_same_tag(old, new)?;
    let patch = joined.tree.new_mapping(&[], None);
    let mut todo = vec![(patch, old, new)];
    let mut met = Vec::new();
    let mut without_null = HashSet::new();
    while let Some((patch, old, new)) = todo.pop() {
        let NodeId::Opened(id) = patch else { continue };
        let entries = joined.entries(old, new)?;
        let tree = &mut joined.tree;
        for name in entries.removed {
            let null = tree.new_null();
            tree.insert_entry(id, &name, null, None);
        }
        let mut set = entries.added;
        let mut inner = Vec::new();
        for (name, before, after) in entries.changed {
            match joined.kinds(before, after) {
                (Kind::Mapping, Kind::Mapping) => {
                    joined.check_same_tag(before, after)?;
                    inner.push((name, before, after));
                }
                _ => set.push((name, after)),
            }
        }
        let tree = &mut joined.tree;
        for (name, value) in set {
            if tree.is_null(value) {
                return Err(no_null(tree, value));
            }
            check_nulls(tree, value, &mut without_null)?;
            tree.insert_entry(id, &name, value, None);
        }
        for (name, before, after) in inner {
            let below = tree.new_mapping(&[], None);
            tree.insert_entry(id, &name, below, None);
            todo.push((below, before, after));
            met.push((id, name, below));
        }
    }
    joined.remove_empty(met)?;
    joined.tree.set_roots(vec![patch]);
    Ok(joined.tree)
}

/// Refuses a list that would be read as one of ops, and not as a new document.
fn check_is_no_patch(tree: &Tree, new: NodeId) -> Result<()> {
    let mut alone = tree.clone();
    alone.set_roots(vec![new]);
    if !language::is_patch(&alone) {
        return Ok(());
    }
    let message = "a merge patch cannot be a list of ops";
    let error = Diagnostic::error(message).at(tree.first_line_of(new));
    Err(error.hint("a JSON Patch or an ops-file can"))
}

/// Refuses entries that are null, which a merge patch would remove. `met` has the mappings
/// that have none.
fn check_nulls(tree: &Tree, value: NodeId, met: &mut HashSet<NodeId>) -> Result<()> {
    tree.null_entry(value, met).map_or(Ok(()), |null| Err(no_null(tree, null)))
}

fn no_null(tree: &Tree, value: NodeId) -> Box<Diagnostic> {
    let error = Diagnostic::error("a merge patch cannot set a value to null: it removes");
    error.at(tree.span(value)).hint("a JSON Patch or an ops-file can")
}

/// Returns the overlay that turns document `root` of `old` into that of `new`: removals, and
/// one update of the whole document. `new` has no edits; `title` is that of the overlay.
///
/// # Errors
/// The documents are no mappings, a key is a collection, or the documents are too large
/// through their aliases.
pub fn overlay(old: &Tree, new: &Tree, root: usize, title: &str) -> Result<Tree> {
    let mut joined = JoinedTrees::new(old, new, root);
    let JoinedTrees { old, new, .. } = joined;
    if joined.kinds(old, new) != (Kind::Mapping, Kind::Mapping) {
        let message = "an overlay changes a mapping, and cannot replace a whole document";
        return Err(Diagnostic::error(message));
    }
    joined.check_same_tag(old, new)?;
    let update = joined.tree.new_mapping(&[], None);
    let mut removals = Vec::new();
    let mut todo = vec![(update, "$".to_owned(), old, new)];
    let mut inner = Vec::new();
    while let Some((update, path, old, new)) = todo.pop() {
        let NodeId::Opened(id) = update else { continue };
        let entries = joined.entries(old, new)?;
        let at = |name: &str| format!("{path}{}", normalized_name(name));
        removals.extend(entries.removed.iter().map(|name| at(name)));
        let mut set = entries.added;
        for (name, before, after) in entries.changed {
            let value = match joined.kinds(before, after) {
                (Kind::Mapping, Kind::Mapping)
                    if joined.values.same_tag(before, after) =>
                {
                    let below = joined.tree.new_mapping(&[], None);
                    todo.push((below, at(&name), before, after));
                    inner.push((id, name.clone(), below));
                    below
                }
                (Kind::Scalar, Kind::Scalar) => after,
                (Kind::Sequence, Kind::Sequence)
                    if joined.values.same_tag(before, after) =>
                {
                    match ListChange::of(&mut joined, before, after) {
                        Some(change) => {
                            let list = at(&name);
                            let selectors =
                                selectors(&joined.tree, before, &change.removed);
                            let places =
                                selectors.iter().map(|one| format!("{list}{one}"));
                            removals.extend(places);
                            if change.added.is_empty() {
                                continue;
                            }
                            joined.tree.new_list(change.added)
                        }
                        None => {
                            removals.push(at(&name));
                            after
                        }
                    }
                }
                _ => {
                    removals.push(at(&name));
                    after
                }
            };
            set.push((name, value));
        }
        for (name, value) in set {
            joined.tree.insert_entry(id, &name, value, None);
        }
    }
    // Of a mapping that only lost entries nothing is updated.
    joined.remove_empty(inner)?;
    Ok(written(joined.tree, update, &removals, title))
}

/// The change of a list that lost items, gained items at its end, or both.
struct ListChange {
    /// The positions of the lost items.
    removed: Vec<usize>,
    /// The items at its end.
    added: Vec<NodeId>,
}

impl ListChange {
    /// Returns the change; `None` if the list is better replaced as a whole.
    fn of(
        joined: &mut JoinedTrees<'_>,
        before: NodeId,
        after: NodeId,
    ) -> Option<ListChange> {
        let [old, new] = [before, after].map(|list| joined.tree.items(list));
        let mut removed = Vec::new();
        let mut kept = 0;
        for (at, &item) in old.iter().enumerate() {
            if new.get(kept).is_some_and(|&same| joined.is_equal(item, same)) {
                kept += 1;
            } else {
                removed.push(at);
            }
        }
        // Each removed item costs an action, as the replacement of the whole list does.
        let is_short = removed.is_empty() || removed.len() <= kept;
        is_short.then(|| ListChange { removed, added: new[kept..].to_vec() })
    }
}

/// Returns the selectors of some items of a list, the last first: by name, if no other item
/// has it.
fn selectors(tree: &Tree, list: NodeId, removed: &[usize]) -> Vec<String> {
    let items = tree.items(list);
    let list = ListVersion { document: tree, items: &items };
    let names = ItemNames::find(&[list], KeySet::Usual).lists.pop().unwrap_or_default();
    let selector = |&at: &usize| {
        let name = names[at].as_ref();
        let text =
            name.and_then(|name| Some((name.usual_key(), tree.string(name.node)?)));
        match text {
            Some((key, text)) => {
                let quoted = normalized_name(&text);
                format!("[?@.{key} == {}]", &quoted[1..quoted.len() - 1])
            }
            None => format!("[{at}]"),
        }
    };
    removed.iter().rev().map(selector).collect()
}

/// Returns the overlay with its actions.
fn written(mut tree: Tree, update: NodeId, removals: &[String], title: &str) -> Tree {
    let overlay = tree.new_mapping(&[("overlay", "1.0.0")], None);
    let info = tree.new_mapping(&[("title", title), ("version", "1.0.0")], None);
    let mut actions = Vec::new();
    for target in removals {
        let action = tree.new_mapping(&[("target", target)], None);
        let yes = tree.new_scalar(Scalar::Bool(true));
        add(&mut tree, action, "remove", yes);
        actions.push(action);
    }
    let changes = !tree.pairs(update).is_empty();
    // There is one action at least; one without an update has no effect.
    if changes || actions.is_empty() {
        let action = tree.new_mapping(&[("target", "$")], None);
        if changes {
            add(&mut tree, action, "update", update);
        }
        actions.push(action);
    }
    let actions = tree.new_list(actions);
    add(&mut tree, overlay, "info", info);
    add(&mut tree, overlay, "actions", actions);
    tree.set_roots(vec![overlay]);
    tree
}

fn add(tree: &mut Tree, mapping: NodeId, name: &str, value: NodeId) {
    if let NodeId::Opened(id) = mapping {
        tree.insert_entry(id, name, value, None);
    }
}
