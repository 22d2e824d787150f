//! The entry points: a patch and a document, or a pointer and a document, come in; the
//! document is changed, or a node is found.

use super::failure::Failure;
use super::json_pointer;
use super::place::{self, Place, Reach};
use super::site::{entry_budget, merge_all};
use super::stream_run::{Applied, Observer, StreamRun};
use super::traversal::{Purpose, Traversal};
use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::layout;
use crate::merge::too_large;
use crate::node::{NodeId, OpId, Path, Seat, Tree};
use crate::patch::{Op, Patch};
use crate::pointer::{JsonPointer, Pointer};
use crate::select::{Query, Selection};
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
    apply_to(patch, document, &reach).map(|applied| applied.warnings)
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
) -> std::result::Result<Vec<Diagnostic>, Diagnostics> {
    document.start_journal();
    let limit = patch.limit.unwrap_or(Expansion::default().0);
    document.bound_journal((limit / NOTED_STEP).max(FEWEST_STEPS));
    let done = observe_to(patch, document, reach, observer);
    document.end_journal();
    done.map(|applied| applied.warnings)
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
    for arena in &patch.arenas {
        document.try_add_arena(arena)?;
    }
    if !patch.restyled.is_empty() && !layout::is_json(document.base()) {
        document.hints_mut().restyle(patch.restyled.iter().copied());
    }
    let merges = patch.ops.iter().take_while(|op| op.edit.merges()).count();
    let shift = document.append_opened(&patch.opened);
    let first = document.record_ops(patch.ops.iter().map(|op| Some(op.origin?.span)));
    merge_roots(patch, merges, document, (&reach.default, shift, first))?;
    document.take_effects();
    let run = StreamRun::new(patch, merges, reach, (first, shift));
    let mut applied = run.run(document, observer)?;
    applied.warnings.splice(0..0, pattern_warnings(&patch.ops));
    applied.uses_default |= merges > 0;
    Ok(applied)
}

fn merge_roots(
    patch: &Patch,
    merges: usize,
    document: &mut Tree,
    (roots, shift, first): (&[usize], u32, OpId),
) -> std::result::Result<(), Diagnostics> {
    let ops = &patch.ops[..merges];
    let limit = patch.limit.unwrap_or(Expansion::default().0);
    let (mut budget, mut diagnostics) = (entry_budget(limit), Vec::new());
    for &at in roots.iter().filter(|_| merges > 0) {
        diagnostics.extend(merge_all(
            ops,
            document,
            (at, shift),
            Some(first),
            &mut budget,
        ));
        if diagnostics.is_empty() && document.printed_size(at) > limit as u64 {
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
    Traversal::new(document, pointer, Purpose::Find)
        .find(Seat::Root(root))
        .map_err(Failure::into_diagnostic)
}

/// Returns what a target leads to in a document of the stream: a node, or the list of all
/// nodes that a query selects.
///
/// # Errors
/// A pointer leads nowhere, or a query takes more than `limit` steps.
pub fn find_target(
    document: &mut Tree,
    target: &Target,
    root: usize,
    limit: u64,
) -> Result<NodeId> {
    match target {
        Target::Pointer(pointer) => find(document, pointer, root),
        Target::Json(pointer) => {
            json_pointer::find(document, pointer, root).map_err(Failure::into_diagnostic)
        }
        Target::Query(query) => {
            let matches = find_all(document, query, root, limit)?;
            Ok(document.new_list(matches.into_iter().map(|(node, _)| node)))
        }
    }
}

/// Returns the nodes that `query` selects in a document of the stream, with the ways to
/// them.
///
/// # Errors
/// The query takes more than `limit` steps.
pub fn find_all(
    document: &Tree,
    query: &Query,
    root: usize,
    limit: u64,
) -> Result<Vec<(NodeId, Path)>> {
    Selection::new(document, document.roots()[root], limit).select(query)
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

/// Removes what `pointer` leads to in a document of the stream. Fails as [`find`], and
/// then changes nothing.
pub(crate) fn remove(document: &mut Tree, pointer: &Pointer, root: usize) -> Result<()> {
    Traversal::new(document, pointer, Purpose::Remove)
        .remove(root)
        .map_err(Failure::into_diagnostic)
}

/// Returns true if [`replace`] surely succeeds. The tree keeps its content.
pub(crate) fn reaches(document: &mut Tree, pointer: &Pointer, root: usize) -> bool {
    Traversal::new(document, pointer, Purpose::Replace).brief(true).reaches(root)
}

/// Puts a node of the tree where `pointer` leads to in a document of the stream. Fails as
/// an op does.
pub(crate) fn replace(
    document: &mut Tree,
    pointer: &Pointer,
    root: usize,
    value: NodeId,
) -> Result<()> {
    let by = document.record_ops(std::iter::once(None));
    Traversal::new(document, pointer, Purpose::Replace)
        .by(by)
        .replace(root, value)
        .map_err(Failure::into_diagnostic)
}

/// Puts a node of the tree where a JSON Pointer leads to: it replaces what is there or, if it
/// `adds`, is a new item or the value of an entry. If it fails, the content stays.
pub(crate) fn put_json(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
    (value, adds): (NodeId, bool),
) -> Result<()> {
    let by = document.record_ops(std::iter::once(None));
    let place = if adds {
        json_pointer::place(document, pointer, root)
    } else {
        json_pointer::seat(document, pointer, root).map(Place::Seat)
    };
    place.map_err(Failure::into_diagnostic)?.put(document, value, Some(by));
    Ok(())
}

/// Removes what a JSON Pointer leads to, which is no root. If it fails, the content stays.
pub(crate) fn remove_json(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<()> {
    let seat = json_pointer::seat(document, pointer, root);
    if place::remove(document, seat.map_err(Failure::into_diagnostic)?) {
        return Ok(());
    }
    Err(Diagnostic::error("a whole document cannot be removed"))
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
        let query = match target {
            Target::Query(query) => Some(query),
            Target::Pointer(_) | Target::Json(_) => None,
        };
        query.into_iter().flat_map(move |query| {
            query.pattern_warnings().iter().map(move |warning| warning.at(place))
        })
    });
    let selectors = op.only.iter().flat_map(|selector| selector.pattern_warnings());
    of_targets.chain(selectors)
}
