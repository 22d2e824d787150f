//! Fixes applied to a text, and what is left of the findings.

use std::collections::BTreeMap;
use std::ops::Range;

use super::finding::{Finding, Fix};
use crate::apply;
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::source::FileId;

/// Returns a text with some fixes of it applied. All other bytes stay.
pub fn fixed(tree: &Tree, fixes: &[&Fix]) -> Tree {
    let mut tree = tree.clone();
    let mut fixes: Vec<&&Fix> = fixes.iter().collect();
    // From the last to the first, so that no position changes before its turn.
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
    fixes.dedup();
    for fix in fixes {
        let Some(seat) = apply::locate(&mut tree, &fix.path, fix.root) else { continue };
        remove(&mut tree, seat, fix.position);
    }
    tree
}

/// Returns the findings that are not in what is removed.
pub fn outside(findings: Vec<Finding>, removed: &[&Fix]) -> Vec<Finding> {
    let mut ranges: BTreeMap<FileId, Vec<Range<u32>>> = BTreeMap::new();
    for Fix { span, .. } in removed {
        ranges.entry(span.file).or_default().push(span.start..span.end);
    }
    let covers: BTreeMap<FileId, Cover> =
        ranges.into_iter().map(|(file, ranges)| (file, Cover::new(ranges))).collect();
    let mut left = findings;
    left.retain(|finding| {
        let at = finding.span().and_then(|at| Some((covers.get(&at.file)?, at.start)));
        at.is_none_or(|(cover, at)| !cover.has(at))
    });
    left
}

fn remove(tree: &mut Tree, seat: Seat, position: usize) {
    let Some(id) = tree.open(seat, true) else { return };
    let Some(at) = tree.children(id).at(position) else { return };
    match tree.kind(NodeId::Opened(id)) {
        Kind::Sequence => tree.remove_item(id, at),
        Kind::Mapping => tree.remove_slot(id, at),
        Kind::Scalar => {}
    }
}

/// Ranges of a text.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// In the order of their starts; each ends where the longest one so far does.
    ranges: Vec<Range<u32>>,
}

impl Cover {
    pub(super) fn new(mut ranges: Vec<Range<u32>>) -> Cover {
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        for range in &mut ranges {
            end = end.max(range.end);
            range.end = end;
        }
        Cover { ranges }
    }

    /// Returns true if an offset is in one of the ranges.
    pub(super) fn has(&self, at: u32) -> bool {
        let begun = self.ranges.partition_point(|range| range.start <= at);
        begun > 0 && at < self.ranges[begun - 1].end
    }
}
