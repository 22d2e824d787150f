//! The entry points: a patch and a document, or a pointer and a document, come in; the
//! document is changed, or a node is found.

use std::borrow::Cow;

use super::budget::OpsBudget;
use super::failure::{OpFailure, OpResult};
use super::hint;
use super::in_place::is_in_place;
use super::place::{self, Purpose, Reach};
use super::resolve::{AnyPath, LocatedNode, resolve};
use super::site::entry_budget;
use super::steps::Steps;
use super::stream_run::{Applied, Observer, StreamRun};
use super::traversal::Traversal;
use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::merge::too_large;
use crate::node::{NodeId, Path, Seat, Step, Tree};
use crate::patch::{Op, Patch};
use crate::pointer::Pointer;
use crate::select::{Query, QueryBudget, Selection};
use crate::target::Target;
use crate::yaml::Expansion;

/// The length of a step of the way to a changed place, as far as the limit of the expansion
/// is concerned.
// In a deep document, the ways to all places are much longer than the document. `plan` and
// `check` keep each step as a text and as a part of a path: some 64 bytes together.
const NOTED_STEP: usize = 64;

/// The number of steps that are noted in any case.
// A low limit is meant for large documents; a hundred ops with ten steps each are told.
const FEWEST_STEPS: usize = 1 << 10;

/// Applies the ops of `patch` to each of the given documents of the stream; an op with a
/// selector, to those that it chooses among all. Returns warnings about ops without effect.
///
/// # Errors
/// One diagnostic for every op that fails on its own; an op that fails because an
/// earlier one did is left out. The document is then in an unspecified state.
pub fn apply(
    patch: &Patch,
    document: &mut Tree,
    roots: impl IntoIterator<Item = usize>,
) -> std::result::Result<Vec<Diagnostic>, Diagnostics> {
    let reach = Reach::of(document, roots);
    let applied = apply_to(patch, document, &reach)?;
    let remarks = applied.remarks.into_iter().map(|remark| remark.diagnostic);
    Ok(applied.warnings.into_iter().chain(remarks).collect())
}

/// Applies the ops of `patch` to the documents of the stream that it reaches.
///
/// # Errors
/// As [`apply`]; and a selector that chooses no document.
pub fn apply_to(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
) -> std::result::Result<Applied, Diagnostics> {
    observe_to(patch, document, reach, &mut |_, _, _| {})
}

/// Applies a patch as [`apply_to`] does, as one of several runs that share a budget.
///
/// # Errors
/// As [`apply_to`].
pub(crate) fn apply_within(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
    budget: &mut OpsBudget,
) -> std::result::Result<Applied, Diagnostics> {
    run(patch, document, reach, budget, &mut |_, _, _| {})
}

/// Applies a patch as [`apply_to`] does, and tells `observer` what each op of an ops-file has
/// changed, right after it did: the tree, the number of the op, and its effects.
///
/// # Errors
/// As [`apply`]; and the ways to what an op has changed are longer than the patch's limit.
pub fn observe(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
    observer: Observer<'_>,
) -> std::result::Result<Applied, Diagnostics> {
    document.start_journal();
    let limit = patch.limit.unwrap_or(Expansion::default().0);
    document.bound_journal((limit / NOTED_STEP).max(FEWEST_STEPS));
    let done = observe_to(patch, document, reach, observer);
    document.end_journal();
    done
}

/// Applies a patch as [`apply_to`] does, and tells `observer` what each op of an ops-file
/// has changed, if the document has a journal.
///
/// # Errors
/// As [`apply_to`].
pub(crate) fn observe_to(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
    observer: Observer<'_>,
) -> std::result::Result<Applied, Diagnostics> {
    run(patch, document, reach, &mut OpsBudget::of(patch), observer)
}

fn run(
    patch: &Patch,
    document: &mut Tree,
    reach: &Reach,
    budget: &mut OpsBudget,
    observer: Observer<'_>,
) -> std::result::Result<Applied, Diagnostics> {
    let patch = &*settled(patch, document);
    let steps = Steps::add(patch, document)?;
    let merges = patch.ops.iter().take_while(|op| op.edit.merges()).count();
    if merges > 0 {
        merge_roots(patch, merges, document, &reach.default, steps)?;
    }
    document.take_effects();
    let run = StreamRun::new(patch, merges, reach, steps, budget);
    let mut applied = run.run(document, observer)?;
    applied.warnings.splice(0..0, pattern_warnings(&patch.ops));
    applied.uses_default |= merges > 0;
    Ok(applied)
}

/// Returns a patch whose typed paths are settled in the document: see [`Target::settled`].
fn settled<'p>(patch: &'p Patch, document: &Tree) -> Cow<'p, Patch> {
    let mut patch = Cow::Borrowed(patch);
    for at in 0..patch.ops.len() {
        let op = &patch.ops[at];
        let from = op.typed_from.as_ref().zip(op.source());
        let from = from.and_then(|(it, from)| from.settled(&it.text, document));
        // A key that is renamed from `.a` to `.b` keeps the '.'.
        let to = op.typed.as_ref().and_then(|it| match from {
            Some(_) => op.at.dotted(&it.text),
            // A key that is moved to its own name with a '.' gets the '.'.
            None if op.source().map(Target::tokens) == Some(op.at.tokens()) => {
                op.at.dotted(&it.text)
            }
            None => op.at.settled(&it.text, document),
        });
        if let Some(to) = to {
            patch.to_mut().ops[at].at = to;
        }
        if let Some(from) = from {
            patch.to_mut().ops[at].set_source(from);
        }
    }
    patch
}

fn merge_roots(
    patch: &Patch,
    merges: usize,
    document: &mut Tree,
    roots: &[usize],
    steps: Steps,
) -> std::result::Result<(), Diagnostics> {
    let ops = &patch.ops[..merges];
    let limit = patch.limit.unwrap_or(Expansion::default().0);
    let mut budget = entry_budget(limit);
    let mut diagnostics = Vec::new();
    for &at in roots {
        diagnostics.extend(steps.merge(document, ops, at, &mut budget));
        if diagnostics.is_empty()
            && document.printed_size(document.roots()[at]).bytes > limit as u64
        {
            diagnostics.push(*too_large());
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(Diagnostics(diagnostics)) }
}

/// Returns the node that `pointer` leads to in a document of the stream. A part of the
/// path that is optional and missing is null, or the item that a match token describes.
///
/// # Errors
/// go-patch's message, at the deepest place that was reached.
pub fn find(document: &mut Tree, pointer: &Pointer, root: usize) -> Result<NodeId> {
    find_one(document, pointer.into(), root)
}

fn find_one(document: &mut Tree, path: AnyPath<'_>, root: usize) -> Result<NodeId> {
    Traversal::new(document, path, Purpose::Find)
        .find(Seat::Root(root))
        .map_err(OpFailure::into_diagnostic)
}

/// Returns what a target leads to in a document of the stream: a node, or the list of all
/// nodes that a query selects.
///
/// # Errors
/// A pointer leads nowhere, or a query takes more than the budget has. What it selects counts
/// in bytes: a collection and what is in it may both be selected.
pub fn find_target(
    document: &mut Tree,
    target: &Target,
    root: usize,
    budget: &mut QueryBudget,
) -> Result<NodeId> {
    match AnyPath::of(target) {
        Ok(path) => find_one(document, path, root),
        Err(query) => {
            let matches = find_all(document, query, root, budget)?;
            let list = document.new_list(matches.into_iter().map(|(node, _)| node));
            let bytes = document.printed_size(list).bytes;
            budget.check_selected(usize::try_from(bytes).unwrap_or(usize::MAX))?;
            Ok(list)
        }
    }
}

/// Returns the nodes that `query` selects in a document of the stream, with the ways to
/// them.
///
/// # Errors
/// The query takes more than the budget has.
pub fn find_all(
    document: &Tree,
    query: &Query,
    root: usize,
    budget: &mut QueryBudget,
) -> Result<Vec<(NodeId, Path)>> {
    Selection::new(document, document.roots()[root], budget).select(query)
}

/// Returns the nodes that a target leads to in a document of the stream, with the ways to
/// them.
///
/// # Errors
/// A pointer leads nowhere, or a query takes more than the budget has.
pub fn find_places(
    document: &mut Tree,
    target: &Target,
    root: usize,
    budget: &mut QueryBudget,
) -> Result<Vec<(NodeId, Path)>> {
    match AnyPath::of(target) {
        Ok(path) => {
            find_one(document, path, root)?;
            let start = LocatedNode::root(document.roots()[root]);
            let found = resolve(document, start, path);
            Ok(found.map(|found| (found.node, found.path)).into_iter().collect())
        }
        Err(query) => find_all(document, query, root, budget),
    }
}

/// Returns the error about a query that selects nothing in a document of the stream.
pub(crate) fn no_match(document: &Tree, query: &Query, root: usize) -> Box<Diagnostic> {
    hint::no_match(document, query, root, false).into_diagnostic()
}

/// Returns the node that `pointer` leads to from `node`, or go-patch's message.
pub(crate) fn find_from(
    document: &mut Tree,
    pointer: &Pointer,
    node: NodeId,
) -> Result<NodeId> {
    Traversal::new(document, pointer, Purpose::Find)
        .find(Seat::Detached(node))
        .map_err(|failure| Diagnostic::error(failure.message()))
}

/// Removes what a path leads to in a document of the stream. Fails as [`find`], and then
/// changes no content.
pub(crate) fn remove<'p>(
    document: &mut Tree,
    path: impl Into<AnyPath<'p>>,
    root: usize,
) -> Result<()> {
    let path = path.into();
    let reached = Traversal::new(document, path, Purpose::Remove).reach(root);
    let Some(seat) = reached.map_err(OpFailure::into_diagnostic)? else { return Ok(()) };
    if place::remove(document, seat) {
        return Ok(());
    }
    Err(Diagnostic::error(match path {
        AnyPath::Bosh(_) => "Cannot remove entire document",
        AnyPath::Json(_) | AnyPath::Steps(_) => "a whole document cannot be removed",
    }))
}

/// Returns true if a replacement surely succeeds. The tree keeps its content.
pub(crate) fn reaches(document: &mut Tree, pointer: &Pointer, root: usize) -> bool {
    Traversal::new(document, pointer, Purpose::Replace).reaches(root).is_some()
}

/// Puts a node of the tree where a path leads to in a document of the stream. Fails as an op
/// does with this purpose, and changes no content if the path is a JSON Pointer.
pub(crate) fn put<'p>(
    document: &mut Tree,
    path: impl Into<AnyPath<'p>>,
    purpose: Purpose,
    root: usize,
    value: NodeId,
) -> Result<()> {
    let path = path.into();
    let by = document.record_ops(std::iter::once(None));
    if is_there(document, path, purpose, root, value)
        .map_err(OpFailure::into_diagnostic)?
    {
        return Ok(());
    }
    let landed = Traversal::new(document, path, purpose).by(by, true).land(root);
    if let Some(landed) = landed.map_err(OpFailure::into_diagnostic)? {
        landed.at.put(document, value, Some(by));
    }
    Ok(())
}

/// Returns true if a path leads to an equal value, which then stays.
fn is_there(
    document: &Tree,
    path: AnyPath<'_>,
    purpose: Purpose,
    root: usize,
    value: NodeId,
) -> OpResult<bool> {
    let at = LocatedNode::root(document.roots()[root]);
    let Some(found) = resolve(document, at, path) else { return Ok(false) };
    if purpose == Purpose::Add && matches!(found.path.last(), Some(Step::Index(_))) {
        return Ok(false);
    }
    is_in_place(document, found.node, value, &mut OpsBudget::of(Patch::NONE))
}

/// Maximum number of warnings: a generated patch may have the same pattern in each op.
// The command line prints as many diagnostics.
const MAX_WARNINGS: usize = 100;

/// Returns warnings about patterns that are no I-Regexp, each at the path or the selector
/// that it stands in.
pub(super) fn pattern_warnings(ops: &[Op]) -> Vec<Diagnostic> {
    ops.iter().flat_map(of_op).take(MAX_WARNINGS).collect()
}

fn of_op(op: &Op) -> impl Iterator<Item = Diagnostic> + '_ {
    let path = op.origin.map(|origin| origin.path);
    let span = op.origin.map(|origin| origin.span);
    let targets =
        std::iter::once((&op.at, path)).chain(op.source().map(|from| (from, span)));
    let of_targets = targets.flat_map(|(target, place)| {
        AnyPath::of(target).err().into_iter().flat_map(move |query| {
            query.pattern_warnings().iter().map(move |warning| warning.at(place))
        })
    });
    let selectors = op.only.iter().flat_map(|selector| selector.pattern_warnings());
    of_targets.chain(selectors)
}
