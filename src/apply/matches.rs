//! The places that a query selects for an op, in the order in which they are edited.

use super::failure::{Failure, Result};
use crate::diagnostic::Diagnostic;
use crate::node::{NodeId, Path, Step, Tree};
use crate::select::{DeadEnd, PatternWarning, Query, Selection};

/// Returns all nodes that a query selects, with the ways to them, each once: what is inside of a
/// collection before the collection, and later items before earlier ones, so that no edit
/// moves a place that is still to come.
pub(super) fn matches(
    document: &Tree,
    query: &Query,
    root: usize,
    steps: u64,
) -> Result<Vec<(NodeId, Path)>> {
    let mut found = select(document, query, root, steps)?;
    found.sort_unstable_by(|(_, a), (_, b)| {
        b.iter().map(Step::rank).cmp(a.iter().map(Step::rank))
    });
    found.dedup_by(|(_, a), (_, b)| a == b);
    Ok(found)
}

/// Returns the failure of a query that selects nothing, with the place that it reaches; for
/// an op that replaces, with how to add what is missing.
pub(super) fn no_match(
    document: &Tree,
    query: &Query,
    root: usize,
    replaces: bool,
) -> Failure {
    let failure =
        Failure::new(format!("nothing matches '{query}'"), usize::MAX).nowhere();
    let Some(end) = DeadEnd::of(document, document.roots()[root], query) else {
        return failure;
    };
    let add = end.new_key.filter(|_| replaces).map(|(mappings, key)| {
        let path = format!("path: \"{mappings}\"");
        format!(
            "a query makes no keys: `{{type: merge, {path}, value: {{{key}: …}}}}` does"
        )
    });
    let place = document.span(end.node).map(|span| document.first_line(span));
    let pattern = query.pattern_warnings().first().map(PatternWarning::told);
    failure.label(place, end.lacks).hint(pattern).hint(end.hint).hint(add)
}

/// Returns a warning about a query that selects nothing, if another one was likely meant.
pub fn likely_meant(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Option<Box<Diagnostic>> {
    let end = DeadEnd::of(document, document.roots()[root], query)?;
    let warning = Diagnostic::warning(format!("nothing matches '{query}'"));
    let place = document.span(end.node).map(|span| document.first_line(span));
    let warning = place.into_iter().fold(warning, |d, at| d.label(at, &*end.lacks));
    Some(warning.hint(end.hint?))
}

/// Returns the nodes that a query selects, in its order.
pub(super) fn nodes(
    document: &Tree,
    query: &Query,
    root: usize,
    steps: u64,
) -> Result<Vec<NodeId>> {
    let found = select(document, query, root, steps)?;
    Ok(found.into_iter().map(|(node, _)| node).collect())
}

fn select(
    document: &Tree,
    query: &Query,
    root: usize,
    steps: u64,
) -> Result<Vec<(NodeId, Path)>> {
    let mut selection = Selection::new(document, document.roots()[root], steps);
    let found = selection.select(query);
    found.map_err(|error| {
        let hint = error.hints.first().cloned();
        Failure::new(error.message, usize::MAX).hint(hint)
    })
}
