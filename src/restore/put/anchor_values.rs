//! The future values of anchors.

use hashbrown::HashMap;

use crate::arena::{Arena, Index, flag};
use crate::node::NodeId;

/// The edited values of the anchored nodes of a text that changed.
pub(super) struct AnchorValues<'a> {
    arena: &'a Arena,
    /// `None` stands for a node that was removed.
    values: HashMap<Index, Option<NodeId>>,
}

impl<'a> AnchorValues<'a> {
    pub(super) fn new(arena: &'a Arena) -> AnchorValues<'a> {
        AnchorValues { arena, values: HashMap::new() }
    }

    /// Returns true if no anchor was visited so far.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the edited value of an anchored node, `Some(None)` if it was removed; `None`
    /// if it stays as it is.
    pub(super) fn get(&self, anchored: Index) -> Option<Option<NodeId>> {
        self.values.get(&anchored).copied()
    }

    /// Records the edited value of a node if it has an anchor.
    pub(super) fn set(&mut self, i: Index, value: NodeId) {
        if self.arena.anchor(i).is_some() {
            self.values.insert(i, Some(value));
        }
    }

    /// Records that a node and the anchors in it are removed.
    pub(super) fn forget(&mut self, i: Index) {
        if self.arena.anchor(i).is_some() {
            self.values.insert(i, None);
        }
        self.forget_inner(i);
    }

    /// Records that the anchors in a node are removed.
    pub(super) fn forget_inner(&mut self, i: Index) {
        let arena = self.arena;
        if !arena.has(i, flag::HAS_ANCHOR) {
            return;
        }
        let inner = (i + 1..arena.next(i)).filter(|&i| arena.anchor(i).is_some());
        self.values.extend(inner.map(|i| (i, None)));
    }
}
