//! The nodes at one place, in the order of time.

use super::change::ChangeSource;
use crate::node::{NodeId, Path, SlotId};

/// The moments during which one node stood at a place, or none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    /// The first moment. Unless that is 0, the change before it began the interval.
    pub from: usize,
    /// The last moment. The change of that number ended the interval.
    pub to: usize,
    pub node: Option<NodeId>,
}

/// The intervals of one place, the oldest first.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    pub root: usize,
    /// The way to the place, as it was in the first interval.
    pub path: Path,
    pub intervals: Vec<Interval>,
    /// The place at which the value, or a part of it, was before the first interval, and
    /// the change that took it from there.
    pub source: Option<(usize, ChangeSource)>,
}

impl Timeline {
    /// Returns the timeline of a node that was always there. Its path is left out.
    pub(super) fn whole(root: usize, node: NodeId, now: usize) -> Timeline {
        let intervals = vec![Interval { from: 0, to: now, node: Some(node) }];
        Timeline { root, path: Path::new(), intervals, source: None }
    }

    /// Returns what stands at the place at the end, and since when.
    pub(super) fn last(&self) -> Option<Interval> {
        self.intervals.last().copied()
    }

    /// Returns the last interval in which something stood at the place.
    pub(super) fn last_filled(&self) -> Option<Interval> {
        self.intervals.iter().rev().find(|it| it.node.is_some()).copied()
    }
}

/// A child, as it is found in the collections that stood at one place, from the last one
/// back to the first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Track {
    /// The entry with a key.
    Key(NodeId),
    /// The item in a slot of an opened list.
    Slot(u32, SlotId),
    /// The item at an index.
    Index(u32),
}
