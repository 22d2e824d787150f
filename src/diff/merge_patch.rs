//! The JSON Merge Patch (RFC 7396) that turns one document into another.

use hashbrown::HashSet;

use super::joined::Joined;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Tree};

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
    let mut joined = Joined::new(old, new, root);
    let (old, new) = (joined.old, joined.new);
    if joined.kinds(old, new) != (Kind::Mapping, Kind::Mapping) {
        check_nulls(&joined.tree, new, &mut HashSet::new())?;
        joined.tree.set_roots(vec![new]);
        return Ok(joined.tree);
    }
    let patch = joined.tree.new_mapping(&[], None);
    let (mut todo, mut met) = (vec![(patch, old, new)], Vec::new());
    let mut without_null = HashSet::new();
    while let Some((patch, old, new)) = todo.pop() {
        let NodeId::Opened(id) = patch else { continue };
        let entries = joined.entries(old, new)?;
        let tree = &mut joined.tree;
        for name in entries.removed {
            let null = tree.new_null();
            tree.insert_entry(id, &name, null, None);
        }
        let (mut set, mut inner) = (entries.added, Vec::new());
        for (name, before, after) in entries.changed {
            match (tree.kind(before), tree.kind(after)) {
                (Kind::Mapping, Kind::Mapping) => inner.push((name, before, after)),
                _ => set.push((name, after)),
            }
        }
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

/// Refuses entries that are null, which a merge patch would remove. `met` has the mappings
/// that have none.
fn check_nulls(tree: &Tree, value: NodeId, met: &mut HashSet<NodeId>) -> Result<()> {
    tree.null_entry(value, met).map_or(Ok(()), |null| Err(no_null(tree, null)))
}

fn no_null(tree: &Tree, value: NodeId) -> Box<Diagnostic> {
    let error = Diagnostic::error("a merge patch cannot set a value to null: it removes");
    error.at(tree.span(value)).hint("a JSON Patch or an ops-file can")
}
