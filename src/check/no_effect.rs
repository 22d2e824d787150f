//! The rule `no-effect`: ops that do not do what was meant.

use super::finding::Finding;
use super::order::files;
use super::rule::Rule;
use super::trace::{Subject, Trace};
use crate::diagnostic::{Diagnostic, Severity};
use crate::patch::{Edit, Missing, NewComments, Op, Patch};
use crate::target::Target;

/// Number of ops of a file that are reported together if none of them has an effect.
// Two ops are read as quickly as a message about both.
const FEWEST_TOGETHER: usize = 3;

/// Returns a finding for each op that changes no data of any subject; for a whole file with
/// such ops only, one finding.
pub(super) fn find(patch: &Patch, traces: &[(&Subject, Trace)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for numbers in files(patch) {
        let count = numbers.len();
        let of_file: Vec<Finding> =
            numbers.filter_map(|number| of_op(patch, number, traces)).collect();
        if of_file.len() == count && count >= FEWEST_TOGETHER {
            let of_file = of_file.into_iter();
            let mut heaviest =
                of_file.max_by_key(|it| it.diagnostic.severity == Severity::Warning);
            if let Some(finding) = &mut heaviest {
                finding.diagnostic.message =
                    format!("none of the {count} ops of this file changes anything");
            }
            findings.extend(heaviest);
        } else {
            findings.extend(of_file);
        }
    }
    findings
}

fn of_op(patch: &Patch, number: usize, traces: &[(&Subject, Trace)]) -> Option<Finding> {
    let op = &patch.ops[number];
    let is_idle = traces.iter().all(|(_, trace)| !trace.ops[number].changes);
    let is_there = traces.iter().any(|(_, trace)| trace.ops[number].puts);
    if is_idle && has_to_change(op) { finding(op, is_there) } else { None }
}

/// Returns true if an op is there to change data.
fn has_to_change(op: &Op) -> bool {
    !matches!(op.edit, Edit::Test(_) | Edit::Keep)
        && op.comments == NewComments::default()
}

/// `is_there` is true if it puts a value where an equal one is.
fn finding(op: &Op, is_there: bool) -> Option<Finding> {
    let origin = op.origin?;
    let message = if is_there {
        "this op changes nothing: the value is there already"
    } else {
        "this op changes nothing: there is nothing at its path"
    };
    let finding =
        Finding::new(Rule::NoEffect, *Diagnostic::warning(message).at(origin.path));
    // A path that may be missing is often written for another base.
    Some(if may_miss(op) && !is_there { finding.note() } else { finding })
}

/// Returns true if the target of an op may be missing.
fn may_miss(op: &Op) -> bool {
    let is_optional = match &op.at {
        Target::Pointer(pointer) => pointer.required < pointer.tokens.len(),
        Target::Json(_) | Target::Query(_) => false,
    };
    is_optional || op.missing != Missing::Fails || op.unless_exists
}
