//! The rules about changes that were likely not meant. Applying the patch has found them.

use hashbrown::HashSet;

use super::finding::Finding;
use super::rule::Rule;
use super::trace::{Subject, Trace};
use crate::apply::RemarkKind;

/// Returns a finding for each op and subject of a remark.
pub(super) fn find(traces: &[(&Subject, Trace)]) -> Vec<Finding> {
    let mut found = HashSet::new();
    let remarks = traces.iter().flat_map(|(_, trace)| &trace.remarks);
    let first = remarks.filter(|remark| found.insert((remark.op, remark.kind)));
    let findings =
        first.map(|remark| Finding::new(rule(remark.kind), remark.diagnostic.clone()));
    findings.collect()
}

fn rule(kind: RemarkKind) -> Rule {
    match kind {
        RemarkKind::OtherObject => Rule::OtherObject,
        RemarkKind::LostItems => Rule::LostItems,
        RemarkKind::OtherType
        | RemarkKind::OtherCollection
        | RemarkKind::SeveralPlaces => Rule::OtherType,
        RemarkKind::NearName => Rule::OptionalPath,
    }
}
