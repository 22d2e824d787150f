//! The places that a query selects for an op, in the order in which they are edited.

use super::failure::Failure;
use crate::node::{NodeId, Path, Step, Tree};
use crate::select::{MAX_STEPS, Query, Selection};

/// Returns the ways to all nodes that a query selects, each once: what is inside of a
/// collection before the collection, and later items before earlier ones, so that no edit
/// moves a place that is still to come.
pub(super) fn matches(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Result<Vec<Path>, Failure> {
    let found = select(document, query, root)?;
    let mut paths: Vec<Path> = found.into_iter().map(|(_, path)| path).collect();
    paths.sort_unstable_by(|a, b| b.iter().map(rank).cmp(a.iter().map(rank)));
    paths.dedup();
    Ok(paths)
}

/// Returns the nodes that a query selects, in its order.
pub(super) fn nodes(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Result<Vec<NodeId>, Failure> {
    let found = select(document, query, root)?;
    Ok(found.into_iter().map(|(node, _)| node).collect())
}

fn select(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Result<Vec<(NodeId, Path)>, Failure> {
    let mut selection = Selection::new(document, document.roots()[root], MAX_STEPS);
    let found = selection.select(query);
    found.map_err(|error| Failure::new(error.message, usize::MAX))
}

/// Returns a number by which siblings are ordered; that of an item is its position.
fn rank(step: &Step) -> (u32, u32) {
    match step {
        Step::Index(index) => (0, *index),
        Step::Key(NodeId::Clean(file, i)) => (1 + file.0, *i),
        Step::Key(NodeId::Opened(id)) => (u32::MAX, *id),
    }
}
