//! Hints for a patch that fails in the first document of a stream, or makes something new
//! there: the documents that have what it looks for.

use super::failure::OpFailure;
use super::place::{Purpose, Reach};
use super::resolve::AnyPath;
use super::traversal::Traversal;
use crate::diagnostic::{listed, shell_word};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Edit, Op};
use crate::select::{Query, QueryBudget, Selection, choosing};
use crate::target::Target;

/// Maximum number of documents that are searched for a path.
// A hint names a few. The search takes time for each failure.
const MAX_SEARCHED: usize = 100;

/// Maximum number of documents that a hint names.
// Three fit a line and show the kind of document that has the path.
const MAX_NAMED: usize = 3;

/// Maximum number of steps of a query in one document.
// About half a millisecond: a hundred documents may be searched for one failure.
const MAX_QUERY_STEPS: u64 = 10_000;

/// Returns a hint for an op that failed in document `root` because a path leads nowhere
/// there. `None` if the patch was not for the only one of several documents.
pub(super) fn hint(
    document: &mut Tree,
    op: &Op,
    root: usize,
    reach: &Reach,
) -> Option<String> {
    let count = reach.selectable.len();
    if !is_for_one_of_several(op, reach) || has_path(document, op, root) {
        return None;
    }
    let others = Others::find(document, op, root, reach, has_path);
    let stream = format!("the stream has {count} documents");
    if others.found.is_empty() {
        let none = if others.are_all {
            "none of the others"
        } else {
            "no other of the first 100"
        };
        return Some(format!("{stream}; {none} has the path"));
    }
    Some(format!("{stream}; {}", others.choice(document, reach)))
}

/// Returns true if an argument of the command line is about to make a path in the only one
/// of several documents that it is for.
pub(super) fn makes(document: &mut Tree, op: &Op, root: usize, reach: &Reach) -> bool {
    let is_typed = op.typed.is_some() || op.makes_key;
    let makes = matches!(op.edit, Edit::Replace(_) | Edit::Add(_)) && is_typed;
    makes && is_for_one_of_several(op, reach) && !is_there(document, &op.at, root)
}

fn is_for_one_of_several(op: &Op, reach: &Reach) -> bool {
    reach.default.len() == 1 && op.only.is_empty() && reach.selectable.len() > 1
}

/// Returns a note that other documents had the path that an op made in document `root`.
pub(super) fn others(
    document: &mut Tree,
    op: &Op,
    root: usize,
    reach: &Reach,
) -> Option<OpFailure> {
    let others = Others::find(document, op, root, reach, |document, op, other| {
        is_there(document, &op.at, other)
    });
    if others.found.is_empty() {
        return None;
    }
    let message = format!("the path is new in document {}", root + 1);
    let failure = OpFailure::new(message, op.at.tokens().len().saturating_sub(1));
    Some(failure.done("adds it").hint(Some(others.choice(document, reach))))
}

/// Documents that have what an op looks for.
struct Others {
    found: Vec<usize>,
    /// True if all documents were searched.
    are_all: bool,
}

impl Others {
    fn find(
        document: &mut Tree,
        op: &Op,
        root: usize,
        reach: &Reach,
        has: impl Fn(&mut Tree, &Op, usize) -> bool,
    ) -> Others {
        let others = reach.selectable.iter().copied().filter(|&other| other != root);
        let others: Vec<usize> = others.collect();
        let searched = &others[..others.len().min(MAX_SEARCHED)];
        let found = searched.iter().copied().filter(|&other| has(document, op, other));
        Others { found: found.collect(), are_all: searched.len() == others.len() }
    }

    /// Returns the documents in words, and the option that chooses them.
    fn choice(&self, document: &Tree, reach: &Reach) -> String {
        let found = &self.found;
        let them = if found.len() == 1 { "it" } else { "them" };
        let have = if found.len() == 1 { "has" } else { "have" };
        let choice = match choosing(document, found, &reach.selectable) {
            Some(selector) => {
                format!("choose {them} with `--where {}`", shell_word(&selector))
            }
            None => format!("choose {them} with `--where`"),
        };
        format!("{} {have} the path: {choice}", numbers(found))
    }
}

/// Returns the numbers of documents, from 1: `documents 2, 3 and 4`.
fn numbers(found: &[usize]) -> String {
    let words = found.iter().take(MAX_NAMED).map(|at| (at + 1).to_string()).collect();
    let documents = if found.len() == 1 { "document" } else { "documents" };
    format!("{documents} {}", listed(words, found.len().saturating_sub(MAX_NAMED)))
}

/// Returns true if a document has what an op looks for.
fn has_path(document: &mut Tree, op: &Op, root: usize) -> bool {
    let makes = match &op.edit {
        Edit::Replace(_) | Edit::Combine(..) => matches!(op.at, Target::Pointer(_)),
        Edit::Add(_) => true,
        _ => false,
    };
    if op.source().is_some_and(|from| !is_there(document, from, root)) {
        return false;
    }
    match AnyPath::of(&op.at) {
        Ok(path) if makes && is_begun(document, op, path, root) => true,
        Err(query) if op.makes_key && makes_key(document, query, root) => true,
        _ => is_there(document, &op.at, root),
    }
}

/// Returns true if a document has the place in which an op makes something.
fn is_begun(document: &mut Tree, op: &Op, path: AnyPath<'_>, root: usize) -> bool {
    let needed = match path {
        // The document has the value, whatever is new around it.
        _ if op.source().is_some() => 0,
        AnyPath::Bosh(pointer) if pointer.required > 0 => pointer.required,
        // Any mapping can get one key.
        path => path.len().saturating_sub(1).max(1),
    };
    let reached = Traversal::new(document, path, Purpose::Replace).reaches(root);
    reached.is_some_and(|count| count >= needed)
}

fn is_there(document: &mut Tree, target: &Target, root: usize) -> bool {
    match AnyPath::of(target) {
        // A key that it would make is not there.
        Ok(path) => Traversal::new(document, path, Purpose::Find)
            .brief(true)
            .search(root)
            .unwrap_or(false),
        Err(query) => !selected(document, query, root).is_empty(),
    }
}

/// Returns true if a document has a mapping that can get the key with which a query ends.
fn makes_key(document: &Tree, query: &Query, root: usize) -> bool {
    let Some((around, _)) = query.split_key() else { return false };
    let found = selected(document, &around, root);
    let may_get = |node| document.kind(node) == Kind::Mapping || document.is_null(node);
    found.into_iter().any(may_get)
}

/// Returns what a query selects in a document; nothing if that takes too long.
fn selected(document: &Tree, query: &Query, root: usize) -> Vec<NodeId> {
    let mut budget = QueryBudget::of_steps(MAX_QUERY_STEPS);
    let root = document.roots()[root];
    let found = Selection::new(document, root, &mut budget).select(query);
    found.unwrap_or_default().into_iter().map(|(node, _)| node).collect()
}
