//! Faults of documents and patches that are no errors yet: texts, and a patch with the
//! documents that it is applied to, come in; findings go out.
//!
//! Rules about one text need no patch ([`text`], [`ops_file`]). Rules about ops watch
//! what each op does ([`Trace`]), and what they suspect is tried: an op counts as
//! overwritten only if the result without it is the same, and two ops-files as dependent
//! on their order only if the other order gives another result.

mod allowance;
mod ambiguous_scalar;
mod duplicate_key;
mod finding;
mod no_effect;
mod order;
mod overwritten;
mod rule;
mod shared_node;
mod trace;
mod unused;

pub use allowance::{allowed, unknown_rules};
pub use finding::{Finding, Fix, fixed, grouped, outside};
pub use rule::Rule;
pub use trace::{Subject, Trace};
pub use unused::{ops_file, unused_file, unused_variable};

use hashbrown::HashSet;

use crate::apply::OpsBudget;
use crate::node::Tree;
use crate::patch::Patch;

/// Returns the findings in a text by itself: duplicate keys, and scalars that readers
/// understand differently.
///
/// # Example
/// ```
/// use interpolate::unstable::check::{self, Rule};
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::yaml;
///
/// let mut sources = Sources::default();
/// let file = sources.add("base.yml", "enabled: yes\n");
/// let tree = yaml::read(&sources, file, &yaml::Options::default())?;
/// assert_eq!(check::text(&tree)[0].rule, Rule::AmbiguousScalar);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(tree: &Tree) -> Vec<Finding> {
    let mut findings = duplicate_key::find(tree);
    findings.extend(ambiguous_scalar::find(tree));
    findings
}

/// Returns the findings in the ops of a patch, applied to some documents. An op is told
/// to have no effect, or to be overwritten, if it is so in all of them.
pub fn ops(patch: &Patch, subjects: &[Subject]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut traces = Vec::new();
    for subject in subjects {
        match Trace::new(patch, subject) {
            Ok(trace) => traces.push((subject, trace)),
            Err(failed) => findings.extend(failed.into_iter().map(Finding::failure)),
        }
    }
    if traces.is_empty() {
        return findings;
    }
    findings.extend(no_effect::find(patch, &traces));
    // All runs of the patch that try a suspicion take as much together as one run may.
    let mut budget = OpsBudget::of(patch);
    let overwritten = overwritten::numbers(patch, &traces, &mut budget);
    let numbers = overwritten.iter();
    findings.extend(
        numbers.filter_map(|&number| overwritten::finding(patch, number, &traces)),
    );
    findings.extend(remarks(&traces));
    findings.extend(shared_node::find(patch, &traces));
    findings.extend(order::find(patch, &traces, &overwritten, &mut budget));
    findings
}

/// Returns a finding for each op and subject of a remark about its changes.
fn remarks(traces: &[(&Subject, Trace)]) -> Vec<Finding> {
    let mut found = HashSet::new();
    let remarks = traces.iter().flat_map(|(_, trace)| &trace.remarks);
    let first = remarks.filter(|remark| found.insert((remark.op, remark.kind)));
    first
        .map(|it| Finding::new(Rule::of_remark(it.kind), it.diagnostic.clone()))
        .collect()
}
