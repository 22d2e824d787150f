//! The rule `optional-path`.

use super::finding::Finding;
use super::rule::Rule;
use super::trace::{Subject, Trace};
use crate::diagnostic::Diagnostic;
use crate::patch::Patch;

/// Returns a finding for each op whose `?` makes an entry or item beside one with a similar
/// name.
pub(super) fn find(patch: &Patch, traces: &[(&Subject, Trace)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, op) in patch.ops.iter().enumerate() {
        let mut found =
            traces.iter().filter_map(|(_, it)| it.ops[number].misspelt.as_ref());
        let (Some(origin), Some((made, near))) = (op.origin, found.next()) else {
            continue;
        };
        let message = format!("`?` makes '{made}' here, beside '{near}'");
        let warning = Diagnostic::warning(message).at(origin.path);
        let warning = warning.hint(format!("did you mean '{near}'?"));
        findings.push(Finding::new(Rule::OptionalPath, *warning));
    }
    findings
}
