//! The place of a value that is merged.

use crate::node::{Kind, NodeId, Seat, Tree};

/// Nodes of three versions at the same place.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub seat: Seat,
    pub base: Option<NodeId>,
    pub ours: NodeId,
    pub theirs: NodeId,
    pub path: Option<u32>,
}

impl Visit {
    /// Returns the nodes, first the one of the base.
    pub(super) fn nodes(self) -> [Option<NodeId>; 3] {
        [self.base, Some(self.ours), Some(self.theirs)]
    }

    /// Returns true if all versions are an alias of the same name.
    pub(super) fn is_one_alias(self, tree: &Tree) -> bool {
        let Visit { base, ours, theirs, .. } = self;
        let name = |node: NodeId| match node {
            NodeId::Clean(file, i) if tree.follow(node) != node => {
                Some(tree.arena(file).raw(i))
            }
            _ => None,
        };
        let base = base.map_or(name(ours), name);
        name(ours).is_some() && name(ours) == name(theirs) && name(ours) == base
    }

    /// Returns true if all versions have this kind, and both sides have one tag.
    pub(super) fn is_all(self, tree: &Tree, kind: Kind) -> bool {
        self.nodes().iter().flatten().all(|&it| tree.kind(it) == kind)
            && tree.own_tag(self.ours) == tree.own_tag(self.theirs)
    }
}
