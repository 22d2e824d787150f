//! The rule `overwritten-op`.

use super::finding::{Finding, Fix};
use super::order::file_of;
use super::rule::Rule;
use super::trace::{Subject, Trace};
use crate::apply::{self, OpsBudget};
use crate::diagnostic::Diagnostic;
use crate::node::Path;
use crate::patch::{NewComments, Op, Patch};
use crate::target::Target;

/// Maximum number of suspected ops that are tried: each takes a run of the patch.
// People overwrite a few ops by accident. More than these are not read in one report.
const MAX_TRIED: usize = 50;

/// Returns the number of each op of which nothing is left, and without which the result is
/// the same, byte for byte.
pub(super) fn numbers(
    patch: &Patch,
    traces: &[(&Subject, Trace)],
    budget: &mut OpsBudget,
) -> Vec<usize> {
    let numbers = 0..patch.ops.len();
    let suspected = numbers.filter(|&number| is_suspected(patch, number, traces));
    let tried = suspected.take(MAX_TRIED);
    tried
        .filter(|&number| {
            traces.iter().all(|(it, trace)| is_dead(patch, number, it, trace, budget))
        })
        .collect()
}

fn is_suspected(patch: &Patch, number: usize, traces: &[(&Subject, Trace)]) -> bool {
    patch.ops[number].comments == NewComments::default()
        && traces.iter().all(|(_, trace)| {
            let op = &trace.ops[number];
            op.changes && op.puts && !trace.left.contains(&number)
        })
}

/// Returns true if the result is the same without an op.
fn is_dead(
    patch: &Patch,
    number: usize,
    subject: &Subject,
    trace: &Trace,
    budget: &mut OpsBudget,
) -> bool {
    let mut rest = patch.clone();
    rest.ops.remove(number);
    let mut tree = subject.tree.clone();
    apply::apply_within(&rest, &mut tree, &subject.reach, budget).is_ok()
        && tree.to_string() == trace.result.to_string()
}

/// Returns the finding for one of these ops.
pub(super) fn finding(
    patch: &Patch,
    number: usize,
    traces: &[(&Subject, Trace)],
) -> Option<Finding> {
    let op = &patch.ops[number];
    let origin = op.origin?;
    let warning = Diagnostic::warning("later ops undo all that this op does");
    let warning = warning.label(origin.path, "this has no part in the result");
    let by = traces.first().and_then(|(_, trace)| overwriting(trace, number));
    let again = by.and_then(|by| patch.ops[by].origin).map(|origin| origin.path);
    let warning = warning.label(again, "this sets the same place again");
    let is_same = by.is_some_and(|by| is_same_place(op, &patch.ops[by]));
    let fix = is_same.then(|| removal(op)).flatten();
    Some(Finding { fix, ..Finding::new(Rule::OverwrittenOp, *warning) })
}

/// Returns the first later op that writes over all places of an op.
fn overwriting(trace: &Trace, number: usize) -> Option<usize> {
    let places = &trace.ops[number].writes;
    (number + 1..trace.ops.len()).find(|&later| {
        let over = &trace.ops[later].writes;
        places.iter().all(|place| over.iter().any(|one| place.starts_with(one)))
    })
}

/// Returns true if two ops of one file have the same path: then the first one has no part
/// in any result.
fn is_same_place(op: &Op, other: &Op) -> bool {
    matches!(op.at, Target::Pointer(_))
        && op.at == other.at
        && file_of(op) == file_of(other)
        && op.only.is_empty()
}

/// Returns the removal of an op from its file.
fn removal(op: &Op) -> Option<Fix> {
    let origin = op.origin?;
    let position = origin.number as usize;
    Some(Fix { span: origin.span, root: 0, path: Path::new(), position })
}
