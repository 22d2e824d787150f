//! Fixes applied to a text, and what is left of the findings.

use std::collections::BTreeMap;
use std::ops::Range;

use super::cover::Cover;
use super::finding::Finding;
use super::fix::Fix;
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
