//! Paths that callers pass, in one of three languages: `/jobs/name=web` as in an ops-file,
//! `jobs[name=web]`, and `$.jobs[?@.name=='web']`; and what they lead to.

use super::error::{Error, Result};
use super::node::Node;
use crate::apply::{self, LocatedNode};
use crate::node::Tree;
use crate::pointer::{Pointer, parse_argument};
use crate::select::{Mistake, Query, QueryBudget, Selection};
use crate::target::Target;

/// Parses a path to what exists.
pub(super) fn target(path: &str) -> Result<Target> {
    parse(path, false)
}

/// Parses a path to a place for a value: mappings at the end of a dotted path may be missing.
pub(super) fn place(path: &str) -> Result<Target> {
    parse(path, true)
}

/// Parses a path to a list. Returns the place behind its last item.
pub(super) fn end_of(path: &str) -> Result<Target> {
    Ok(place(path)?.end_of_list())
}

fn parse(path: &str, creates: bool) -> Result<Target> {
    let is_dotted = !path.is_empty() && !path.starts_with('/');
    let parsed = Target::parse_with(path, |path| {
        if is_dotted { parse_argument(path, creates) } else { Pointer::parse(path) }
    });
    parsed.map_err(|why| malformed(path, &why))
}

fn malformed(path: &str, why: &Mistake) -> Error {
    Error::message(format!("path '{path}': {why}"))
}

/// Returns the one node that a target leads to from a node.
///
/// # Errors
/// A query selects several nodes, or it takes too much.
pub(super) fn one<'d>(node: &Node<'d>, target: &Target) -> Result<Option<Node<'d>>> {
    let (tree, at) = node.located();
    let found = match target {
        Target::Pointer(pointer) => apply::resolve(tree, at.clone(), pointer),
        Target::Json(pointer) => apply::resolve(tree, at.clone(), pointer),
        Target::Query(query) => one_match(tree, at, query)?,
    };
    Ok(found.map(|at| Node::new(tree, at)))
}

fn one_match(
    tree: &Tree,
    at: &LocatedNode,
    query: &Query,
) -> Result<Option<LocatedNode>> {
    let mut budget = QueryBudget::default();
    let found = Selection::new(tree, at.node, &mut budget).select(query);
    let mut found = found.map_err(|error| Error::about(error, tree))?;
    if found.len() > 1 {
        let count = found.len();
        let message = format!("'{query}' has {count} matches, and one is needed");
        return Err(Error::message(message));
    }
    let path = found.pop().map(|(_, path)| path);
    Ok(path.and_then(|path| apply::resolve(tree, at.clone(), &path[..])))
}

/// Returns the error about a target that leads nowhere in a document of the stream.
pub(super) fn nowhere(tree: &Tree, target: Target, document: usize) -> Error {
    // Only a search that may open nodes can explain why there is none.
    let mut opened = tree.clone();
    let explained = match &target {
        Target::Pointer(pointer) => {
            let required = pointer.tokens.len();
            let whole = Pointer { required, ..pointer.clone() };
            apply::find(&mut opened, &whole, document).err()
        }
        Target::Json(_) => {
            let mut budget = QueryBudget::default();
            apply::find_target(&mut opened, &target, document, &mut budget).err()
        }
        Target::Query(query) => Some(apply::no_match(tree, query, document)),
    };
    match explained {
        Some(error) => Error::about(error, tree),
        None => Error::message(format!("there is no node at '{target}'")),
    }
}
