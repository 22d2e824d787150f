//! The plan of a patch: what each op does to one document, as a report for people
//! ([`Plan`]), or as plain ops of bosh or a JSON Patch that do the same ([`resolved`]).

mod report;
mod resolver;

pub use report::{Plan, PlannedMatch, PlannedOp};
pub use resolver::{OpsLanguage, Resolved, resolved};

use crate::patch::{Op, Patch};

/// Splits a patch into the imports of directives and all other ops.
fn split(patch: &Patch) -> (Patch, Patch) {
    let (merges, ops): (Vec<Op>, Vec<Op>) =
        patch.ops.iter().cloned().partition(|op| op.edit.merges());
    (Patch { ops: merges, ..patch.clone() }, Patch { ops, ..patch.clone() })
}
