//! The OpenAPI Overlay that turns one document into another.

use super::joined::Joined;
use crate::compare::{ItemNames, KeySet, List};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::select::normalized_name;

/// Returns the overlay that turns document `root` of `old` into that of `new`: removals, and
/// one update of the whole document. `new` has no edits; `title` is that of the overlay.
///
/// # Errors
/// The documents are no mappings, a key is a collection, or the documents are too large
/// through their aliases.
pub fn overlay(old: &Tree, new: &Tree, root: usize, title: &str) -> Result<Tree> {
    let mut joined = Joined::new(old, new, root);
    let (old, new) = (joined.old, joined.new);
    if joined.kinds(old, new) != (Kind::Mapping, Kind::Mapping) {
        let message = "an overlay changes a mapping, and cannot replace a whole document";
        return Err(Diagnostic::error(message));
    }
    let update = joined.tree.new_mapping(&[], None);
    let (mut removals, mut todo) = (Vec::new(), vec![(update, "$".to_owned(), old, new)]);
    let mut inner = Vec::new();
    while let Some((update, path, old, new)) = todo.pop() {
        let NodeId::Opened(id) = update else { continue };
        let entries = joined.entries(old, new)?;
        let at = |name: &str| format!("{path}{}", normalized_name(name));
        removals.extend(entries.removed.iter().map(|name| at(name)));
        let mut set = entries.added;
        for (name, before, after) in entries.changed {
            let value = match joined.kinds(before, after) {
                (Kind::Mapping, Kind::Mapping) => {
                    let below = joined.tree.new_mapping(&[], None);
                    todo.push((below, at(&name), before, after));
                    inner.push((id, name.clone(), below));
                    below
                }
                (Kind::Scalar, Kind::Scalar) => after,
                (Kind::Sequence, Kind::Sequence) => {
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
    fn of(joined: &mut Joined<'_>, before: NodeId, after: NodeId) -> Option<ListChange> {
        let (old, new) = (joined.tree.items(before), joined.tree.items(after));
        let (mut removed, mut kept) = (Vec::new(), 0);
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
    let list = List { document: tree, items: &items };
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
